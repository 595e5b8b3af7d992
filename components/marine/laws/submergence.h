#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace davit {

/// Outline of a body that sinks into water.
enum class SubmergedShape : std::uint8_t { kBox, kSphere, kCylinder };
inline constexpr std::array<std::string_view, 3> kSubmergedShapeNames{"Box", "Sphere", "Cylinder"};

/// Which part of the volume is in the water, and its derivative.
struct Submergence {
  double fraction = 0;  ///< 0 to 1
  double slope = 0;     ///< of the fraction over the depth, in units of the height; 0 outside
};

/// `r` is the wetted part of the height. A cylinder lies.
inline Submergence SubmergenceOf(SubmergedShape shape, double r) {
  if (!(r > 0)) return {0, 0};
  if (r >= 1) return {1, 0};
  switch (shape) {
    case SubmergedShape::kBox: break;
    case SubmergedShape::kSphere: return {r * r * (3 - 2 * r), 6 * r * (1 - r)};
    case SubmergedShape::kCylinder: {
      const double chord = std::sqrt(r * (1 - r));
      return {(std::acos(1 - 2 * r) - 2 * (1 - 2 * r) * chord) / std::numbers::pi,
              8 / std::numbers::pi * chord};
    }
  }
  return {r, 1};
}

}  // namespace davit
