#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/body_tree.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// A frame that is fixed in a body, or in the base.
struct Anchor {
  std::size_t body = BodyTree::kBase;
  Pose at;  ///< in the body
};

/// One scalar equation phi = 0 between two anchors, of one of three forms. r is the vector from anchor a to
/// anchor b.
struct LoopEquation {
  enum class Form : std::uint8_t {
    kAlong,     ///< phi = n.r, with n fixed at a [m]
    kNormal,    ///< phi = n.m, with n fixed at a and m at b
    kDistance,  ///< phi = |r| - length [m]
  };
  Form form = Form::kAlong;
  Vector3 n = Vector3::UnitX();  ///< in the frame of anchor a
  Vector3 m = Vector3::UnitX();  ///< in the frame of anchor b
  double length = 0;
};

/// What closes a loop of a tree: a joint between two anchors, or a distance between their origins.
class Loop {
 public:
  /// The same frames and axes as those of a joint of the tree, with the body of `a` as the carrier.
  static Loop OfJoint(const Anchor& a, const Anchor& b, const Joint& joint);
  static Loop OfDistance(const Anchor& a, const Anchor& b, double length);

  const Anchor& a() const { return a_; }
  const Anchor& b() const { return b_; }
  std::span<const LoopEquation> equations() const { return equations_; }

 private:
  Loop(const Anchor& a, const Anchor& b) : a_(a), b_(b) {}

  Anchor a_, b_;
  std::vector<LoopEquation> equations_;
};

/// The place and motion of an anchor in the world.
struct AnchorMotion {
  Pose pose;
  Vector3 v, w;       ///< of its origin [m/s], and angular [rad/s]
  Vector3 a, w_rate;  ///< their derivatives

  AnchorMotion(const TreeDynamics& dynamics, const Anchor& anchor);
};

/// phi, phi' and phi'' of an equation, and its direction: phi' is the power of `on_b` on the body of b less
/// that on the body of a.
struct LoopValue {
  double phi = 0;
  double rate = 0;
  double second_rate = 0;
  Wrench on_b;  ///< about the origin of the world

  LoopValue(const LoopEquation& equation, const AnchorMotion& a, const AnchorMotion& b);
};

/// A wrench about the origin of the world, about that of a body.
Wrench AboutBody(const Wrench& in_world, const Pose& body);

/// Adds to the wrenches on the bodies that of a force at a place in the world; a force on the base goes
/// nowhere.
void AddForce(const TreeDynamics& dynamics, std::size_t body, const Vector3& place, const Vector3& force,
              std::span<Wrench> wrenches);

/// Adds to `row` the power of a wrench (in the world, about its origin) on a body per unit of each speed,
/// times `sign`. Adding it with 1 for the body of b and -1 for that of a makes the derivatives of phi' by the
/// speeds.
void AddBodyRow(const TreeDynamics& dynamics, std::size_t body, const Wrench& in_world, double sign,
                std::span<double> row);

}  // namespace davit::multibody
