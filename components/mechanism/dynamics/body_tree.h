#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/joint.h"
#include "components/mechanism/dynamics/spatial.h"

namespace davit::multibody {

/// A rigid body: its mass, where its centre of mass is, and its inertia about that, in its own coordinates.
struct RigidBody {
  double mass = 0;                    ///< [kg]
  Vector3 centre = Vector3::Zero();   ///< [m]
  Matrix3 inertia = Matrix3::Zero();  ///< symmetric [kg.m2]

  /// This body with a point mass fixed to it.
  RigidBody WithPoint(double point_mass, const Vector3& place) const;
};

/// Rigid bodies that carry each other, each by one joint, on a base that may move. The frame of a body is
/// that of its joint.
class BodyTree {
 public:
  /// Stands for the base where a body is asked for.
  static constexpr std::size_t kBase = std::numeric_limits<std::size_t>::max();

  struct Link {
    std::size_t carrier = kBase;
    Pose at;  ///< of the joint, in the frame of the carrier
    Joint joint{JointKind::kFixed};
    RigidBody body;
    std::size_t position_begin = 0;  ///< of its q among all
    std::size_t speed_begin = 0;     ///< of its u among all
  };

  /// `carrier` is kBase or the number of a body that was added before. Gives the number of the new one.
  std::size_t Add(std::size_t carrier, const Pose& at, const Joint& joint, const RigidBody& body);

  void SetMass(std::size_t i, double mass) { links_[i].body.mass = mass; }
  void SetBody(std::size_t i, const RigidBody& body) { links_[i].body = body; }

  std::size_t size() const { return links_.size(); }
  const Link& operator[](std::size_t i) const { return links_[i]; }
  std::size_t positions() const { return positions_; }
  std::size_t speeds() const { return speeds_; }
  /// The joint that speed k belongs to.
  const Joint& JointOfSpeed(std::size_t k) const;
  /// Of one body, from those of all.
  template <class Number>
  std::span<Number> PositionsOf(std::size_t i, std::span<Number> q) const {
    return q.subspan(links_[i].position_begin, links_[i].joint.positions());
  }
  template <class Number>
  std::span<Number> SpeedsOf(std::size_t i, std::span<Number> u) const {
    return u.subspan(links_[i].speed_begin, links_[i].joint.speeds());
  }
  void SetToZero(std::span<double> q) const;
  void FillRates(std::span<const double> q, std::span<const double> u, std::span<double> q_rate) const;

 private:
  std::vector<Link> links_;
  std::size_t positions_ = 0;
  std::size_t speeds_ = 0;
};

}  // namespace davit::multibody
