#include "framework/range.h"

#include <fmt/format.h>

#include <cmath>

namespace davit {

std::string ToText(const Range& range, std::string_view unit) {
  const bool has_low = range.low_open || !std::isinf(range.low);
  const bool has_high = range.high_open || !std::isinf(range.high);
  if (!has_low && !has_high) return "any";

  std::string text;
  if (has_low && has_high && !range.low_open && !range.high_open) {
    text = fmt::format("{} .. {}", range.low, range.high);
  } else {
    if (has_low) text += fmt::format("{} {}", range.low_open ? ">" : ">=", range.low);
    if (has_low && has_high) text += " and ";
    if (has_high) text += fmt::format("{} {}", range.high_open ? "<" : "<=", range.high);
  }
  const bool is_dimensionless = unit.empty() || unit == "-" || unit == "1";
  if (!is_dimensionless) text.append(" ").append(unit);
  return text;
}

}  // namespace davit
