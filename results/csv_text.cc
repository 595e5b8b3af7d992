#include "results/csv_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "framework/escape.h"

namespace davit {

std::string CsvCell(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos) return std::string(text);
  return '"' + Escape(text, {{'"', "\"\""}}) + '"';
}

char* WriteCsvNumber(char* begin, double value) {
  char* const end = begin + kLongestCsvNumber;
  if (std::isnan(value)) return std::copy_n("nan", 3, begin);
  // Levels, modes and zeros are whole numbers, which are written five times as fast.
  constexpr int kDigits = 17;
  constexpr double kPlainWhole = 1e15;
  if (value == std::trunc(value) && std::abs(value) < kPlainWhole && !(value == 0 && std::signbit(value))) {
    return std::to_chars(begin, end, static_cast<std::int64_t>(value)).ptr;
  }
  return std::to_chars(begin, end, value, std::chars_format::general, kDigits).ptr;
}

std::vector<std::string> SplitCsvLine(std::string_view line) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (is_quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"' && (is_quoted || cells.back().empty())) {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace davit
