#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "components/hydraulic/laws/displacement_machines.h"

namespace davit {

// Results of the laws in closed form, which no model needs: what tests compare with.

/// Absolute pressure [Pa] at gauge pressure 0.
inline constexpr double kAtmosphericPressure = 1e5;

/// Discharge coefficient of an orifice whose jet may cavitate (W. H. Nurick, 1976; D. P. Schmidt, M. L.
/// Corradini, 1997): min(0.84, 0.61 sqrt((P1 - Pv)/(P1 - P2))), P1 > P2. Absolute pressures [Pa].
inline double CavitatingDischargeCoefficient(double P1, double P2, double Pv) {
  return std::min(0.84, 0.61 * std::sqrt((P1 - Pv) / (P1 - P2)));
}

/// Discharge coefficient of a short tube (H. E. Merritt, Hydraulic Control Systems, 1967) over x = D Re/L.
/// Merritt prints 2.28 in the place of 2.163, with which both parts meet.
inline double ShortTubeDischargeCoefficient(double x) {
  return x < 50 ? 1 / std::sqrt(2.163 + 64 / x) : 1 / std::sqrt(1.5 + 13.74 / std::sqrt(x));
}

/// k-th natural frequency [Hz] (k = 1 .. n) of a pipe of n cells, inertia before volume, pressure given on
/// the left, closed on the right, T = L/a [s]. It is lower than (2k - 1)/(4 T) of the real pipe.
inline double LumpedPipeFrequency(std::size_t n, std::size_t k, double T) {
  const auto cells = static_cast<double>(n);
  const auto odd = static_cast<double>(2 * k - 1);
  return cells / (std::numbers::pi * T) * std::sin(odd * std::numbers::pi / (2 * (2 * cells + 1)));
}

/// Of a measured motor at the speed omega > 0 [rad/s] and the pressure difference dp > 0 [Pa].
inline MachinePoint MotorAt(const MotorData& motor, double omega, double dp) {
  const double q_ideal = motor.V() * omega, T_ideal = motor.V() * dp;
  const double q = q_ideal + motor.flow_loss().At(dp, omega);
  const double T = T_ideal - motor.torque_loss().At(dp, omega);
  return {q, T, q_ideal / q, T / T_ideal};
}

}  // namespace davit
