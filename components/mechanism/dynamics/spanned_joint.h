#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "components/mechanism/dynamics/spatial.h"

namespace davit::multibody {

/// A path of one piece, such as a cylinder, that spans a revolute joint: from a foot fixed to the carrier to
/// a head fixed to the carried body, both seen from the joint, each in the frame of its body. In closed form:
///
///     l(q)^2 = |R(q) head - foot|^2 = squares - 2 (C cos q + S sin q)
///     l l' = C sin q - S cos q,   l'^2 + l l'' = C cos q + S sin q
///
/// with R the turn about the axis n, C = (n x foot).(n x head) and S = foot.(n x head). l' = dl/dq is the
/// lever arm: a push force F of the cylinder makes the torque l' F along q.
class SpannedJoint {
 public:
  struct Point {
    double length;     ///< l [m]
    double lever_arm;  ///< l' [m/rad]
    double curvature;  ///< l'' [m/rad2]
  };

  /// Least and greatest length over a full turn [m].
  struct Range {
    double least, greatest;
  };

  SpannedJoint() = default;
  /// `axis` has unit length.
  SpannedJoint(const Vector3& axis, const Vector3& foot, const Vector3& head)
      : C_(axis.cross(foot).dot(axis.cross(head))), S_(foot.dot(axis.cross(head))) {
    squares_ = -2 * axis.dot(foot) * axis.dot(head);
    for (const Vector3& arm : {foot, head}) {
      for (const double part : arm) squares_ += part * part;
    }
  }

  /// At the joint angle q [rad].
  Point At(double q) const {
    const double sine = std::sin(q), cosine = std::cos(q);
    const double along = C_ * cosine + S_ * sine;
    // Foot and head that meet would leave the direction of the force open.
    const double length = std::sqrt(std::max(squares_ - 2 * along, kLeastSquare));
    const double lever_arm = (C_ * sine - S_ * cosine) / length;
    return {length, lever_arm, (along - lever_arm * lever_arm) / length};
  }
  Range Lengths() const {
    const double sway = 2 * std::hypot(C_, S_);
    return {std::sqrt(std::max(squares_ - sway, 0.0)), std::sqrt(squares_ + sway)};
  }

 private:
  static constexpr double kLeastSquare = 1e-12;  // [m2]

  double squares_ = 1;
  double C_ = 0;
  double S_ = 0;
};

}  // namespace davit::multibody
