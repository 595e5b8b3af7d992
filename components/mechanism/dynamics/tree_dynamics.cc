#include "components/mechanism/dynamics/tree_dynamics.h"

#include <algorithm>
#include <cassert>

namespace davit::multibody {
namespace {

/// inertia -= U*U'*D_inverse.
void TakeOut(const Wrench& U, double D_inverse, SpatialInertia& inertia) {
  const Vector3 moment = U.moment * D_inverse, force = U.force * D_inverse;
  inertia.A.noalias() -= moment * U.moment.transpose();
  inertia.B.noalias() -= moment * U.force.transpose();
  inertia.M.noalias() -= force * U.force.transpose();
}

/// sum += S*x.
void AddScaled(const Motion& S, double x, Motion& sum) {
  sum.angular += x * S.angular;
  sum.linear += x * S.linear;
}
void AddScaled(const Wrench& U, double x, Wrench& sum) {
  sum.moment += x * U.moment;
  sum.force += x * U.force;
}

}  // namespace

TreeDynamics::TreeDynamics(const BodyTree& tree)
    : tree_(&tree),
      moving_(tree.size()),
      columns_(tree.speeds()),
      bias_forces_(tree.size()),
      drives_(tree.speeds()),
      responses_(tree.size()) {
  for (std::size_t i = 0; i < tree.size(); ++i) TakeBody(i);
}

void TreeDynamics::TakeBody(std::size_t i) {
  const RigidBody& body = (*tree_)[i].body;
  moving_[i].own = SpatialInertia::OfBody(body.mass, body.centre, body.inertia);
}

void TreeDynamics::MoveTo(const MovingBase& base, std::span<const double> q, std::span<const double> u) {
  assert(q.size() == tree_->positions() && u.size() == tree_->speeds());
  base_ = base;
  Eigen::Matrix<double, 6, static_cast<int>(Joint::kMostSpeeds)> S;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const BodyTree::Link& link = (*tree_)[i];
    const auto own_q = tree_->PositionsOf(i, q);
    const auto own_u = tree_->SpeedsOf(i, u);
    Moving& m = moving_[i];
    m.in_carrier = link.at * link.joint.PoseAt(own_q);
    m.pose = PoseOf(link.carrier) * m.in_carrier;
    link.joint.FillMotion(own_q, S.leftCols(static_cast<Eigen::Index>(own_u.size())));
    Motion of_joint;
    for (std::size_t j = 0; j < own_u.size(); ++j) {
      const auto column = S.col(static_cast<Eigen::Index>(j));
      Motion& own = columns_[link.speed_begin + j].S;
      own = {column.head<3>(), column.tail<3>()};
      AddScaled(own, own_u[j], of_joint);
    }
    m.v = VelocityOf(link.carrier).SeenFrom(m.in_carrier) + of_joint;
    m.bias = link.joint.Bias(own_q, own_u) + m.v.Cross(of_joint);
  }
}

std::optional<std::size_t> TreeDynamics::FactorInertia(std::span<const double> rotor_inertia) {
  assert(rotor_inertia.size() == columns_.size());
  constexpr double kLeast = 1e-12;  // share of the inertia that may be left along a speed
  for (Moving& m : moving_) m.outer = m.own;
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const BodyTree::Link& link = (*tree_)[i];
    Moving& m = moving_[i];
    for (std::size_t j = link.joint.speeds(); j-- > 0;) {
      const std::size_t k = link.speed_begin + j;
      ColumnOfMotion& c = columns_[k];
      c.rotor = rotor_inertia[k];
      c.U = m.outer * c.S;
      const double D = Power(c.U, c.S) + c.rotor;
      const double scale =
          m.outer.A.trace() * c.S.angular.squaredNorm() + m.outer.M.trace() * c.S.linear.squaredNorm();
      if (!(D > kLeast * scale)) return k;
      c.D_inverse = 1 / D;
      TakeOut(c.U, c.D_inverse, m.outer);
    }
    if (link.carrier != BodyTree::kBase) moving_[link.carrier].outer += m.outer.SeenFromOutside(m.in_carrier);
  }
  return std::nullopt;
}

Motion TreeDynamics::BaseAcceleration() const {
  Motion a = base_.acceleration;
  a.linear -= base_.pose.R.transpose() * base_.gravity;
  return a;
}

