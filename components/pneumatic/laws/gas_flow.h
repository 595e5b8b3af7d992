#pragma once

#include "components/hydraulic/laws/solve_restriction.h"
#include "components/pneumatic/laws/sonic_conductance.h"
#include "framework/domains/pneumatic.h"

namespace davit::pneumatic {

/// The gas at one end of a restriction.
struct GasEnd {
  double p;  ///< absolute [Pa]
  double T;  ///< [K]
};

/// Mass flow [kg/s] from a to b: `forward` is the law from a to b, `back` that from b to a.
inline double MassFlow(const SonicConductance& forward, const SonicConductance& back, const GasEnd& a,
                       const GasEnd& b) {
  return a.p >= b.p ? forward.Flow(a.p, a.T, b.p) : -back.Flow(b.p, b.T, a.p);
}

/// Mass flow [kg/s] from the bond a to the bond b, by a law G(GasEnd at a, GasEnd at b) that does not fall
/// with p_a, does not rise with p_b, and is 0 where both are equal. Between waves p = c + Zc*G it is solved
/// along.
template <class Law>
double FlowBetweenBonds(const PneumaticBond& a, const PneumaticBond& b, const Law& law) {
  const double Zs = a.Zc + b.Zc;
  const double p_a = std::max(0.0, a.c), p_b = std::max(0.0, b.c);
  if (!(Zs > 0)) return law(GasEnd{p_a, a.T}, GasEnd{p_b, b.T});
  const double dc = a.c - b.c;
  const auto by_drop = [&](double dp) {
    const double G = (dc - dp) / Zs;
    return law(GasEnd{std::max(0.0, a.c - a.Zc * G), a.T}, GasEnd{std::max(0.0, b.c + b.Zc * G), b.T});
  };
  return SolveRestriction(dc, Zs, [&](double dp) { return WithQuotient(by_drop, dp); });
}

/// Lets G [kg/s] flow from a to b: it carries the temperature of where it comes from.
inline void Pass(double G, PneumaticBond& a, PneumaticBond& b) {
  const double H = G * Air::kCp * (G >= 0 ? a.T : b.T);
  a.G = -G;
  a.H = -H;
  b.G = G;
  b.H = H;
}

}  // namespace davit::pneumatic
