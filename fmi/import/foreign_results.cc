#include "fmi/import/foreign_results.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "framework/xml/element_reader.h"
#include "framework/xml/xml_file.h"
#include "results/csv_text.h"

namespace davit {
namespace {

/// The numbers of a cell; empty for a text.
std::vector<double> NumbersOf(std::string_view cell) {
  if (cell == "true" || cell == "True") return {1};
  if (cell == "false" || cell == "False") return {0};
  std::vector<double> numbers;
  bool is_good = true;
  ForEachWord(cell, [&](std::string_view word) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    is_good = error == std::errc() && end == word.data() + word.size();
    numbers.push_back(value);
    return is_good;
  });
  return is_good ? numbers : std::vector<double>();
}

struct ForeignColumn {
  std::string name;
  std::size_t count = 0;  ///< of numbers in each cell; 0: it is left out
  std::vector<double> values;
};

}  // namespace

std::optional<ResultTable> LoadForeignCsv(const std::filesystem::path& file, Diagnostics& diagnostics) {
  return ReadForeignCsv(ReadTextFile(file, "CSV"), file.string(), diagnostics);
}

std::optional<ResultTable> ReadForeignCsv(const TextResult& text, const std::string& shown,
                                          Diagnostics& diagnostics) {
  const auto name = std::make_shared<const std::string>(shown);
  if (!text.fault.empty()) {
    diagnostics.Error({name, 0}, {}, text.fault);
    return std::nullopt;
  }
  std::vector<ForeignColumn> columns;
  ResultTable table;
  std::string_view rest = text.text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  for (int line = 1; !rest.empty(); ++line) {
    std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), row.size() + 1));
    if (row.ends_with('\r')) row.remove_suffix(1);
    if (Trim(row).empty()) continue;
    const std::vector<std::string> cells = SplitCsvLine(row);
    if (columns.empty()) {
      for (const std::string& cell : cells) columns.push_back({std::string(Trim(cell)), 0, {}});
      continue;
    }
    const std::vector<double> time = NumbersOf(Trim(cells.front()));
    const bool has_time = time.size() == 1 && std::isfinite(time.front()) &&
                          (table.time.empty() || time.front() >= table.time.back());
    if (cells.size() != columns.size() || !has_time) {
      diagnostics.Error({name, line}, {},
                        has_time
                            ? fmt::format("{} cells, but the first line has {}; give each row as many",
                                          cells.size(), columns.size())
                            : "the first cell is not a time that follows the one before; the first column is "
                              "the time, which may not fall");
      return std::nullopt;
    }
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const std::vector<double> numbers = NumbersOf(Trim(cells[i]));
      if (table.time.empty()) columns[i].count = numbers.size();
      if (numbers.size() != columns[i].count) columns[i].count = 0;
      if (columns[i].count > 0)
        columns[i].values.insert(columns[i].values.end(), numbers.begin(), numbers.end());
    }
    table.time.push_back(time.front());
  }
  if (table.time.empty()) {
    diagnostics.Error({name, 1}, {}, "it has no row; the first line has the names, the others the values");
    return std::nullopt;
  }
  for (std::size_t i = 1; i < columns.size(); ++i) {
    const ForeignColumn& column = columns[i];
    for (std::size_t k = 0; k < column.count; ++k) {
      table.names.push_back(column.count == 1 ? column.name : fmt::format("{}[{}]", column.name, k + 1));
      std::vector<double>& values = table.columns.emplace_back();
      for (std::size_t row = 0; row < table.time.size(); ++row)
        values.push_back(column.values[row * column.count + k]);
    }
  }
  table.units.resize(table.names.size());
  return table;
}

}  // namespace davit
