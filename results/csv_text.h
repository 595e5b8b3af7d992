#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// `text` as one cell of CSV: in quotes, as RFC 4180 writes them, only if it has a comma or a quote.
std::string CsvCell(std::string_view text);

inline constexpr std::size_t kLongestCsvNumber = 24;  ///< -1.2345678901234567e-308

/// What printf("%.17g") writes, but `nan` for each NaN. Returns the end of the text. Pre: there is room for
/// kLongestCsvNumber.
char* WriteCsvNumber(char* begin, double value);

/// The cells of one line, without their quotes. A quote that is not closed reaches to the end of the line.
std::vector<std::string> SplitCsvLine(std::string_view line);

}  // namespace davit
