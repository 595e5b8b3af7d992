#include "analysis/study/case_list.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "analysis/study/study_text.h"
#include "framework/counted.h"
#include "results/csv_text.h"
#include "results/line_reader.h"

namespace davit {

CaseList::CaseList(std::vector<Variation> grid) : size_(1), grid_(std::move(grid)) {
  for (const Variation& variation : grid_) {
    items_.push_back(variation.item);
    size_ = std::min(size_ * variation.values.size(), kMostCases + 1);
  }
  if (grid_.empty()) size_ = 0;
}

CaseList::CaseList(std::vector<VariedItem> items, std::vector<std::vector<CaseValue>> cases)
    : items_(std::move(items)), size_(cases.size()), cases_(std::move(cases)) {}

CaseList::CaseList(const std::vector<RandomVariation>& variations, Sampling sampling, std::size_t samples,
                   std::uint64_t seed)
    : size_(variations.empty() ? 0 : samples), cases_(size_) {
  for (const RandomVariation& variation : variations) items_.push_back(variation.item);
  const std::vector<double> points = SampleUnitCube(sampling, size_, items_.size(), seed);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const RandomVariation& variation = variations[k];
      const double p = points[i * items_.size() + k];
      if (variation.values.empty()) {
        cases_[i].push_back({.number = variation.distribution.Quantile(p)});
      } else {
        cases_[i].push_back(
            variation.values[static_cast<std::size_t>(p * static_cast<double>(variation.values.size()))]);
      }
    }
  }
}

std::vector<CaseValue> CaseList::CaseAt(std::uint64_t i) const {
  if (grid_.empty()) return cases_[i];
  std::vector<CaseValue> values(grid_.size());
  for (std::size_t k = grid_.size(); k-- > 0;) {
    const std::vector<CaseValue>& choices = grid_[k].values;
    values[k] = choices[i % choices.size()];
    i /= choices.size();
  }
  return values;
}

CaseList LoadCases(const std::filesystem::path& file, System& system, Diagnostics& diagnostics) {
  LineReader reader(file);
  const auto name = std::make_shared<const std::string>(file.string());
  const auto place = [&] { return SourceLocation{name, reader.line()}; };
  std::vector<std::optional<VariedItem>> columns;
  std::vector<std::vector<CaseValue>> cases;
  bool is_good = true;
  while (const std::optional<std::string_view> line = reader.Next()) {
    if (TrimBlanks(*line).empty()) continue;
    const std::vector<std::string> cells = SplitCsvLine(*line);
    if (columns.empty()) {
      for (const std::string& cell : cells)
        columns.push_back(FindVariedItem(system, TrimBlanks(cell), place(), diagnostics));
      continue;
    }
    if (cells.size() != columns.size()) {
      diagnostics.Error(place(), {},
                        fmt::format("{} for {}; give one for each", Counted(cells.size(), "value"),
                                    Counted(columns.size(), "path")));
      is_good = false;
      continue;
    }
    std::vector<CaseValue>& values = cases.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!columns[i]) continue;
      if (auto value = ReadCaseValue(system, *columns[i], cells[i], place(), diagnostics))
        values.push_back(*std::move(value));
    }
    is_good = is_good && values.size() == columns.size();
  }
  if (!reader.fault().empty()) {
    diagnostics.Error({name, 0}, {}, reader.fault());
    return {};
  }
  if (cases.empty() && is_good) {
    diagnostics.Error(
        {name, 0}, {},
        "there are no cases; the first line must have the paths, such as load.mass,pump.speed, and "
        "each further line their values");
  }
  std::vector<VariedItem> items;
  for (const std::optional<VariedItem>& column : columns) {
    if (column) items.push_back(*column);
  }
  return is_good && items.size() == columns.size() ? CaseList(std::move(items), std::move(cases))
                                                   : CaseList();
}

}  // namespace davit
