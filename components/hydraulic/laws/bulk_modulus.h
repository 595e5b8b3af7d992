#pragma once

#include <algorithm>
#include <cmath>

namespace davit {

/// Effective bulk moduli [Pa] of oil with free air. P is absolute pressure [Pa]; pressures at ports are gauge
/// pressures, P = p + p_atm. Walls come on top: WithWall.

/// Absolute pressure [Pa] at the gauge pressure p. Not below that of vapour.
inline double AbsolutePressure(double p, double p_atm, double p_vapour) {
  return std::max(p + p_atm, p_vapour);
}

/// From measured constants of an oil: beta_e = P/(B p + C), p gauge. B = 1/beta [1/Pa] is the limit at high
/// pressure; C = B p_atm + Va/Vo belongs to the constant share Va/Vo of gas.
constexpr double BulkModulusOfConstants(double B, double C, double p, double p_atm) {
  return (p_atm + p) / (B * p + C);
}

/// Share of gas at P > 0 of what was free_air at p_atm, n polytropic exponent: free_air (p_atm/P)^(1/n).
inline double GasShare(double free_air, double P, double n, double p_atm) {
  return free_air * std::pow(p_atm / P, 1 / n);
}

/// Simple law: 1/beta_e = 1/beta + share/(n P), with the share Va/Vo of gas at P > 0 (GasShare).
constexpr double BulkModulusWithGas(double beta, double share, double n, double P) {
  return 1 / (1 / beta + share / (n * P));
}

/// Oil with air that is free at atmospheric pressure, as a mixture: of the volume 1 at p_atm are at P
///   l = (1 - a0) exp(-(P - p_atm)/beta) oil,  g = a0 (p_atm/P)^(1/n) air.
struct OilWithAir {
  double bulk_modulus = 1.6e9;       ///< beta of the oil [Pa]
  double free_air = 0;               ///< a0, share of the volume at p_atm, 0 .. 1
  double polytropic_exponent = 1.4;  ///< n: 1 slow (isothermal), 1.4 fast (adiabatic)
  double p_atm = 1e5;                ///< [Pa]

  /// V/V0 = l + g. P > 0.
  double RelativeVolume(double P) const { return Oil(P) + Air(P); }
  /// beta_e = -V dP/dV = (l + g)/(l/beta + g/(n P)). P > 0.
  double BulkModulus(double P) const {
    const double l = Oil(P), g = Air(P);
    return (l + g) / (l / bulk_modulus + g / (polytropic_exponent * P));
  }
  /// rho0/(l + g) [kg/m3], rho0 at p_atm. P > 0.
  double Density(double rho0, double P) const { return rho0 / RelativeVolume(P); }

 private:
  double Oil(double P) const {
    constexpr double kMostCompression = 700;  // where exp is still a number above 0
    return (1 - free_air) * std::exp(-std::min((P - p_atm) / bulk_modulus, kMostCompression));
  }
  double Air(double P) const { return GasShare(free_air, P, polytropic_exponent, p_atm); }
};

/// Density [kg/m3] at the gauge pressure p of oil with constant bulk modulus: rho0 exp(p/beta). The law of
/// chambers with V p' = beta (q - V').
inline double ExponentialDensity(double rho0, double p, double beta) { return rho0 * std::exp(p / beta); }

}  // namespace davit
