#include "components/mechanism/dynamics/path.h"

#include <algorithm>
#include <limits>

namespace davit::multibody {
namespace {

LoopEquation DistanceEquation() { return {.form = LoopEquation::Form::kDistance}; }

Vector3 PlaceOf(const TreeDynamics& dynamics, const Anchor& anchor) {
  return dynamics.PoseOf(anchor.body) * anchor.at.p;
}

/// Calls use(a, b) for each piece.
template <class Use>
void ForEachPiece(std::span<const Anchor> path, const Use& use) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) use(path[i], path[i + 1]);
}

}  // namespace

PathValue::PathValue(const TreeDynamics& dynamics, std::span<const Anchor> path) {
  ForEachPiece(path, [&](const Anchor& a, const Anchor& b) {
    const LoopValue piece(DistanceEquation(), AnchorMotion(dynamics, a), AnchorMotion(dynamics, b));
    length += piece.phi;
    rate += piece.rate;
    second_rate += piece.second_rate;
  });
}

void AddPathRow(const TreeDynamics& dynamics, std::span<const Anchor> path, std::span<double> row) {
  ForEachPiece(path, [&](const Anchor& a, const Anchor& b) {
    const Vector3 at_b = PlaceOf(dynamics, b);
    const Vector3 d = (at_b - PlaceOf(dynamics, a)).normalized();
    const Wrench on_b{at_b.cross(d), d};
    AddBodyRow(dynamics, b.body, on_b, 1, row);
    AddBodyRow(dynamics, a.body, on_b, -1, row);
  });
}

void AddPathForce(const TreeDynamics& dynamics, std::span<const Anchor> path, double force,
                  std::span<Wrench> wrenches) {
  ForEachPiece(path, [&](const Anchor& a, const Anchor& b) {
    const Vector3 at_a = PlaceOf(dynamics, a), at_b = PlaceOf(dynamics, b);
    const Vector3 push = force * (at_b - at_a).normalized();
    AddForce(dynamics, b.body, at_b, push, wrenches);
    AddForce(dynamics, a.body, at_a, -push, wrenches);
  });
}

std::optional<JointPath> JointPath::Of(const BodyTree& tree, std::span<const Anchor> path) {
  if (path.size() != 2) return std::nullopt;
  const auto carries = [&](const Anchor& carrier, const Anchor& body) {
    return body.body != BodyTree::kBase && tree[body.body].carrier == carrier.body &&
           tree[body.body].joint.speeds() == 1;
  };
  if (carries(path[0], path[1])) return JointPath(path[0], path[1], tree[path[1].body].speed_begin);
  if (carries(path[1], path[0])) return JointPath(path[1], path[0], tree[path[0].body].speed_begin);
  return std::nullopt;
}

SpannedJoint::Point JointPath::At(const TreeDynamics& dynamics) const {
  const Vector3 at_body = PlaceOf(dynamics, on_body_);
  const Vector3 r = at_body - PlaceOf(dynamics, on_carrier_);
  const SpeedAxis& S = dynamics.AxisOf(speed_);
  // r' and r'' by the place of the joint.
  const Vector3 rate = S.turns ? S.direction.cross(at_body - dynamics.PoseOf(on_body_.body).p) : S.direction;
  const Vector3 second_rate = S.turns ? S.direction.cross(rate) : Vector3::Zero();
  const double length = r.norm(), lever_arm = r.dot(rate) / length;
  return {length, lever_arm, (rate.squaredNorm() + r.dot(second_rate) - lever_arm * lever_arm) / length};
}

std::optional<SpannedJoint::Range> JointPath::Lengths(const TreeDynamics& dynamics) const {
  const SpeedAxis& S = dynamics.AxisOf(speed_);
  if (!S.turns) return std::nullopt;
  const Vector3& joint = dynamics.PoseOf(on_body_.body).p;
  return SpannedJoint(S.direction, PlaceOf(dynamics, on_carrier_) - joint,
                      PlaceOf(dynamics, on_body_) - joint)
      .Lengths();
}

double ShortestPiece(const TreeDynamics& dynamics, std::span<const Anchor> path) {
  double shortest = std::numeric_limits<double>::infinity();
  ForEachPiece(path, [&](const Anchor& a, const Anchor& b) {
    shortest = std::min(shortest, (PlaceOf(dynamics, b) - PlaceOf(dynamics, a)).norm());
  });
  return shortest;
}

}  // namespace davit::multibody
