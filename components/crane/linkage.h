#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace davit {

/// A point in the plane of a boom [m].
struct PlanePoint {
  double x = 0;
  double y = 0;
};

/// A cylinder that spans a joint: from a foot fixed to one body to a head fixed to the next, both seen from
/// the joint, each in the frame of its body; the frames agree at the joint angle q = 0.
///
///     l(q)^2 = |R(q) head - foot|^2 = |head|^2 + |foot|^2 - 2 (C cos q + S sin q)
///     C = foot.x head.x + foot.y head.y,   S = foot.y head.x - foot.x head.y
///     l l' = C sin q - S cos q,   l'^2 + l l'' = C cos q + S sin q
///
/// l' = dl/dq is the lever arm: a push force F of the cylinder makes the torque l' F along q.
class Linkage {
 public:
  struct Point {
    double length;     ///< l [m]
    double lever_arm;  ///< l' [m/rad]
    double curvature;  ///< l'' [m/rad2]
  };

  Linkage() = default;
  Linkage(const PlanePoint& foot, const PlanePoint& head)
      : squares_(foot.x * foot.x + foot.y * foot.y + head.x * head.x + head.y * head.y),
        C_(foot.x * head.x + foot.y * head.y),
        S_(foot.y * head.x - foot.x * head.y) {}

  /// At the joint angle q [rad].
  Point At(double q) const {
    const double sine = std::sin(q), cosine = std::cos(q);
    const double along = C_ * cosine + S_ * sine;
    // Foot and head that meet would leave the direction of the force open.
    const double length = std::sqrt(std::max(squares_ - 2 * along, kLeastSquare));
    const double lever_arm = (C_ * sine - S_ * cosine) / length;
    return {length, lever_arm, (along - lever_arm * lever_arm) / length};
  }

  /// The angle [rad] nearest to `near` at which the cylinder is `length` [m] long; none where it cannot be.
  std::optional<double> FindAngle(double length, double near) const {
    const double reach = std::hypot(C_, S_);
    const double cosine = (squares_ - length * length) / (2 * reach);
    if (!(std::abs(cosine) <= 1)) return std::nullopt;
    const double middle = std::atan2(S_, C_), away = std::acos(cosine);
    const double first = Nearest(middle + away, near), second = Nearest(middle - away, near);
    return std::abs(first - near) <= std::abs(second - near) ? first : second;
  }

 private:
  static constexpr double kLeastSquare = 1e-12;  // [m2]
  static double Nearest(double angle, double near) { return near + std::remainder(angle - near, kTurn); }
  static constexpr double kTurn = 6.283185307179586476925;

  double squares_ = 1;
  double C_ = 0;
  double S_ = 0;
};

}  // namespace davit
