#pragma once

#include <algorithm>
#include <cmath>

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

}  // namespace davit
