#pragma once

#include <cassert>
#include <cmath>

namespace davit::building_blocks {

/// Flow q [m3/s] through a restriction with a laminar and a turbulent part between two waves, in closed form:
///   dp = a q + b q|q|,  dp = dc - Zs q.
/// dc = c1 - c2 [Pa] is the difference of the waves, Zs = Zc1 + Zc2 [Pa.s/m3] the sum of the impedances; Zs =
/// 0 is the plain law with dp = dc. With A = a + Zs, the root of b q|q| + A q - dc = 0 without the difference
/// of two large numbers:
///   q = 2 dc/(A + sqrt(A^2 + 4 b |dc|)).
///
/// a [Pa.s/m3], b [Pa.s2/m6]. Pre: a, b, Zs >= 0, and not all of them 0.
inline double LaminarTurbulentFlow(double a, double b, double dc, double Zs) {
  assert(!(a < 0) && !(b < 0) && !(Zs < 0));
  assert(a + b + Zs != 0);
  if (dc == 0) return 0;
  const double half = (a + Zs) / 2;  // so that no dc overflows
  return dc / (half + std::sqrt(half * half + b * std::abs(dc)));
}

}  // namespace davit::building_blocks
