#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/loop.h"
#include "components/mechanism/dynamics/spanned_joint.h"
#include "components/mechanism/dynamics/tree_dynamics.h"

namespace davit::multibody {

/// Straight pieces from anchor to anchor: what a cylinder between two, or a wire over sheaves without
/// friction and without size, measures and acts along.
using Path = std::vector<Anchor>;

/// Length [m] of a path, its rate and the rate of that.
struct PathValue {
  double length = 0, rate = 0, second_rate = 0;

  /// Pre: the ends of no piece meet.
  PathValue(const TreeDynamics& dynamics, std::span<const Anchor> path);
};

/// Adds the derivatives of the rate by the speeds to `row`.
void AddPathRow(const TreeDynamics& dynamics, std::span<const Anchor> path, std::span<double> row);

/// Adds to the wrenches on the bodies those of a force along the path [N] that makes it longer; a wire under
/// tension has a negative one.
void AddPathForce(const TreeDynamics& dynamics, std::span<const Anchor> path, double force,
                  std::span<Wrench> wrenches);

/// A path of one piece over one joint of one speed: its length follows from the place of this joint alone, so
/// a force along it is a force of the joint, and a mass that moves with it one of the joint.
class JointPath {
 public:
  /// Nothing if the path is another one.
  static std::optional<JointPath> Of(const BodyTree& tree, std::span<const Anchor> path);

  /// Where the bodies have been moved to.
  SpannedJoint::Point At(const TreeDynamics& dynamics) const;
  /// Over a full turn of the joint; nothing if it does not turn.
  std::optional<SpannedJoint::Range> Lengths(const TreeDynamics& dynamics) const;
  std::size_t speed() const { return speed_; }

 private:
  JointPath(const Anchor& on_carrier, const Anchor& on_body, std::size_t speed)
      : on_carrier_(on_carrier), on_body_(on_body), speed_(speed) {}

  Anchor on_carrier_, on_body_;
  std::size_t speed_;
};

/// The length of the shortest piece [m].
double ShortestPiece(const TreeDynamics& dynamics, std::span<const Anchor> path);

}  // namespace davit::multibody
