#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace davit {

/// Products of prefixes and powers leave the last bit to chance. A scale within 4 roundings of a number with
/// few decimal digits is that number.
inline double RoundToShortDecimal(double value) {
  constexpr int kDigits = 12;
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value,
                                          std::chars_format::scientific, kDigits - 1);
  double decimal = 0;
  if (error != std::errc() || std::from_chars(text.data(), end, decimal).ec != std::errc()) return value;
  const double tolerance = 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
  return std::abs(decimal - value) <= tolerance ? decimal : value;
}

}  // namespace davit
