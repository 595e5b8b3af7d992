#pragma once

#include <cmath>
#include <numbers>

namespace davit {

/// Area [m2] of a circle of the diameter d [m].
constexpr double CircleArea(double d) { return std::numbers::pi / 4 * d * d; }

/// Diameter [m] of a circle of the area A >= 0 [m2].
inline double CircleDiameter(double A) { return std::sqrt(4 * A / std::numbers::pi); }

}  // namespace davit
