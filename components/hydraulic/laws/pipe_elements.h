#pragma once

#include <cmath>
#include <numbers>

namespace davit {

/// Inertance I = rho L/A [kg/m4] of a pipe. Of n equal cells each has I/n, as each has R/n and C/n.
constexpr double PipeInertance(double rho, double L, double A) { return rho * L / A; }

/// Speed a = sqrt(beta/rho) [m/s] of a pressure wave.
inline double WaveSpeed(double beta, double rho) { return std::sqrt(beta / rho); }

/// Bore [m] of a pipe or hose that carries q_max [m3/s] at the velocity v [m/s].
inline double BoreForFlow(double q_max, double v) { return std::sqrt(4 * q_max / (std::numbers::pi * v)); }

}  // namespace davit
