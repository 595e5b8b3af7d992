#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace davit {

/// Equation of state of the gas in an accumulator.
enum class GasEquation : std::uint8_t { kIdeal, kRedlichKwong };
inline constexpr std::array<std::string_view, 2> kGasEquationNames{"ideal", "redlich_kwong"};

/// Gas of an accumulator that exchanges heat with its wall:
///   P = m R T/(V - m b) - a m^2/(T^(1/2) V (V + m b)),
///   m c T' = -T dP/dT V' + m c (T_wall - T)/tau,  c = cv + 3 a/(4 b T^(3/2)) ln(1 + m b/V).
/// a = b = 0 is the ideal gas: without heat (tau = infinity) it follows P V^n with n = 1 + R/cv, with much of
/// it n = 1. Otherwise it is the gas of O. Redlich and J. N. S. Kwong (1949), monotonic in V above its
/// critical temperature. Nitrogen unless changed. All SI, P absolute.
struct ThermalGas {
  static constexpr double kNitrogenCriticalTemperature = 126.19;  ///< [K]
  static constexpr double kNitrogenCriticalPressure = 3.3958e6;   ///< [Pa]

  double m = 0;                                          ///< [kg]
  double R = 296.8;                                      ///< [J/(kg K)]
  double cv = 743;                                       ///< of the dilute gas [J/(kg K)]
  double tau = std::numeric_limits<double>::infinity();  ///< time constant of the heat, positive [s]
  double a = 0;                                          ///< [Pa K^(1/2) m6/kg2]
  double b = 0;                                          ///< [m3/kg]

  void SetEquation(GasEquation equation) {
    const double T_c = kNitrogenCriticalTemperature, P_c = kNitrogenCriticalPressure;
    const bool is_real = equation == GasEquation::kRedlichKwong;
    a = is_real ? 0.42748 * R * R * std::pow(T_c, 2.5) / P_c : 0;
    b = is_real ? 0.08664 * R * T_c / P_c : 0;
  }
  bool is_ideal() const { return b == 0; }

  double Pressure(double T, double V) const {
    const double P = m * R * T / (V - m * b);
    return is_ideal() ? P : P - a * m * m / (std::sqrt(T) * V * (V + m * b));
  }
  /// dP/dT [Pa/K].
  double PressureByTemperature(double T, double V) const {
    const double slope = m * R / (V - m * b);
    return is_ideal() ? slope : slope + a * m * m / (2 * T * std::sqrt(T) * V * (V + m * b));
  }
  /// -dP/dV at constant temperature [Pa/m3].
  double Stiffness(double T, double V) const {
    if (is_ideal()) return Pressure(T, V) / V;
    const double free = V - m * b, both = V * (V + m * b);
    return m * R * T / (free * free) - a * m * m * (2 * V + m * b) / (std::sqrt(T) * both * both);
  }
  /// Of all the gas at constant volume [J/K].
  double HeatCapacity(double T, double V) const {
    if (is_ideal()) return m * cv;
    return m * (cv + 0.75 * a / (b * T * std::sqrt(T)) * std::log1p(m * b / V));
  }
  /// Internal energy [J], 0 for the dilute gas at 0 K.
  double Energy(double T, double V) const {
    if (is_ideal()) return m * cv * T;
    return m * (cv * T - 1.5 * a / (b * std::sqrt(T)) * std::log1p(m * b / V));
  }
  /// Work [J] that presses the gas from V_1 to V_2 at constant temperature.
  double IsothermalWork(double T, double V_1, double V_2) const {
    const double work = m * R * T * std::log((V_1 - m * b) / (V_2 - m * b));
    if (is_ideal()) return work;
    return work - m * a / (b * std::sqrt(T)) * (std::log1p(m * b / V_2) - std::log1p(m * b / V_1));
  }
  /// T' [K/s] while V changes at the rate dV [m3/s].
  double TemperatureRate(double T, double V, double dV, double T_wall) const {
    const double by_work =
        is_ideal() ? -R / cv * T * dV / V : -T * PressureByTemperature(T, V) * dV / HeatCapacity(T, V);
    return by_work + (T_wall - T) / tau;
  }

  /// Mass [kg] of the gas that fills V at P and T. Pre: T above the critical temperature, unless it is ideal.
  double Mass(double P, double V, double T) const {
    if (is_ideal()) return P * V / (R * T);
    ThermalGas gas = *this;
    return Bisect(0, V / b, [&](double mass) {
      gas.m = mass;
      return gas.Pressure(T, V) < P;
    });
  }
  /// V at P and T: a gas of this mass has a volume between that of its molecules and ten times the ideal one.
  double Volume(double P, double T) const {
    const double ideal = m * R * T / P;
    if (is_ideal()) return ideal;
    return Bisect(m * b, m * b + 10 * ideal, [&](double V) { return Pressure(T, V) > P; });
  }
  /// T at P and V.
  double Temperature(double P, double V) const {
    if (is_ideal()) return P * V / (m * R);
    return Bisect(0, 1e5, [&](double T) { return Pressure(T, V) < P; });
  }
  /// The law holds down to this volume [m3] of what was V at the precharge.
  double LeastVolume(double V) const { return std::max(0.01 * V, 1.1 * m * b); }

 private:
  /// Where `is_below` changes from true to false.
  template <class Test>
  static double Bisect(double low, double high, const Test& is_below) {
    for (;;) {
      const double middle = low + (high - low) / 2;
      if (middle <= low || middle >= high) return middle;
      (is_below(middle) ? low : high) = middle;
    }
  }
};

}  // namespace davit
