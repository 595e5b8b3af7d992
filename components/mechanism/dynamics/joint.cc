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

Motion Joint::FillAxes(const Matrix3& frame, const Matrix3& body, std::span<const double> u,
                       std::span<SpeedAxis> S) const {
  const auto turns = [&](std::size_t k, const Vector3& about) { S[k] = {about, true}; };
  const auto slides = [&](std::size_t k, const Vector3& along) { S[k] = {along, false}; };
  const Vector3 none = Vector3::Zero();
  switch (kind_) {
    case JointKind::kFixed: return {};
    case JointKind::kRevolute: turns(0, frame * axis_); return {};
    case JointKind::kPrismatic: slides(0, frame * axis_); return {};
    case JointKind::kCylindrical:
      turns(0, frame * axis_);
      slides(1, S[0].direction);
      return {};
    case JointKind::kUniversal:
      turns(0, frame * axis_);
      turns(1, body * second_);
      return {u[0] * u[1] * S[0].direction.cross(S[1].direction), none};
    case JointKind::kSpherical:
      for (int i = 0; i < 3; ++i) turns(static_cast<std::size_t>(i), body.col(i));
      return {};
    case JointKind::kPlanar:
      slides(0, frame * second_);
      slides(1, frame * third_);
      turns(2, frame * axis_);
      return {none, (u[0] * S[0].direction + u[1] * S[1].direction).cross(u[2] * S[2].direction)};
    case JointKind::kFree:
      for (int i = 0; i < 3; ++i) {
        slides(static_cast<std::size_t>(i), frame.col(i));
        turns(static_cast<std::size_t>(3 + i), body.col(i));
      }
      return {none, (frame * Vector3(u[0], u[1], u[2])).cross(body * Vector3(u[3], u[4], u[5]))};
  }
  return {};
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
