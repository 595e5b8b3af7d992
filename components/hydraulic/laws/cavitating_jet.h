#pragma once

#include <algorithm>

#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/vapour_cavity.h"
#include "simulator/building_blocks/laminar_turbulent_flow.h"

namespace davit {

/// Area of the jet behind a sharp edge over that of the opening, as Nurick measured it.
inline constexpr double kJetContraction = 0.61;

/// The most that flows through an opening, when its jet cavitates: q = 0.61 A sqrt(2 (P1 - Pv)/rho), P1 and
/// Pv absolute (W. H. Nurick, 1976; D. P. Schmidt, M. L. Corradini, 1997, as a discharge coefficient
/// Cd = min(0.84, 0.61 sqrt((P1 - Pv)/(P1 - P2)))). It does not depend on P2.
class CavitatingJet {
 public:
  CavitatingJet() = default;
  /// A [m2], rho [kg/m3], the gauge pressure of vapour [Pa].
  CavitatingJet(double A, double rho, double p_vapour)
      : CavitatingJet(OrificeCoefficient(kJetContraction, A, rho), p_vapour) {}
  /// The coefficient of the jet, 0.61 A sqrt(2/rho) [m3/s/sqrt(Pa)], the gauge pressure of vapour [Pa].
  CavitatingJet(double K, double p_vapour) : loss_(K * K > 0 ? 1 / (K * K) : 0), p_vapour_(p_vapour) {}

  /// [m3/s] from a side that offers p = c - Zc q; 0 where that is not above the pressure of vapour.
  double Flow(const PortWave& from) const {
    const double above_vapour = from.c - p_vapour_;
    if (!(above_vapour > 0) || !(loss_ > 0)) return 0;
    return building_blocks::LaminarTurbulentFlow(0, loss_, above_vapour, from.Zc);
  }
  /// What it leaves of a flow from a to b that the law of an opening gives. Law and limit both fall where the
  /// flow lowers the pressures, so the smaller of both solutions holds.
  double Limit(double q, const PortWave& a, const PortWave& b) const {
    return q >= 0 ? std::min(q, Flow(a)) : -std::min(-q, Flow(b));
  }

 private:
  double loss_ = 0;      // (P1 - Pv)/q^2 [Pa s2/m6]
  double p_vapour_ = 0;  // [Pa]
};

}  // namespace davit
