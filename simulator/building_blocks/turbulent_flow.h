#pragma once

#include <cassert>
#include <cmath>

namespace davit::building_blocks {

/// Flow q [m3/s] from port 1 to port 2 through a turbulent orifice between two waves, in closed form:
///   q = Ks sign(p1 - p2) sqrt|p1 - p2|,  p1 = c1 - Zc1 q,  p2 = c2 + Zc2 q
/// (the flow into the C components is -q at port 1 and +q at port 2). With Z = Zc1 + Zc2 and dc = c1 - c2,
/// the root of q|q| + Ks^2 Z q - Ks^2 dc = 0 that has the sign of dc, without the difference of two large
/// numbers:
///   q = 2 Ks dc/(Ks Z + sqrt((Ks Z)^2 + 4 |dc|)).
/// It is finite for Z = 0 (the plain law with p = c), Ks = 0 and dc = 0. For Z = 0 the slope at dc = 0 is
/// infinite: use a law with a laminar part where a solver with error control reads it.
///
/// Ks = Cd A sqrt(2/rho) [m3/s/sqrt(Pa)], c [Pa], Zc [Pa.s/m3]. Pre: Ks >= 0, Zc >= 0.
/// Source: Hopsan's turbulent orifice, rearranged.
inline double TurbulentFlow(double Ks, double c1, double c2, double Zc1, double Zc2) {
  assert(!(Ks < 0) && !(Zc1 < 0) && !(Zc2 < 0));
  const double dc = c1 - c2;
  if (dc == 0) return 0;
  const double KsZ = Ks * (Zc1 + Zc2);
  return 2 * Ks * dc / (KsZ + std::sqrt(KsZ * KsZ + 4 * std::abs(dc)));
}

}  // namespace davit::building_blocks
