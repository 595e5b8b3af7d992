#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace davit::multibody {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
/// Moments, products and velocities of rotation first, then those along the axes (Featherstone, Rigid Body
/// Dynamics Algorithms, 2008).
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// The matrix with Skew(a)*b = a x b.
inline Matrix3 Skew(const Vector3& a) {
  Matrix3 skew;
  skew << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return skew;
}

/// Where a frame is: x = p + R*x_frame are the coordinates in the frame that it is seen from [m].
struct Pose {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();

  /// Of a frame that is at `inner` in the frame of this pose.
  Pose operator*(const Pose& inner) const { return {R * inner.R, p + R * inner.p}; }
  Vector3 operator*(const Vector3& point) const { return p + R * point; }
  Pose Inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
};

/// Velocity or acceleration of a body, in the axes of the world: `linear` is that of the point of the body at
/// the origin of a frame. An acceleration is that seen from a frame that moves with the body, as in
/// Featherstone: without w x v.
struct Motion {
  Vector3 angular = Vector3::Zero();  ///< [rad/s] or [rad/s2]
  Vector3 linear = Vector3::Zero();   ///< [m/s] or [m/s2]

  Motion operator+(const Motion& other) const { return {angular + other.angular, linear + other.linear}; }
  Motion operator-(const Motion& other) const { return {angular - other.angular, linear - other.linear}; }
  /// Of the point of the body at `arm` from the origin.
  Motion At(const Vector3& arm) const { return {angular, linear + angular.cross(arm)}; }
  /// The derivative of `other`, which is fixed in a frame that moves so.
  Motion Cross(const Motion& other) const {
    return {angular.cross(other.angular), angular.cross(other.linear) + linear.cross(other.angular)};
  }
};

/// What one speed of a joint does to its body: it turns it about an axis through its origin, or moves it
/// along the axis. One of the halves of its motion is 0, which is never computed with.
struct SpeedAxis {
  Vector3 direction = Vector3::Zero();
  bool turns = true;

  /// Adds the motion at that speed.
  void AddTo(Motion& sum, double speed) const { (turns ? sum.angular : sum.linear) += speed * direction; }
};

/// A force and a moment on a body about the origin of a frame, in the axes of the world; also the momentum.
struct Wrench {
  Vector3 moment = Vector3::Zero();  ///< [N.m]
  Vector3 force = Vector3::Zero();   ///< [N]

  Wrench operator+(const Wrench& other) const { return {moment + other.moment, force + other.force}; }
  Wrench operator-(const Wrench& other) const { return {moment - other.moment, force - other.force}; }
  Wrench& operator+=(const Wrench& other) { return *this = *this + other; }
  /// About a point from which the origin is at `arm`.
  Wrench From(const Vector3& arm) const { return {moment + arm.cross(force), force}; }
};

/// The derivative of a momentum that is fixed in a frame that moves with v.
inline Wrench Cross(const Motion& v, const Wrench& f) {
  return {v.angular.cross(f.moment) + v.linear.cross(f.force), v.angular.cross(f.force)};
}

/// The power of a wrench on a motion [W].
inline double Power(const Wrench& f, const Motion& v) {
  return f.moment.dot(v.angular) + f.force.dot(v.linear);
}

/// The same per unit of a speed.
inline double Power(const Wrench& f, const SpeedAxis& S) {
  return (S.turns ? f.moment : f.force).dot(S.direction);
}

/// What makes a wrench of the acceleration of one rigid body.
struct RigidInertia {
  double mass = 0;                    ///< [kg]
  Vector3 moment = Vector3::Zero();   ///< mass times the place of its centre [kg.m]
  Matrix3 inertia = Matrix3::Zero();  ///< about the origin [kg.m2]

  Wrench operator*(const Motion& a) const {
    return {inertia * a.angular + moment.cross(a.linear), mass * a.linear - moment.cross(a.angular)};
  }
  /// Of a body whose axes are R, from that in the axes of the body.
  RigidInertia Turned(const Matrix3& R) const {
    const Matrix3 RI = R * inertia;
    RigidInertia turned{.mass = mass, .moment = R * moment};
    for (int j = 0; j < 3; ++j) {
      for (int i = j; i < 3; ++i) {
        turned.inertia(i, j) = turned.inertia(j, i) = RI.row(i).dot(R.row(j));
      }
    }
    return turned;
  }
};

/// The symmetric matrix [A B; B' M] that makes a wrench of the acceleration of a body that carries others
/// (articulated inertia).
struct ArticulatedInertia {
  Matrix3 A = Matrix3::Zero();  ///< [kg.m2]
  Matrix3 B = Matrix3::Zero();  ///< [kg.m]
  Matrix3 M = Matrix3::Zero();  ///< [kg]

  static ArticulatedInertia Of(const RigidInertia& body) {
    return {body.inertia, Skew(body.moment), body.mass * Matrix3::Identity()};
  }
  Wrench operator*(const Motion& a) const {
    return {A * a.angular + B * a.linear, B.transpose() * a.angular + M * a.linear};
  }
  Wrench operator*(const SpeedAxis& S) const {
    return S.turns ? Wrench{A * S.direction, B.transpose() * S.direction}
                   : Wrench{B * S.direction, M * S.direction};
  }
  /// The largest that a diagonal element may be along the speed, turned as one likes.
  double Largest(const SpeedAxis& S) const { return (S.turns ? A : M).trace(); }
  /// Adds another, whose origin is at `arm` from that of this.
  void AddFrom(const Vector3& arm, const ArticulatedInertia& other) {
    const Matrix3 B_here = other.B + CrossColumns(arm, other.M);
    const Matrix3 PB = CrossColumns(arm, other.B.transpose());
    A += other.A + CrossColumns(arm, B_here.transpose()) + PB.transpose();
    B += B_here;
    M += other.M;
  }

 private:
  /// p x each column.
  static Matrix3 CrossColumns(const Vector3& p, const Matrix3& of) {
    Matrix3 crossed;
    for (int j = 0; j < 3; ++j) crossed.col(j) = p.cross(of.col(j));
    return crossed;
  }
};

/// Of a frame that is turned about x, then about y, then about z, all of the frame outside: angles.x() is
/// roll.
Matrix3 TurnedAboutAxes(const Vector3& angles);

}  // namespace davit::multibody
