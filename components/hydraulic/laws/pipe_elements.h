#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

namespace davit {

/// Inertance I = rho L/A [kg/m4] of a pipe. Of n equal cells each has I/n, as each has R/n and C/n.
constexpr double PipeInertance(double rho, double L, double A) { return rho * L / A; }

/// Capacitance C = A L/beta [m3/Pa] of a pipe: Q1 - Q2 = C p'.
constexpr double PipeCapacitance(double A, double L, double beta) { return A * L / beta; }

/// Speed a = sqrt(beta/rho) [m/s] of a pressure wave.
inline double WaveSpeed(double beta, double rho) { return std::sqrt(beta / rho); }

/// Zc = rho a/A = sqrt(I/C) [Pa s/m3].
constexpr double CharacteristicImpedance(double rho, double a, double A) { return rho * a / A; }

/// Pressure [Pa] that a velocity stopped at once makes (N. Joukowsky): rho a dv.
constexpr double JoukowskyPressure(double rho, double a, double dv) { return rho * a * dv; }

/// k-th natural frequency [Hz] (k = 1 .. n) of a pipe of n cells, inertia before volume, pressure given on
/// the left, closed on the right, T = L/a [s]:
///   f_k = n/(pi T) sin((2k - 1) pi/(2 (2n + 1))).
/// It is lower than (2k - 1)/(4 T) of the real pipe.
inline double LumpedPipeFrequency(std::size_t n, std::size_t k, double T) {
  const auto cells = static_cast<double>(n);
  const auto odd = static_cast<double>(2 * k - 1);
  return cells / (std::numbers::pi * T) * std::sin(odd * std::numbers::pi / (2 * (2 * cells + 1)));
}

/// Bore [m] of a pipe or hose that carries q_max [m3/s] at the velocity v [m/s].
inline double BoreForFlow(double q_max, double v) { return std::sqrt(4 * q_max / (std::numbers::pi * v)); }

}  // namespace davit
