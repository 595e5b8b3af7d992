#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

#include "framework/range.h"
#include "framework/text.h"

namespace davit {

/// The numbers of a load that are attributes of its element and then parameters.
enum class LoadNumber : std::size_t {
  kMass,
  kStiffness,
  kDampingRatio,
  kSwingDampingRatio,
  kHookMass,
  kLeastLength,
  kReleaseTension,
  kReleaseResistance,
  kDeckHeight,
  kDeckStiffness,
  kDeckDampingRatio,
  kDeckFriction,
  kDragArea,
  kAirDensity,
  kVolume,
  kBodyHeight,
  kAddedMass,
  kCount,
};

struct LoadNumberKind {
  Text name;
  Text unit;
  Text text;
  double value;  ///< where the element has no such attribute
  Range range;
};

/// In the order of LoadNumber.
inline constexpr std::array<LoadNumberKind, static_cast<std::size_t>(LoadNumber::kCount)> kLoadNumbers{{
    {"mass", "kg", "Mass", 0, kNonNegative},
    {"stiffness", "N", "Stiffness EA of the wire", 6e7, kPositive},
    {"damping_ratio", "", "Damping ratio of the load bouncing on the wire", 0.02, kNonNegative},
    {"swing_damping_ratio", "", "Damping ratio of the load swinging (0.002 to 0.02 usual)", 0, kNonNegative},
    {"hook_mass", "kg", "Least mass on the wire: that of the hook", 1, kPositive},
    {"least_length", "m", "Length of wire at which the winch cannot haul in any more", 0.5, kPositive},
    {"release_tension", "N", "Pull above which a released winch slips", 0, kNonNegative},
    {"release_resistance", "N.s/m", "Additional pull per speed of a released winch", 2e4, kPositive},
    {"deck_height", "m", "Height of the deck on which a load on a wire is set down; default: none",
     -std::numeric_limits<double>::infinity(), kAny},
    {"deck_stiffness", "N/m", "Stiffness of the deck under the load", 1e7, kPositive},
    {"deck_damping_ratio", "", "Damping ratio of the load on the deck", 0.5, kNonNegative},
    {"deck_friction", "", "Coefficient of friction on the deck", 0.5, kNonNegative},
    {"drag_area", "m2", "Drag coefficient times area", 5, kNonNegative},
    {"air_density", "kg/m3", "Density of the air", 1.225, kNonNegative},
    {"volume", "m3", "Volume of the water that it displaces; 0: no water acts on it", 0, kNonNegative},
    {"body_height", "m", "Height of the load, from its lowest point", 2, kPositive},
    {"added_mass", "kg", "Added mass of the submerged load, in all directions", 0, kNonNegative},
}};

}  // namespace davit
