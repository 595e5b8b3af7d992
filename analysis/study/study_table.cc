#include "analysis/study/study_table.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "analysis/study/study_text.h"
#include "results/csv_text.h"
#include "results/csv_writer.h"
#include "results/line_reader.h"

namespace davit {
namespace {

/// Without the last cell, the time it took.
std::string_view WithoutTime(std::string_view row) { return row.substr(0, row.rfind(',')); }

std::optional<std::uint64_t> NumberOf(std::string_view row) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(row.data(), row.data() + row.size(), number);
  if (error != std::errc() || end == row.data() + row.size() || *end != ',') return std::nullopt;
  return number;
}

}  // namespace

std::vector<StudyColumn> StudyColumns(std::span<const VariedItem> items,
                                      std::span<const MeasureDefinition> measures,
                                      const std::vector<std::string>& units,
                                      const std::vector<std::string>& judged) {
  std::vector<StudyColumn> columns{{"case", "", true}};
  for (const VariedItem& item : items) columns.push_back({item.path, item.unit, item.is_number});
  for (std::size_t i = 0; i < measures.size(); ++i) columns.push_back({measures[i].name, units[i], true});
  for (const std::string& name : judged) columns.push_back({name, "", true});
  columns.push_back({"status", "", false});
  columns.push_back({"message", "", false});
  columns.push_back({"wall_s", "s", true});
  return columns;
}

std::string StudyRowBegin(std::uint64_t number, std::span<const CaseValue> values,
                          std::span<const VariedItem> items) {
  std::string row = fmt::format("{},", number);
  for (std::size_t i = 0; i < values.size(); ++i) row += CsvCell(ToText(values[i], items[i])) + ',';
  return row;
}

std::string StudyRow(std::uint64_t number, std::span<const CaseValue> values,
                     std::span<const VariedItem> items, const CaseResult& result) {
  std::string row = StudyRowBegin(number, values, items);
  for (const double value : result.measures) row += std::isnan(value) ? "nan," : fmt::format("{},", value);
  row += result.is_done ? "done," : "failed,";
  return row + CsvCell(result.message) + fmt::format(",{:.6f}", result.wall_s);
}

std::string StudyHead(const std::vector<StudyColumn>& columns) {
  std::string head;
  for (const StudyColumn& column : columns) head += (head.empty() ? "" : ",") + CsvCell(column.name);
  return head;
}

std::vector<StudyColumnValues> ValuesOfRows(const std::vector<StudyColumn>& columns,
                                            const std::map<std::uint64_t, std::string>& rows) {
  std::vector<StudyColumnValues> values(columns.size());
  for (const auto& [number, row] : rows) {
    std::vector<std::string> cells = SplitCsvLine(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!columns[i].is_number) {
        values[i].texts.push_back(std::move(cells[i]));
        continue;
      }
      double value = std::numeric_limits<double>::quiet_NaN();
      ParseLeadingNumber(cells[i], value);
      values[i].numbers.push_back(value);
    }
  }
  return values;
}

void WriteStudyUnits(const std::filesystem::path& table, const std::vector<StudyColumn>& columns) {
  std::string text = "path,unit\n";
  for (const StudyColumn& column : columns) {
    if (column.is_number && column.name != "case")
      text += CsvCell(column.name) + ',' + CsvCell(column.unit) + '\n';
  }
  OutputFile file(UnitsFileOf(table));
  file.Write(text);
  file.Close();
}

StudyTable::StudyTable(const std::filesystem::path& file, const std::vector<StudyColumn>& columns,
                       std::map<std::uint64_t, std::string> rows, std::span<const std::uint64_t> numbers)
    : path_(file),
      head_(StudyHead(columns)),
      rows_(std::move(rows)),
      numbers_(numbers.begin(), numbers.end()) {
  if (file.empty()) return;
  // What is there already is replaced at once: a crash meanwhile loses neither.
  std::error_code ignored;
  if (!rows_.empty() && std::filesystem::is_regular_file(file, ignored)) {
    std::filesystem::path other = path_;
    other += ".new";
    file_ = std::make_unique<OutputFile>(other);
    file_->Write(Text());
    std::filesystem::rename(other, path_);
  } else {
    file_ = std::make_unique<OutputFile>(path_);
    file_->Write(Text());
  }
  if (file_->is_regular()) WriteStudyUnits(path_, columns);
}

