#include "components/mechanism/dynamics/body_tree.h"

#include <cassert>

namespace davit::multibody {

std::size_t BodyTree::Add(std::size_t carrier, const Pose& at, const Joint& joint, const RigidBody& body) {
  assert(carrier == kBase || carrier < links_.size());
  links_.push_back({.carrier = carrier,
                    .at = at,
                    .joint = joint,
                    .body = body,
                    .position_begin = positions_,
                    .speed_begin = speeds_});
  positions_ += joint.positions();
  speeds_ += joint.speeds();
  return links_.size() - 1;
}

void BodyTree::SetToZero(std::span<double> q) const {
  for (std::size_t i = 0; i < size(); ++i) links_[i].joint.SetToZero(PositionsOf(i, q));
}

void BodyTree::FillRates(std::span<const double> q, std::span<const double> u,
                         std::span<double> q_rate) const {
  for (std::size_t i = 0; i < size(); ++i) {
    links_[i].joint.FillRates(PositionsOf(i, q), SpeedsOf(i, u), PositionsOf(i, q_rate));
  }
}

}  // namespace davit::multibody
