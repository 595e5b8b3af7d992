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

/// Velocity or acceleration of a body, in the coordinates of a frame: `linear` is that of the point of the
/// body at the origin of the frame. An acceleration is the derivative of both in the moving frame, as in
/// Featherstone: without w x v.
struct Motion {
  Vector3 angular = Vector3::Zero();  ///< [rad/s] or [rad/s2]
  Vector3 linear = Vector3::Zero();   ///< [m/s] or [m/s2]

  Motion operator+(const Motion& other) const { return {angular + other.angular, linear + other.linear}; }
  Motion operator-(const Motion& other) const { return {angular - other.angular, linear - other.linear}; }
  /// In the coordinates of a frame that is at `pose`.
  Motion SeenFrom(const Pose& pose) const {
    return {pose.R.transpose() * angular, pose.R.transpose() * (linear + angular.cross(pose.p))};
  }
  /// The derivative of `other`, which is fixed in a frame that moves so.
  Motion Cross(const Motion& other) const {
    return {angular.cross(other.angular), angular.cross(other.linear) + linear.cross(other.angular)};
  }
};

/// A force and a moment on a body, in the coordinates of a frame, about its origin; also the momentum.
struct Wrench {
  Vector3 moment = Vector3::Zero();  ///< [N.m]
  Vector3 force = Vector3::Zero();   ///< [N]

  Wrench operator+(const Wrench& other) const { return {moment + other.moment, force + other.force}; }
  Wrench operator-(const Wrench& other) const { return {moment - other.moment, force - other.force}; }
  Wrench& operator+=(const Wrench& other) { return *this = *this + other; }
  /// In the coordinates of the frame in which the frame of this wrench is at `pose`.
  Wrench SeenFromOutside(const Pose& pose) const {
    const Vector3 f = pose.R * force;
    return {pose.R * moment + pose.p.cross(f), f};
  }
};

/// The derivative of a momentum that is fixed in a frame that moves with v.
inline Wrench Cross(const Motion& v, const Wrench& f) {
  return {v.angular.cross(f.moment) + v.linear.cross(f.force), v.angular.cross(f.force)};
}

/// The power of a wrench on a motion [W].
inline double Power(const Wrench& f, const Motion& v) {
  return f.moment.dot(v.angular) + f.force.dot(v.linear);
}

/// The symmetric matrix [A B; B' M] that makes a wrench of an acceleration: of one body, or of all that hang
/// on it (articulated inertia).
struct SpatialInertia {
  Matrix3 A = Matrix3::Zero();  ///< [kg.m2]
  Matrix3 B = Matrix3::Zero();  ///< [kg.m]
  Matrix3 M = Matrix3::Zero();  ///< [kg]

  /// Of a rigid body with its centre of mass at c, and the inertia I_c about it.
  static SpatialInertia OfBody(double mass, const Vector3& c, const Matrix3& I_c) {
    const Matrix3 C = Skew(c);
    return {I_c - mass * C * C, mass * C, mass * Matrix3::Identity()};
  }
  Wrench operator*(const Motion& a) const {
    return {A * a.angular + B * a.linear, B.transpose() * a.angular + M * a.linear};
  }
  /// The same, of one that OfBody made: with M = m*1 and B = m*Skew(c).
  Wrench OfRigidBody(const Motion& a) const {
    const Vector3 mc(B(2, 1), B(0, 2), B(1, 0));
    return {A * a.angular + mc.cross(a.linear), M(0, 0) * a.linear - mc.cross(a.angular)};
  }
  SpatialInertia& operator+=(const SpatialInertia& other) {
    A += other.A;
    B += other.B;
    M += other.M;
    return *this;
  }
  /// In the coordinates of the frame in which its own is at `pose`.
  SpatialInertia SeenFromOutside(const Pose& pose) const {
    const Matrix3 M_out = Turned(M, pose.R);
    const Matrix3 B_turned = pose.R * B * pose.R.transpose();
    const Matrix3 PM = CrossColumns(pose.p, M_out);
    const Matrix3 PB = CrossColumns(pose.p, B_turned.transpose());
    // -P*M*P = P*(P*M)', since M is symmetric and P is not.
    const Matrix3 PMP = CrossColumns(pose.p, PM.transpose());
    return {Turned(A, pose.R) + PB + PB.transpose() + PMP, B_turned + PM, M_out};
  }

 private:
  /// R*S*R' of a symmetric S.
  static Matrix3 Turned(const Matrix3& S, const Matrix3& R) {
    const Matrix3 RS = R * S;
    Matrix3 turned;
    for (int j = 0; j < 3; ++j) {
      for (int i = j; i < 3; ++i) turned(i, j) = turned(j, i) = RS.row(i).dot(R.row(j));
    }
    return turned;
  }
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