std::string StudyTable::Text() const {
  std::string text = head_ + '\n';
  for (const auto& [number, row] : rows_) text += row + '\n';
  return text;
}

void StudyTable::Expect(std::span<const std::uint64_t> numbers) {
  numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
}

void StudyTable::Add(std::uint64_t number, std::string row) {
  if (!rows_.empty() && number <= rows_.rbegin()->first) is_ordered_ = false;
  const auto place = rows_.insert_or_assign(number, std::move(row)).first;
  if (file_ == nullptr) return;
  if (file_->is_regular()) return file_->Write(place->second + '\n');
  for (; next_ < numbers_.size() && rows_.contains(numbers_[next_]); ++next_)
    file_->Write(rows_.at(numbers_[next_]) + '\n');
}

void StudyTable::EndAt(std::uint64_t last) {
  const auto beyond = rows_.upper_bound(last);
  if (beyond == rows_.end()) return;
  rows_.erase(beyond, rows_.end());
  is_ordered_ = false;
}

void StudyTable::Finish() {
  if (file_ == nullptr) return;
  const bool is_regular = file_->is_regular();
  file_->Close();
  if (is_ordered_ || !is_regular) return;
  std::filesystem::path other = path_;
  other += ".new";
  OutputFile ordered(other);
  ordered.Write(Text());
  ordered.Close();
  std::filesystem::rename(other, path_);
  is_ordered_ = true;
}

StudyRows LoadStudyRows(const std::filesystem::path& file, std::string_view resume,
                        Diagnostics& diagnostics) {
  StudyRows table;
  LineReader reader(file);
  const auto name = std::make_shared<const std::string>(file.string());
  while (const std::optional<std::string_view> line = reader.Next()) {
    if (reader.is_cut_off()) break;  // by a crash
    if (table.head.empty()) {
      table.head = *line;
      table.columns = SplitCsvLine(*line);
      if (table.columns.front() == "case" && table.columns.back() == "wall_s") continue;
      diagnostics.Error({name, 1}, {},
                        "this is not a table of a study; name a file that davit sweep has written");
      return table;
    }
    const std::optional<std::uint64_t> number = NumberOf(*line);
    if (!number || SplitCsvLine(*line).size() != table.columns.size()) {
      diagnostics.Error(
          {name, reader.line()}, {},
          fmt::format("this is not a row of a study; remove the line, and its case runs again with {}",
                      resume));
      continue;
    }
    table.rows[*number] = *line;
  }
  if (!reader.fault().empty()) diagnostics.Error({name, 0}, {}, reader.fault());
  return table;
}

StudyRows JoinStudyRows(const std::vector<std::filesystem::path>& files, std::string_view resume,
                        Diagnostics& diagnostics) {
  StudyRows all;
  for (const std::filesystem::path& file : files) {
    StudyRows part = LoadStudyRows(file, resume, diagnostics);
    const auto name = std::make_shared<const std::string>(file.string());
    if (all.head.empty()) {
      all.head = part.head;
      all.columns = part.columns;
    } else if (part.head != all.head && !part.head.empty()) {
      diagnostics.Error(
          {name, 1}, {},
          fmt::format("the columns are not those of {}; join shards of one study", files.front().string()));
      continue;
    }
    for (auto& [number, row] : part.rows) {
      const auto [place, is_new] = all.rows.try_emplace(number, std::move(row));
      if (is_new || WithoutTime(place->second) == WithoutTime(row)) continue;
      diagnostics.Error(
          {name, 0}, {},
          fmt::format("case {} has another row than in a table before it; join shards of one study", number));
    }
  }
  return all;
}

MissingCases FindMissingCases(const StudyRows& table, std::optional<std::uint64_t> cases) {
  MissingCases missing;
  std::uint64_t expected = 1;
  const auto skip_to = [&](std::uint64_t number) {
    if (number > expected && missing.count == 0) missing.first = expected;
    if (number > expected) missing.count += number - expected;
  };
  for (const auto& [number, row] : table.rows) {
    skip_to(number);
    expected = number + 1;
  }
  if (cases) skip_to(*cases + 1);
  return missing;
}

}  // namespace davit