void TreeDynamics::TakeDrives(std::span<const double> tau, bool has_bias) const {
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const BodyTree::Link& link = (*tree_)[i];
    const Moving& m = moving_[i];
    Wrench& p = bias_forces_[i];
    for (std::size_t j = link.joint.speeds(); j-- > 0;) {
      const std::size_t k = link.speed_begin + j;
      const ColumnOfMotion& c = columns_[k];
      drives_[k] = (tau[k] - Power(p, c.S)) * c.D_inverse;
      AddScaled(c.U, drives_[k], p);
    }
    if (link.carrier == BodyTree::kBase) continue;
    bias_forces_[link.carrier] += (has_bias ? p + m.outer * m.bias : p).SeenFromOutside(m.in_carrier);
  }
}

void TreeDynamics::AddSpeeds(std::size_t i, std::span<double> u_rate, Motion& a) const {
  const BodyTree::Link& link = (*tree_)[i];
  for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k) {
    const ColumnOfMotion& c = columns_[k];
    u_rate[k] = drives_[k] - Power(c.U, a) * c.D_inverse;
    AddScaled(c.S, u_rate[k], a);
  }
}

void TreeDynamics::Accelerate(std::span<const Wrench> wrenches, std::span<const double> tau,
                              std::span<double> u_rate) {
  assert(wrenches.size() == moving_.size() && tau.size() == columns_.size());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Moving& m = moving_[i];
    bias_forces_[i] = Cross(m.v, m.own.OfRigidBody(m.v)) - wrenches[i];
  }
  TakeDrives(tau, true);
  const Motion of_base = BaseAcceleration();
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    Moving& m = moving_[i];
    m.a = CarrierAcceleration(i, of_base).SeenFrom(m.in_carrier) + m.bias;
    AddSpeeds(i, u_rate, m.a);
  }
}

void TreeDynamics::SolveMass(std::span<const double> tau, std::span<double> u_rate) const {
  assert(tau.size() == columns_.size() && u_rate.size() == columns_.size());
  std::ranges::fill(bias_forces_, Wrench{});
  TakeDrives(tau, false);
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const std::size_t carrier = (*tree_)[i].carrier;
    Motion& a = responses_[i];
    a = carrier == BodyTree::kBase ? Motion{} : responses_[carrier].SeenFrom(moving_[i].in_carrier);
    AddSpeeds(i, u_rate, a);
  }
}

void TreeDynamics::SetAccelerations(std::span<const double> u_rate) {
  const Motion of_base = BaseAcceleration();
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const BodyTree::Link& link = (*tree_)[i];
    Moving& m = moving_[i];
    m.a = CarrierAcceleration(i, of_base).SeenFrom(m.in_carrier) + m.bias;
    for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k) {
      AddScaled(columns_[k].S, u_rate[k], m.a);
    }
  }
}

void TreeDynamics::FillReactions(std::span<const Wrench> wrenches, std::span<Wrench> reactions) const {
  assert(wrenches.size() == moving_.size() && reactions.size() == moving_.size());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Moving& m = moving_[i];
    reactions[i] = m.own.OfRigidBody(m.a) + Cross(m.v, m.own.OfRigidBody(m.v)) - wrenches[i];
  }
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const std::size_t carrier = (*tree_)[i].carrier;
    if (carrier != BodyTree::kBase) reactions[carrier] += reactions[i].SeenFromOutside(moving_[i].in_carrier);
  }
}

void TreeDynamics::FillJointForces(std::span<const Wrench> reactions, std::span<const double> u_rate,
                                   std::span<double> tau) const {
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const BodyTree::Link& link = (*tree_)[i];
    for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k) {
      tau[k] = Power(reactions[i], columns_[k].S) + columns_[k].rotor * u_rate[k];
    }
  }
}

Motion TreeDynamics::AccelerationOf(std::size_t i) const {
  if (i == BodyTree::kBase) return base_.acceleration;
  Motion a = moving_[i].a;
  a.linear += moving_[i].pose.R.transpose() * base_.gravity;
  return a;
}

double TreeDynamics::KineticEnergy() const {
  double energy = 0;
  for (const Moving& m : moving_) energy += Power(m.own.OfRigidBody(m.v), m.v) / 2;
  return energy;
}

double TreeDynamics::PotentialEnergy() const {
  double energy = 0;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const RigidBody& body = (*tree_)[i].body;
    energy -= body.mass * base_.gravity.dot(moving_[i].pose * body.centre);
  }
  return energy;
}

}  // namespace davit::multibody
