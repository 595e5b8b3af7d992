#pragma once

#include <algorithm>
#include <cmath>

namespace davit {

/// Area of the jet behind a sharp edge over that of the opening, as Nurick measured it.
inline constexpr double kJetContraction = 0.61;

/// Discharge coefficient of an orifice whose jet may cavitate (W. H. Nurick, 1976; D. P. Schmidt, M. L.
/// Corradini, 1997):
///   Cd = min(0.84, 0.61 sqrt((P1 - Pv)/(P1 - P2))).
/// Where the second holds the flow no longer depends on P2: q = 0.61 A sqrt(2 (P1 - Pv)/rho).
///
/// Absolute pressures [Pa]: P1 before the orifice, P2 behind it, Pv of vapour. 0 where P1 itself is not above
/// Pv; 0.84 where nothing drives the flow, P2 >= P1.
inline double CavitatingDischargeCoefficient(double P1, double P2, double Pv) {
  constexpr double kFlowing = 0.84;
  const double drop = P1 - P2;
  if (!(drop > 0)) return kFlowing;
  return std::min(kFlowing, kJetContraction * std::sqrt(std::max(P1 - Pv, 0.0) / drop));
}

}  // namespace davit
