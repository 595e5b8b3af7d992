#pragma once

#include <algorithm>
#include <cmath>

#include "framework/domains/pneumatic.h"
#include "framework/range.h"

namespace davit::pneumatic {

/// Of a critical pressure ratio.
inline constexpr Range kBelowOne{.low = 0, .high = 1, .high_open = true};

/// The flow of air through a restriction after ISO 6358-1.
///
/// From the pressure p1 and temperature T1 upstream to p2, r = p2/p1:
///   G = C rho0 p1 sqrt(T0/T1) psi(r),  psi = 1 up to r = b, then (1 - y^2)^m,  y = (r - b)/(1 - b).
/// The power has an infinite slope at r = 1. Instead psi = z ((1 + e^2)/(z^2 + e^2))^((1 - m)/2), z = 1 -
/// y^2: it is linear where z << e, smooth everywhere, and 1 when choked.
struct SonicConductance {
  double C = 0;    ///< [m3/s/Pa]
  double b = 0.3;  ///< critical pressure ratio, 0 .. below 1
  double m = 0.5;  ///< subsonic index, above 0

  /// e; z has this size where the pressure falls by 5e-4 (1 - b).
  static constexpr double kLinear = 1e-3;

  /// psi at the ratio r, 0 .. 1.
  double Share(double r) const {
    const double y = std::max(0.0, (r - b) / (1 - b));
    const double z = 1 - y * y;
    const double share = (1 + kLinear * kLinear) / (z * z + kLinear * kLinear);
    return z * (m == 0.5 ? std::sqrt(std::sqrt(share)) : std::pow(share, (1 - m) / 2));
  }
  /// Mass flow when choked [kg/s].
  double Choked(double p1, double T1) const {
    return C * Air::kReferenceDensity * p1 * std::sqrt(Air::kReferenceTemperature / T1);
  }
  /// Mass flow [kg/s]. Pre: p1 >= p2 >= 0, absolute.
  double Flow(double p1, double T1, double p2) const {
    if (!(p1 > 0)) return 0;
    return Choked(p1, T1) * Share(p2 / p1);
  }
  bool IsChoked(double p1, double p2) const { return p2 <= b * p1; }
  /// The same law with `share` of the conductance.
  SonicConductance Scaled(double share) const { return {C * share, b, m}; }
};

/// Elements one behind the other, by the rule of ISO 6358-3: 1/C^3 = sum(1/Ci^3),
/// 1 - b = C^2 sum((1 - bi)/Ci^2). Exact when all are equally choked; b is at least 0.
inline SonicConductance InSeries(const SonicConductance& one, const SonicConductance& other) {
  if (!(one.C > 0 && other.C > 0)) return {0, std::min(one.b, other.b), one.m};
  const double ratio = one.C / other.C;
  const double C = one.C / std::cbrt(1 + ratio * ratio * ratio);
  const double fall = (1 - one.b) / (one.C * one.C) + (1 - other.b) / (other.C * other.C);
  return {C, std::max(0.0, 1 - C * C * fall), one.m};
}

/// Elements side by side: C = sum(Ci), C/sqrt(1 - b) = sum(Ci/sqrt(1 - bi)).
inline SonicConductance InParallel(const SonicConductance& one, const SonicConductance& other) {
  const double C = one.C + other.C;
  if (!(C > 0)) return one;
  const double width = one.C / std::sqrt(1 - one.b) + other.C / std::sqrt(1 - other.b);
  return {C, 1 - (C / width) * (C / width), one.m};
}

}  // namespace davit::pneumatic
