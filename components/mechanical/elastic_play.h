#pragma once

#include <algorithm>
#include <cmath>

namespace davit {

/// A spring with a damper that touches only outside of its play, and pushes but never pulls there. Without
/// play it is linear.
struct ElasticPlay {
  double stiffness = 1;  ///< [N m/rad]
  double damping = 0;    ///< [N m s/rad]
  double play = 0;       ///< on each side of the middle [rad]

  /// Torque [N m] along the twist [rad] that grows at `rate` [rad/s].
  double Torque(double twist, double rate) const {
    if (play <= 0) return stiffness * twist + damping * rate;
    const double beyond = std::abs(twist) - play;
    if (beyond <= 0) return 0;
    const double spring = std::copysign(stiffness * beyond, twist);
    const double torque = spring + damping * rate;
    return torque * spring < 0 ? 0 : torque;
  }
  /// Of the spring [J].
  double Energy(double twist) const {
    const double beyond = std::max(std::abs(twist) - play, 0.0);
    return stiffness * beyond * beyond / 2;
  }
};

}  // namespace davit
