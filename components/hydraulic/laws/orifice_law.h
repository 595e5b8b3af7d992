#pragma once

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/solve_restriction.h"

namespace davit {

/// Pressure difference [Pa] below which an orifice is rather linear than quadratic.
inline constexpr double kOrificeLinearPressure = 1e4;

/// Turbulent flow q = K*sqrt(|dp|)*sign(dp) [m3/s], with a finite slope K/sqrt(d) at dp = 0:
///   q = K*dp/(dp^2 + d^2)^(1/4),  d = kOrificeLinearPressure.
/// K [m3/s/sqrt(Pa)], dp [Pa]. At dp = 5 bar it is 1e-4 (relative) below the square root law.
inline double OrificeFlow(double K, double dp) {
  constexpr double d = kOrificeLinearPressure;
  return K * dp / std::sqrt(std::sqrt(dp * dp + d * d));
}

/// The same with its slope dq/ddp = K*(dp^2/2 + d^2)/(dp^2 + d^2)^(5/4).
inline FlowAndSlope OrificeFlowAndSlope(double K, double dp) {
  constexpr double d = kOrificeLinearPressure;
  const double square = dp * dp + d * d;
  const double K_s = K / std::sqrt(std::sqrt(square));
  return {K_s * dp, K_s * (dp * dp / 2 + d * d) / square};
}

/// sqrt(d) = s at dp = 0, for s below.
inline constexpr double kOrificeSmallestRoot = 100;
static_assert(kOrificeSmallestRoot * kOrificeSmallestRoot == kOrificeLinearPressure);

/// About s = (dp^2 + d^2)^(1/4) of an orifice between two waves, with Z = K*(Zc1 + Zc2) and dc = c1 - c2: at
/// most a quarter below it, and close for dp >> d.
inline double OrificeRootEstimate(double Z, double dc) {
  const double drive = std::abs(dc);
  return std::max(kOrificeSmallestRoot, 2 * drive / (Z + std::sqrt(Z * Z + 4 * drive)));
}

/// The Newton step H/H' of OrificeFlow between waves, to be subtracted from s. `Number` is a double, or
/// several that are computed at once, which are not passed by value: that depends on the processor.
template <class Number>
[[gnu::always_inline]] inline void OrificeRootStep(const Number& s, const Number& Z, const Number& dc,
                                                   Number& step) {
  constexpr double d = kOrificeLinearPressure;
  const Number per_s = 1.0 / s;
  const Number per_sum = 1.0 / (s + Z);
  const Number laminar = d * per_s * (d * per_s);
  const Number driven = dc * per_sum * (dc * per_sum);
  step = (s * s - laminar - driven) / (2.0 * (s + laminar * per_s + driven * per_sum));
}

/// Where the iterations end: a relative step, which the next one would square.
inline constexpr double kOrificeRootTolerance = 1e-8;
inline constexpr int kMostOrificeIterations = 8;

/// The same orifice between two waves: q = OrificeFlow(K, dp) and dp = dc - Zs*q hold together, to rounding.
/// dc = c1 - c2 [Pa], Zs = Zc1 + Zc2 >= 0 [Pa s/m3]. Without impedances dp = dc.
///
/// With s = (dp^2 + d^2)^(1/4) and Z = K*Zs, q = K*dc/(s + Z), where s is the one root of
///   H(s) = s^2 - (d/s)^2 - (dc/(s + Z))^2.
/// H grows with s. Newton iterations begin at the larger of sqrt(d) and the root for d = 0. Each squares the
/// relative error: two are mostly enough for dp > 5 bar, six always. Nothing is remembered from call to call,
/// so the result depends on the arguments alone.
inline double OrificeFlow(double K, double dc, double Zs) {
  if (!(Zs > 0)) return OrificeFlow(K, dc);
  const double Z = K * Zs;
  double s = OrificeRootEstimate(Z, dc);
  for (int iteration = 0; iteration < kMostOrificeIterations; ++iteration) {
    double step = 0;
    OrificeRootStep(s, Z, dc, step);
    s -= step;
    if (std::abs(step) <= kOrificeRootTolerance * s) break;
  }
  return K * dc / (s + Z);
}

/// K of a geometric area A [m2] with discharge coefficient Cd in oil of density rho [kg/m3].
inline double OrificeCoefficient(double Cd, double A, double rho) { return Cd * A * std::sqrt(2 / rho); }

/// K of an opening that lets q_nominal [m3/s] pass at dp_nominal [Pa]. The discharge coefficient is inside.
inline double NominalOrificeCoefficient(double q_nominal, double dp_nominal) {
  return q_nominal / std::sqrt(dp_nominal);
}

/// An opening between 0 (shut) and 1 (full).
inline double Clip(double s) { return std::clamp(s, 0.0, 1.0); }

}  // namespace davit
