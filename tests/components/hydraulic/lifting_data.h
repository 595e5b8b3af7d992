#pragma once

#include <numbers>

namespace davit {

/// The oil of the lifting system.
inline constexpr double kRho = 861.8;   ///< density [kg/m3]
inline constexpr double kNu = 32e-6;    ///< kinematic viscosity [m2/s]
inline constexpr double kBeta = 1.6e9;  ///< bulk modulus [Pa]

/// Its cylinder, bore 283 mm and rod 141 mm [m2].
inline constexpr double kPistonArea = std::numbers::pi / 4 * 0.283 * 0.283;
inline constexpr double kRingArea = kPistonArea - std::numbers::pi / 4 * 0.141 * 0.141;

}  // namespace davit
