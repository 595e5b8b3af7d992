#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "components/mechanism/dynamics/loop.h"
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

/// The length of the shortest piece [m].
double ShortestPiece(const TreeDynamics& dynamics, std::span<const Anchor> path);

}  // namespace davit::multibody
