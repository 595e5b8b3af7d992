#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace davit {

/// The values a number may have, in SI: an interval whose ends belong to it unless they are open.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  /// NaN lies in no range.
  constexpr bool Contains(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }

  friend bool operator==(const Range&, const Range&) = default;
};

inline constexpr Range kAny{};
inline constexpr Range kPositive{.low = 0, .low_open = true};
inline constexpr Range kNonNegative{.low = 0};
inline constexpr Range kUnitInterval{.low = 0, .high = 1};
inline constexpr Range kPlusMinusOne{.low = -1, .high = 1};

/// The range as a user reads it. Examples: `> 0 m`, `>= 0`, `0 .. 1`, `> 0 and <= 1 m`, `any`. The unit is
/// left out where it is empty, `-` or `1`.
std::string ToText(const Range& range, std::string_view unit);

}  // namespace davit
