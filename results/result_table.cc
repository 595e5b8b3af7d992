#include "results/result_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "framework/counted.h"
#include "framework/nearest_name.h"
#include "results/csv_text.h"
#include "results/csv_writer.h"
#include "results/line_reader.h"
#include "results/option_names.h"

namespace davit {
namespace {

constexpr std::size_t kMostFaults = 20;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
}

bool IsBlank(std::string_view line) { return Trim(line).empty(); }

std::optional<double> FindNumber(std::string_view cell) {
  cell = Trim(cell);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

/// Reads one file; the table is complete when no fault was reported.
class CsvLoader {
 public:
  CsvLoader(const std::filesystem::path& path, Diagnostics& diagnostics)
      : path_(path), file_(std::make_shared<const std::string>(path.string())), diagnostics_(diagnostics) {}

  std::optional<ResultTable> Load() {
    LineReader reader(path_);
    if (LoadHeader(reader)) LoadRows(reader);
    if (!reader.fault().empty()) Error(reader.line(), reader.fault());
    if (fault_count_ == 0) LoadUnits();
    if (fault_count_ > 0) return std::nullopt;
    return std::move(table_);
  }

 private:
  void Error(int line, std::string_view message) {
    ++fault_count_;
    diagnostics_.Error({file_, line}, "", message);
  }

  bool LoadHeader(LineReader& reader) {
    std::optional<std::string_view> line = reader.Next();
    while (line && IsBlank(*line)) line = reader.Next();
    if (!line) {
      if (reader.fault().empty())
        Error(0, "the file is empty; a result begins with the line time,path,path...");
      return false;
    }
    if (line->starts_with(kByteOrderMark)) line->remove_prefix(kByteOrderMark.size());
    for (const std::string& cell : SplitCsvLine(*line)) table_.names.emplace_back(Trim(cell));
    CheckHeader(reader);
    if (fault_count_ > 0) return false;
    table_.names.erase(table_.names.begin());
    table_.columns.resize(table_.names.size());
    table_.units.resize(table_.names.size());
    table_.options.resize(table_.names.size());
    row_.resize(table_.names.size() + 1);
    return true;
  }

  void CheckHeader(const LineReader& reader) {
    const std::string& first = table_.names.front();
    if (reader.is_cut_off()) {
      Error(reader.line(), "the file ends within its header; run the simulation again");
    } else if (std::ranges::all_of(table_.names,
                                   [](const auto& name) { return FindNumber(name).has_value(); })) {
      Error(reader.line(), "the header is missing; the first line must name the columns: time,path,path...");
    } else if (first != "time") {
      Error(reader.line(),
            fmt::format("the first column is {}; it must have the heading time, without a unit, and "
                        "contain seconds",
                        Quoted(first)));
    } else {
      CheckNames(reader.line());
    }
  }

  void CheckNames(int line) {
    std::unordered_map<std::string_view, std::size_t> positions;
    for (std::size_t i = 0; i < table_.names.size() && fault_count_ < kMostFaults; ++i) {
      const std::string& name = table_.names[i];
      const auto [other, is_new] = positions.try_emplace(name, i);
      if (name.empty()) {
        Error(line, fmt::format("column {} has no name; give it one or remove it", i + 1));
      } else if (!is_new) {
        Error(line,
              fmt::format("columns {} and {} are both {}; keep one", other->second + 1, i + 1, Quoted(name)));
      }
    }
  }

  void LoadRows(LineReader& reader) {
    while (const std::optional<std::string_view> line = reader.Next()) {
      if (IsBlank(*line)) continue;
      if (reader.is_cut_off()) {
        diagnostics_.Warning({file_, reader.line()}, "",
                             "the last line has no line end, so it may be cut off; it is ignored");
        return;
      }
      LoadRow(*line, reader.line());
      if (fault_count_ >= kMostFaults) return Error(0, "too many errors; the rest of the file is not read");
      if (table_.time.size() * row_.size() > kMostResultValues) {
        return Error(reader.line(),
                     "the file has more than 2^28 values; record fewer signals or a longer interval");
      }
    }
  }

  void LoadRow(std::string_view line, int number) {
    const auto cell_count = static_cast<std::size_t>(std::ranges::count(line, ',')) + 1;
    if (cell_count != row_.size()) {
      return Error(number, fmt::format("{}, but the header has {}; remove the line or complete it",
                                       Counted(cell_count, "cell"), row_.size()));
    }
    for (std::size_t i = 0; i < row_.size(); ++i) {
      const std::string_view cell = line.substr(0, line.find(','));
      line.remove_prefix(std::min(cell.size() + 1, line.size()));
      const bool is_missing = i > 0 && IsBlank(cell);
      const std::optional<double> value =
          is_missing ? std::numeric_limits<double>::quiet_NaN() : FindNumber(cell);
      if (!value) {
        return Error(number, fmt::format("{}: {} is not a number; write for example 1.5e-3{}",
                                         i == 0 ? "time" : table_.names[i - 1], Quoted(Trim(cell)),
                                         i == 0 ? "" : ", or leave the cell empty if there is none"));
      }
      row_[i] = *value;
    }
    if (!std::isfinite(row_[0])) return Error(number, "the time is not finite; remove the line");
    if (row_[0] < last_time_) {
      return Error(number,
                   fmt::format("the time falls from {} to {}; sort the lines by time", last_time_, row_[0]));
    }
    last_time_ = row_[0];
    table_.time.push_back(row_[0]);
    for (std::size_t i = 0; i < table_.columns.size(); ++i) table_.columns[i].push_back(row_[i + 1]);
  }

  /// Each fault is an error: values without their unit are wrong.
  void LoadUnits() {
    const std::filesystem::path path = UnitsFileOf(path_);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return;
    file_ = std::make_shared<const std::string>(path.string());
    std::unordered_map<std::string_view, std::size_t> positions;
    for (std::size_t i = 0; i < table_.names.size(); ++i) positions.emplace(table_.names[i], i);
    std::vector<int> lines(table_.names.size(), 0);  // that name them
    LineReader reader(path);
    while (const std::optional<std::string_view> line = reader.Next()) {
      const bool is_header = reader.line() == 1 && (*line == "path,unit" || *line == "path,unit,options");
      if (is_header || IsBlank(*line)) continue;
      if (fault_count_ >= kMostFaults) return Error(0, "too many errors; the rest of the file is not read");
      const std::vector<std::string> cells = SplitCsvLine(*line);
      if (cells.size() != 2 && cells.size() != 3) {
        Error(reader.line(), Counted(cells.size(), "cell") + "; write path,unit or path,unit,options");
        continue;
      }
      const auto found = positions.find(cells[0]);
      if (found == positions.end()) continue;
      const std::size_t i = found->second;
      if (lines[i] != 0) {
        Error(reader.line(),
              fmt::format("{}: line {} has its unit already; keep one of them", cells[0], lines[i]));
        continue;
      }
      lines[i] = reader.line();
      table_.units[i] = Trim(cells[1]);
      if (cells.size() == 3) table_.options[i] = SplitOptions(Trim(cells[2]));
      if (const std::string fault = FaultOfOptions(table_.options[i], table_.columns[i]); !fault.empty())
        Error(reader.line(), fmt::format("{}: {}", cells[0], fault));
    }
    if (!reader.fault().empty()) Error(reader.line(), reader.fault());
  }

  const std::filesystem::path path_;
  std::shared_ptr<const std::string> file_;  // that is being read
  Diagnostics& diagnostics_;
  ResultTable table_;
  std::vector<double> row_;  // time first
  double last_time_ = -std::numeric_limits<double>::infinity();
  std::size_t fault_count_ = 0;
};

}  // namespace

std::optional<ResultTable> LoadCsv(const std::filesystem::path& path, Diagnostics& diagnostics) {
  return CsvLoader(path, diagnostics).Load();
}

}  // namespace davit
