#pragma once

#include <limits>
#include <numbers>

namespace davit {

/// Numbers that many tests ask with.
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kPi = std::numbers::pi;

}  // namespace davit
