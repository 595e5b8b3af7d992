#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "components/mechanism/dynamics/spatial.h"

namespace davit::multibody {

/// How a body may move against another. The frame of the joint in the body that carries it is that of the
/// carried body where all positions are 0.
enum class JointKind : std::uint8_t {
  kFixed,
  kRevolute,     ///< angle about the axis
  kPrismatic,    ///< displacement along the axis
  kCylindrical,  ///< angle about the axis and displacement along it
  kUniversal,    ///< angle about the axis of the carrier, then about the second axis, of the carried body
  kSpherical,    ///< unit quaternion w, x, y, z
  kPlanar,       ///< displacements along two axes of the plane, angle about the axis, which is normal to it
  kFree,         ///< displacements along x, y, z of the carrier, then a unit quaternion
};
inline constexpr std::array<std::string_view, 8> kJointKindNames{
    "fixed", "revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "free"};

/// A joint without its state.
///
/// Positions q and speeds u: u = q' for angles and displacements, the angular velocity in the coordinates of
/// the carried body for a quaternion, whose rate is (w, x, y, z)' = (w, x, y, z) o (0, u)/2. In kFree the
/// speeds of displacements come first, as its positions do.
class Joint {
 public:
  /// `axis` need not be of unit length; `second_axis` is made normal to it. Fixed, spherical and free joints
  /// ignore them. Throws std::invalid_argument where an axis that counts has no direction.
  explicit Joint(JointKind kind, const Vector3& axis = Vector3::UnitZ(),
                 const Vector3& second_axis = Vector3::UnitY());

  JointKind kind() const { return kind_; }
  std::size_t positions() const { return speeds() + (has_quaternion() ? 1 : 0); }  ///< how many q
  std::size_t speeds() const { return kSpeeds[static_cast<std::size_t>(kind_)]; }  ///< how many u
  bool has_quaternion() const { return kind_ == JointKind::kSpherical || kind_ == JointKind::kFree; }
  /// Where in q the quaternion begins.
  std::size_t quaternion_begin() const { return kind_ == JointKind::kFree ? 3 : 0; }
  /// Of unit length.
  const Vector3& axis() const { return axis_; }
  /// Normal to it: the second axis of kUniversal, the direction of the first displacement of kPlanar.
  const Vector3& second_axis() const { return second_; }
  /// axis x second_axis: the direction of the second displacement of kPlanar.
  const Vector3& third_axis() const { return third_; }

  /// The positions of the frames on each other: zeros, and the quaternion 1.
  void SetToZero(std::span<double> q) const;
  /// Where the carried body is, seen from the frame of the joint. Of a quaternion the direction counts, not
  /// the length.
  Pose PoseAt(std::span<const double> q) const;
  /// What each u does to the carried body, where the columns of `frame` are the axes of the joint in the
  /// carrier and those of `body` the axes of the carried body. Gives S'*u, with S' the derivative of these S
  /// in a frame that moves with the body: the part of its acceleration that does not come from u'.
  Motion FillAxes(const Matrix3& frame, const Matrix3& body, std::span<const double> u,
                  std::span<SpeedAxis> S) const;
  /// q' from u.
  void FillRates(std::span<const double> q, std::span<const double> u, std::span<double> q_rate) const;

 private:
  static constexpr std::array<std::size_t, kJointKindNames.size()> kSpeeds{0, 1, 1, 2, 2, 3, 3, 6};

  JointKind kind_;
  Vector3 axis_, second_, third_;
};

}  // namespace davit::multibody
