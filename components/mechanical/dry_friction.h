#pragma once

#include <algorithm>
#include <cmath>

namespace davit {

/// Dry (Coulomb) friction of a body against its surroundings.
///
/// The letters are those of translation; for a shaft forces are torques [N m] and speeds angular [rad/s].
class DryFriction {
 public:
  /// `kinetic` [N] resists sliding. A resting body stays while what pushes it is not above `breakaway` [N],
  /// or above `kinetic` where that is larger. `stick_velocity` [m/s] > 0 is the width of the regularised law.
  void Set(double kinetic, double breakaway, double stick_velocity) {
    kinetic_ = kinetic;
    breakaway_ = std::max(kinetic, breakaway);
    stick_velocity_ = stick_velocity;
  }

  bool is_present() const { return breakaway_ > 0; }
  double kinetic() const { return kinetic_; }
  /// Whether a body at rest stays there under the force F.
  bool Sticks(double v, double F) const { return v == 0 && std::abs(F) <= breakaway_; }
  /// +1 or -1, along the motion of a body that does not stick under the force F.
  static double Direction(double v, double F) { return (v != 0 ? v : F) > 0 ? 1.0 : -1.0; }

  /// Net force on a body on which all else acts with F, for fixed steps (TLM): it sticks, or it slides.
  double NetForce(double F, double v) const { return Sticks(v, F) ? 0.0 : F - Direction(v, F) * kinetic_; }
  /// The same for solvers, which need a smooth right-hand side: no sticking, a body creeps.
  double SmoothNetForce(double F, double v) const { return F - SmoothForce(v); }
  /// The friction of the smooth law: kinetic tanh(v/stick_velocity), against v. Odd.
  double SmoothForce(double v) const { return kinetic_ * std::tanh(v / stick_velocity_); }

 private:
  double kinetic_ = 0;
  double breakaway_ = 0;
  double stick_velocity_ = 1;
};

}  // namespace davit
