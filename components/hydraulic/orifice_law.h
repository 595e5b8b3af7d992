#pragma once

#include <algorithm>
#include <cmath>

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

/// K of a geometric area A [m2] with discharge coefficient Cd in oil of density rho [kg/m3].
inline double OrificeCoefficient(double Cd, double A, double rho) { return Cd * A * std::sqrt(2 / rho); }

/// K of an opening that lets q_nominal [m3/s] pass at dp_nominal [Pa]. The discharge coefficient is inside.
inline double NominalOrificeCoefficient(double q_nominal, double dp_nominal) {
  return q_nominal / std::sqrt(dp_nominal);
}

/// An opening between 0 (shut) and 1 (full).
inline double Clip(double s) { return std::clamp(s, 0.0, 1.0); }

}  // namespace davit
