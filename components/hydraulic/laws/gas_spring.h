#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {

/// Gas of an accumulator that follows P V^n = P0 V0^n. P absolute [Pa], V [m3], n = 1 slow (isothermal)
/// .. 1.4 fast (adiabatic, two-atomic gas).
struct GasSpring {
  double P0 = 0;  ///< precharge
  double V0 = 0;  ///< at P0
  double n = 1.4;

  struct Point {
    double P;
    double slope;  ///< -dP/dV [Pa/m3]
  };
  /// For any V: below V0/100 the law continues along its tangent, so that a solver may look beyond it.
  Point At(double V) const {
    constexpr double kLeastShare = 0.01;
    const double V_law = std::max(V, kLeastShare * V0);
    const double P = P0 * std::pow(V0 / V_law, n);
    const double slope = n * P / V_law;
    return {P + slope * (V_law - V), slope};
  }
  /// V at P > 0.
  double Volume(double P) const { return V0 * std::pow(P0 / P, 1 / n); }
  /// Work [J] that presses the gas from P1 to P2.
  double Work(double P1, double P2) const {
    if (n == 1) return P0 * V0 * std::log(P2 / P1);
    return (P2 * Volume(P2) - P1 * Volume(P1)) / (n - 1);
  }
};

/// Gas of an accumulator that exchanges heat with its wall:
///   P = m R T/V,  m cv T' = -P V' + m cv (T_wall - T)/tau.
/// Without heat (tau = infinity) it follows P V^n with n = 1 + R/cv, with much of it n = 1. Nitrogen unless
/// changed, as an ideal gas: at 300 bar the real one is stiffer by some 10 %.
struct ThermalGas {
  double m = 0;                                          ///< [kg]
  double R = 296.8;                                      ///< [J/(kg K)]
  double cv = 743;                                       ///< [J/(kg K)]
  double tau = std::numeric_limits<double>::infinity();  ///< time constant of the heat, positive [s]

  /// Mass [kg] of the gas that fills V0 at P0 and T0 [K].
  static double Mass(double P0, double V0, double T0, double R) { return P0 * V0 / (R * T0); }
  /// P at T > 0 and V > 0.
  double Pressure(double T, double V) const { return m * R * T / V; }
  /// T' [K/s] while V changes at the rate dV [m3/s].
  double TemperatureRate(double T, double V, double dV, double T_wall) const {
    return -R / cv * T * dV / V + (T_wall - T) / tau;
  }
};

}  // namespace davit
