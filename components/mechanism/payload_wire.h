#pragma once

#include <algorithm>
#include <cmath>

namespace davit {

/// A wire with a load, which pulls and never pushes.
///
///     l0 = L/(1 + m g/EA),   e = d - l0,   k = EA/l0
///     T = max(0, k e + c (d' - l0') min(1, k e/(m g)))  for e > 0,  c = 2 zeta sqrt(k m);  else 0: slack
///
/// d is the distance of the ends, l0 the length without force. L is the length under the weight of the load
/// at rest: what a winch shows, and the length of the pendulum; at least 1 mm. Damping sets in with the pull,
/// so that T has no jump.
///
/// Strands and sheaves also damp the swing, by c_s times the velocity of the ends across the wire:
///
///     c_s = 2 zeta_s m sqrt(g/d) min(1, T/(m g))
struct PayloadWire {
  double EA = 6e7;                 ///< stiffness of one meter [N]
  double damping_ratio = 0;        ///< zeta of the load bouncing on the wire
  double swing_damping_ratio = 0;  ///< zeta_s of the load swinging
  double mass = 1;                 ///< of the load, positive [kg]
  double gravity = 9.81;           ///< [m/s2]

  double Unstretched(double length) const { return std::max(length, kShortest) * Share(); }
  double UnstretchedRate(double length_rate) const { return length_rate * Share(); }
  /// Pull [N] without damping at the distance d [m] of the ends.
  double ElasticPull(double length, double distance) const {
    const double l0 = Unstretched(length);
    return std::max(0.0, EA / l0 * (distance - l0));
  }
  /// Pull [N] at the distance d [m] of the ends, and its rate [m/s].
  double Tension(double length, double length_rate, double distance, double distance_rate) const {
    const double l0 = Unstretched(length);
    const double k = EA / l0;
    const double pull = k * (distance - l0);
    if (!(pull > 0)) return 0;
    const double c = 2 * damping_ratio * std::sqrt(k * mass);
    const double share = std::min(1.0, pull / (mass * gravity));
    return std::max(0.0, pull + c * (distance_rate - UnstretchedRate(length_rate)) * share);
  }
  /// c_s [N.s/m] at a pull.
  double SwingDamping(double distance, double tension) const {
    if (!(tension > 0)) return 0;
    return 2 * swing_damping_ratio * mass * std::sqrt(gravity / distance) *
           std::min(1.0, tension / (mass * gravity));
  }
  /// Energy [J] of the stretched wire.
  double Energy(double length, double distance) const {
    const double l0 = Unstretched(length);
    const double stretch = std::max(0.0, distance - l0);
    return EA / l0 * stretch * stretch / 2;
  }

 private:
  static constexpr double kShortest = 1e-3;  // [m], of L, so that k is finite
  double Share() const { return 1 / (1 + mass * gravity / EA); }
};

}  // namespace davit
