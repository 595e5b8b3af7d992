#include "components/mechanism/dynamics/joint.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <stdexcept>

namespace davit::multibody {
namespace {

/// Of the rotation that a quaternion w, x, y, z of any length stands for.
Matrix3 RotationOf(std::span<const double> q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

Matrix3 RotationAbout(const Vector3& axis, double angle) {
  return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
}

bool HasAxis(JointKind kind) {
  return kind != JointKind::kFixed && kind != JointKind::kSpherical && kind != JointKind::kFree;
}

}  // namespace

Joint::Joint(JointKind kind, const Vector3& axis, const Vector3& second_axis)
    : kind_(kind), axis_(Vector3::UnitZ()), second_(Vector3::UnitX()) {
  if (HasAxis(kind)) {
    if (!(axis.norm() > 0) || !axis.allFinite())
      throw std::invalid_argument("the axis of a joint has no direction");
    axis_ = axis.normalized();
    second_ = second_axis - second_axis.dot(axis_) * axis_;
    const bool is_usable = second_.norm() > 1e-9 * second_axis.norm() && second_.allFinite();
    if (!is_usable && kind == JointKind::kUniversal)
      throw std::invalid_argument("the second axis of a universal joint lies along its axis");
    second_ = is_usable ? second_.normalized() : axis_.unitOrthogonal();
  }
  third_ = axis_.cross(second_);
}

std::size_t Joint::positions() const { return speeds() + (has_quaternion() ? 1 : 0); }

std::size_t Joint::speeds() const {
  switch (kind_) {
    case JointKind::kFixed: return 0;
    case JointKind::kRevolute:
    case JointKind::kPrismatic: return 1;
    case JointKind::kCylindrical:
    case JointKind::kUniversal: return 2;
    case JointKind::kSpherical:
    case JointKind::kPlanar: return 3;
    case JointKind::kFree: return 6;
  }
  return 0;
}

void Joint::SetToZero(std::span<double> q) const {
  std::ranges::fill(q, 0.0);
  if (has_quaternion()) q[quaternion_begin()] = 1;
}

Pose Joint::PoseAt(std::span<const double> q) const {
  switch (kind_) {
    case JointKind::kFixed: return {};
    case JointKind::kRevolute: return {RotationAbout(axis_, q[0]), Vector3::Zero()};
    case JointKind::kPrismatic: return {Matrix3::Identity(), q[0] * axis_};
    case JointKind::kCylindrical: return {RotationAbout(axis_, q[0]), q[1] * axis_};
    case JointKind::kUniversal:
      return {RotationAbout(axis_, q[0]) * RotationAbout(second_, q[1]), Vector3::Zero()};
    case JointKind::kSpherical: return {RotationOf(q), Vector3::Zero()};
    case JointKind::kPlanar: return {RotationAbout(axis_, q[2]), q[0] * second_ + q[1] * third_};
    case JointKind::kFree: return {RotationOf(q.subspan(3)), Vector3(q[0], q[1], q[2])};
  }
  return {};
}

void Joint::FillMotion(std::span<const double> q,
                       Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> S) const {
  S.setZero();
  switch (kind_) {
    case JointKind::kFixed: return;
    case JointKind::kRevolute: S.col(0).head<3>() = axis_; return;
    case JointKind::kPrismatic: S.col(0).tail<3>() = axis_; return;
    case JointKind::kCylindrical:
      S.col(0).head<3>() = axis_;
      S.col(1).tail<3>() = axis_;
      return;
    case JointKind::kUniversal:
      S.col(0).head<3>() = RotationAbout(second_, -q[1]) * axis_;
      S.col(1).head<3>() = second_;
      return;
    case JointKind::kSpherical: S.topRows<3>().setIdentity(); return;
    case JointKind::kPlanar: {
      const Matrix3 to_body = RotationAbout(axis_, -q[2]);
      S.col(0).tail<3>() = to_body * second_;
      S.col(1).tail<3>() = to_body * third_;
      S.col(2).head<3>() = axis_;
      return;
    }
    case JointKind::kFree:
      S.bottomLeftCorner<3, 3>() = RotationOf(q.subspan(3)).transpose();
      S.topRightCorner<3, 3>().setIdentity();
      return;
  }
}

Motion Joint::Bias(std::span<const double> q, std::span<const double> u) const {
  switch (kind_) {
    case JointKind::kUniversal:
      return {-(u[1] * second_).cross(RotationAbout(second_, -q[1]) * (u[0] * axis_)), Vector3::Zero()};
    case JointKind::kPlanar:
      return {Vector3::Zero(),
              -(u[2] * axis_).cross(RotationAbout(axis_, -q[2]) * (u[0] * second_ + u[1] * third_))};
    case JointKind::kFree:
      return {
          Vector3::Zero(),
          -Vector3(u[3], u[4], u[5]).cross(RotationOf(q.subspan(3)).transpose() * Vector3(u[0], u[1], u[2]))};
    default: return {};
  }
}

void Joint::FillRates(std::span<const double> q, std::span<const double> u, std::span<double> q_rate) const {
  if (!has_quaternion()) {
    std::ranges::copy(u, q_rate.begin());
    return;
  }
  const std::size_t at = quaternion_begin();
  std::ranges::copy(u.first(at), q_rate.begin());
  const double w = q[at], x = q[at + 1], y = q[at + 2], z = q[at + 3];
  const double a = u[at] / 2, b = u[at + 1] / 2, c = u[at + 2] / 2;
  q_rate[at] = -x * a - y * b - z * c;
  q_rate[at + 1] = w * a + y * c - z * b;
  q_rate[at + 2] = w * b + z * a - x * c;
  q_rate[at + 3] = w * c + x * b - y * a;
}

}  // namespace davit::multibody
