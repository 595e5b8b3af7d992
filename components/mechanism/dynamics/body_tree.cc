#include "components/mechanism/dynamics/body_tree.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace davit::multibody {

RigidBody RigidBody::WithPoint(double point_mass, const Vector3& place) const {
  if (!(point_mass > 0)) return *this;
  const double sum = mass + point_mass;
  const Matrix3 arm = Skew(place - centre);
  return {.mass = sum,
          .centre = (mass * centre + point_mass * place) / sum,
          .inertia = inertia - mass * point_mass / sum * arm * arm};
}

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

const Joint& BodyTree::JointOfSpeed(std::size_t k) const {
  const auto after = std::ranges::upper_bound(links_, k, {}, &Link::speed_begin);
  return std::prev(after)->joint;
}

}  // namespace davit::multibody
