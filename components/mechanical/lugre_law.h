#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {

/// Friction modelled by the deflection z [m] of bristles (C. Canudas de Wit, H. Olsson, K. J. Astrom,
/// P. Lischinsky, A new model for control of systems with friction, IEEE Trans. Automatic Control 40, 1995):
///   z' = v - |v|/g(v) z,  F = s0 z + s1 z' + s2 v,  g(v) = (Fc + (Fs - Fc) exp(-(v/vs)^2))/s0.
/// F [N] acts against the velocity v [m/s]. No state beyond |z| <= Fs/s0 is reached from within. Stiff: the
/// bristles of a body at rest have the time constant s1/s0 or sqrt(m/s0).
struct LuGreLaw {
  double Fc = 0;  ///< sliding friction, positive [N]
  double Fs = 0;  ///< static friction, at which a body breaks away [N]
  double vs = 0;  ///< Stribeck velocity, positive [m/s]
  double s0 = 0;  ///< stiffness of the bristles, positive [N/m]
  double s1 = 0;  ///< their damping [N s/m]
  double s2 = 0;  ///< viscous friction [N s/m]
  /// Velocity [m/s] above which the damping of the bristles fades, s1 exp(-(v/vd)^2): keeps the law passive.
  double vd = std::numeric_limits<double>::infinity();

  /// g(v) [m], |z| of steady sliding.
  double SteadyDeflection(double v) const {
    const double r = v / vs;
    return (Fc + (Fs - Fc) * std::exp(-r * r)) / s0;
  }
  /// z' [m/s].
  double DeflectionRate(double v, double z) const { return v - std::abs(v) * (z / SteadyDeflection(v)); }
  /// Derivatives of z' over v [-] and z [1/s].
  struct Slopes {
    double v, z;
  };
  /// Where v = 0 the mean of both sides.
  Slopes RateSlopes(double v, double z) const {
    const double r = v / vs;
    const double bell = (Fs - Fc) * std::exp(-r * r) / s0;
    const double g = Fc / s0 + bell;
    const double g_v = -2 * r / vs * bell;
    const double sign = v > 0 ? 1.0 : v < 0 ? -1.0 : 0.0;
    return {1 - z / g * (sign - std::abs(v) * g_v / g), -std::abs(v) / g};
  }
  /// F [N] with the rate z' that belongs to v and z.
  double Force(double v, double z, double rate) const {
    const double r = v / vd;
    return s0 * z + s1 * std::exp(-r * r) * rate + s2 * v;
  }
  double Force(double v, double z) const { return Force(v, z, DeflectionRate(v, z)); }
  /// F of steady sliding: s0 g(v) sign(v) + s2 v.
  double SteadyForce(double v) const {
    return v == 0 ? 0.0 : std::copysign(s0 * SteadyDeflection(v), v) + s2 * v;
  }
  double LargestDeflection() const { return std::max(Fs, Fc) / s0; }
};

}  // namespace davit
