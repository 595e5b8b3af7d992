#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/components/crane/hand_derived_crane.h"

namespace davit {

/// A load that hangs on a wire below the tip of a crane, by Newton's law for a point over the earth.
///
///     m a = -m g ez + T n + c_s v_across + deck + air,   n from the load to the tip
///     T = k e + c e' min(1, k e/(m g)),  e = d - l0,  l0 = L/(1 + m g/EA),  k = EA/l0,  c = 2 zeta sqrt(k m)
///     c_s = 2 zeta_s m sqrt(g/d) min(1, T/(m g)),   v_across is how tip and load part across the wire, seen
///                                                   from the vessel
///     L' = winch + release max(0, T_0 - T_release)/resistance,  T_0 the pull at L' = 0
///     deck: k_d depth - c_d vz min(1, k_d depth/(m g)) upwards, and mu times it against the way it slides
///     air: rho/2 A |wind - v| (wind - v)
struct LoadOnWire {
  double mass = 10000;  ///< [kg]
  double gravity = 9.81;
  double EA = 6e7;  ///< [N]
  double zeta = 0;
  double zeta_swing = 0;
  double winch = 0;    ///< [m/s]
  double release = 0;  ///< 0 no, 1 yes
  double release_tension = 0, release_resistance = 2e4;
  double deck_height = -std::numeric_limits<double>::infinity();
  double deck_stiffness = 1e7, deck_zeta = 0.5, deck_friction = 0.5;
  double drag = 0;  ///< rho A/2 [kg/m]
  Eigen::Vector3d wind = Eigen::Vector3d::Zero();
};

/// In the frame of the earth.
struct LoadMoment {
  double length = 0;  ///< L [m]
  Eigen::Vector3d tip, tip_velocity, place, velocity;
  Eigen::Vector3d vessel_omega = Eigen::Vector3d::Zero();
};

struct LoadTerms {
  double tension = 0, length_rate = 0;
  Eigen::Vector3d acceleration;  ///< over the earth [m/s2]
  Eigen::Vector3d on_tip;        ///< [N]
};

inline LoadTerms ComputeLoadTerms(const LoadOnWire& load, const LoadMoment& at) {
  using Eigen::Vector3d;
  const double weight = load.mass * load.gravity;
  const double share = 1 / (1 + weight / load.EA);
  const double l0 = at.length * share, k = load.EA / l0;
  const Vector3d to_tip = at.tip - at.place;
  const double d = to_tip.norm(), e = d - l0;
  const Vector3d n = to_tip / d;
  const Vector3d apart = at.tip_velocity - at.velocity - at.vessel_omega.cross(to_tip);
  const auto pull = [&](double length_rate) {
    if (e <= 0) return 0.0;
    const double c = 2 * load.zeta * std::sqrt(k * load.mass);
    return std::max(0.0, k * e + c * (n.dot(apart) - length_rate * share) * std::min(1.0, k * e / weight));
  };
  LoadTerms terms;
  terms.length_rate =
      load.winch + load.release * std::max(0.0, pull(0) - load.release_tension) / load.release_resistance;
  terms.tension = pull(terms.length_rate);
  const double c_s =
      2 * load.zeta_swing * load.mass * std::sqrt(load.gravity / d) * std::min(1.0, terms.tension / weight);
  const Vector3d of_wire = terms.tension * n + c_s * (apart - n.dot(apart) * n);
  Vector3d force = of_wire - Vector3d(0, 0, weight);
  const double depth = load.deck_height - at.place.z();
  if (depth > 0) {
    const double spring = load.deck_stiffness * depth;
    const double c_d = 2 * load.deck_zeta * std::sqrt(load.deck_stiffness * load.mass);
    const double normal = std::max(0.0, spring - c_d * at.velocity.z() * std::min(1.0, spring / weight));
    const Vector3d slides(at.velocity.x(), at.velocity.y(), 0);
    // Full from 1 cm/s on.
    force += normal * (Vector3d::UnitZ() - load.deck_friction * slides / std::hypot(slides.norm(), 1e-2));
  }
  const Vector3d air = load.wind - at.velocity;
  force += load.drag * air.norm() * air;
  terms.acceleration = force / load.mass;
  terms.on_tip = -of_wire;
  return terms;
}

}  // namespace davit
