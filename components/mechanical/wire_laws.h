#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace davit {

/// Drum with layers, as a mean spiral: the radius grows by the height of a layer in the turns of a layer.
///   r(angle) = radius - growth*angle,  paid out = integral of r, so that torque r*T keeps the power T*(r*w)
/// angle [rad] is positive where the wire is paid out. What is left at kCore of the radius is the core: from
/// there the radius is constant. Without growth it is constant everywhere.
struct DrumSpiral {
  static constexpr double kCore = 0.1;

  double radius = 1;  ///< at angle 0 [m]
  double growth = 0;  ///< [m/rad]

  static double Growth(double layer_height, double turns_per_layer) {
    return layer_height / (2 * std::numbers::pi * turns_per_layer);
  }
  double RadiusAt(double angle) const {
    return growth > 0 ? std::max(radius - growth * angle, kCore * radius) : radius;
  }
  double PaidOut(double angle) const {
    if (!(growth > 0)) return radius * angle;
    const double spiral = std::min(angle, (1 - kCore) * radius / growth);
    return spiral * (radius - growth * spiral / 2) + kCore * radius * (angle - spiral);
  }
};

/// Tackle: the wire runs from the drum over `sheaves` to the first of `falls` between tip and hook block, and
/// over one more sheave between each two falls. Behind each sheave the tension is that before it times the
/// efficiency, along the motion:
///   T_d = e^sheaves*T_1,  T_(k+1) = T_k/e,  e = efficiency^tanh(rate/stick_velocity)
/// T_1 .. T_n are the tensions of the falls, T_d that at the drum, and rate is what is paid out [m/s].
struct Tackle {
  int falls = 1;
  int sheaves = 0;
  double efficiency = 1;
  double stick_velocity = 0.01;  ///< [m/s]

  /// T_d over the mean tension of the falls: at most 1 while the wire is paid out, at least 1 while it is
  /// hauled in, so that what is lost, (mean - T_d)*rate, is never negative.
  double DrumShare(double rate) const {
    if (efficiency == 1) return 1;
    const double e = std::pow(efficiency, std::tanh(rate / stick_velocity));
    double sum = 0, part = 1;
    for (int k = 0; k < falls; ++k, part /= e) sum += part;
    return std::pow(e, sheaves) * falls / sum;
  }
};

}  // namespace davit
