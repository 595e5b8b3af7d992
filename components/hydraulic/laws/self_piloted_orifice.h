#pragma once

#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/vapour_cavity.h"

namespace davit {

/// Flow [m3/s] from a to b through an orifice that the pressures at its own ports open: q = r*OrificeFlow(K,
/// dp) with r = opening(p_a, p_b), 0 .. 1, between two waves [Pa, Pa s/m3]. K fully open [m3/s/sqrt(Pa)].
///
/// `opening` is limited to 0 .. 1 and linear in between. There is one solution where the valve is open at the
/// pressures without flow. If it is shut there, it stays shut, though a flow might hold it open.
template <class Opening>
double SelfPilotedFlow(double K, const PortWave& a, const PortWave& b, Opening&& opening) {
  const double dc = a.c - b.c;
  const double Zs = a.Zc + b.Zc;
  const double r = opening(a.c, b.c);
  if (!(r > 0)) return 0;
  if (!(Zs > 0)) return OrificeFlow(K * r, dc);
  const auto law = [&](double dp) {
    const double q = (dc - dp) / Zs;
    return OrificeFlow(K * opening(a.c - a.Zc * q, b.c + b.Zc * q), dp);
  };
  return SolveRestriction(dc, Zs, [&](double dp) { return WithQuotient(law, dp); });
}

}  // namespace davit
