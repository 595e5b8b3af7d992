#include "components/mechanism/dynamics/tree_dynamics.h"

#include <algorithm>
#include <cassert>

namespace davit::multibody {
namespace {

/// inertia -= U*U'*D_inverse.
void TakeOut(const Wrench& U, double D_inverse, ArticulatedInertia& inertia) {
  const Vector3 moment = U.moment * D_inverse, force = U.force * D_inverse;
  inertia.A.noalias() -= moment * U.moment.transpose();
  inertia.B.noalias() -= moment * U.force.transpose();
  inertia.M.noalias() -= force * U.force.transpose();
}

/// sum += U*x.
void AddScaled(const Wrench& U, double x, Wrench& sum) {
  sum.moment += x * U.moment;
  sum.force += x * U.force;
}

}  // namespace

TreeDynamics::TreeDynamics(const BodyTree& tree)
    : tree_(&tree),
      moving_(tree.size()),
      axes_(tree.speeds()),
      resistances_(tree.speeds()),
      bias_forces_(tree.size()),
      drives_(tree.speeds()),
      responses_(tree.size()) {
  for (std::size_t i = 0; i < tree.size(); ++i) TakeBody(i);
}

void TreeDynamics::TakeBody(std::size_t i) {
  const RigidBody& body = (*tree_)[i].body;
  const Matrix3 C = Skew(body.centre);
  moving_[i].in_body = {body.mass, body.mass * body.centre, body.inertia - body.mass * C * C};
}

void TreeDynamics::MoveTo(const MovingBase& base, std::span<const double> q, std::span<const double> u) {
  assert(q.size() == tree_->positions() && u.size() == tree_->speeds());
  base_ = base;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const BodyTree::Link& link = (*tree_)[i];
    const auto own_q = tree_->PositionsOf(i, q);
    const auto own_u = tree_->SpeedsOf(i, u);
    const auto S = std::span(axes_).subspan(link.speed_begin, own_u.size());
    const Pose& carrier = PoseOf(link.carrier);
    Moving& m = moving_[i];
    const Matrix3 frame = carrier.R * link.at.R;
    const Pose in_joint = link.joint.PoseAt(own_q);
    m.arm = carrier.R * link.at.p + frame * in_joint.p;
    m.pose = {frame * in_joint.R, carrier.p + m.arm};
    m.bias = link.joint.FillAxes(frame, m.pose.R, own_u, S);
    Motion of_joint;
    for (std::size_t j = 0; j < own_u.size(); ++j) S[j].AddTo(of_joint, own_u[j]);
    m.v = VelocityOf(link.carrier).At(m.arm) + of_joint;
    m.bias = m.bias + m.v.Cross(of_joint);
    m.own = m.in_body.Turned(m.pose.R);
  }
}

std::optional<std::size_t> TreeDynamics::FactorInertia(std::span<const double> rotor_inertia) {
  assert(rotor_inertia.size() == axes_.size());
  constexpr double kLeast = 1e-12;  // share of the inertia that may be left along a speed
  for (Moving& m : moving_) m.outer = ArticulatedInertia::Of(m.own);
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const BodyTree::Link& link = (*tree_)[i];
    Moving& m = moving_[i];
    for (std::size_t j = link.joint.speeds(); j-- > 0;) {
      const std::size_t k = link.speed_begin + j;
      const SpeedAxis& S = axes_[k];
      Resistance& r = resistances_[k];
      r.rotor = rotor_inertia[k];
      r.U = m.outer * S;
      const double D = Power(r.U, S) + r.rotor;
      if (!(D > kLeast * m.outer.Largest(S))) return k;
      r.D_inverse = 1 / D;
      TakeOut(r.U, r.D_inverse, m.outer);
    }
    if (link.carrier != BodyTree::kBase) moving_[link.carrier].outer.AddFrom(m.arm, m.outer);
  }
  return std::nullopt;
}

Motion TreeDynamics::BaseAcceleration() const {
  Motion a = base_.acceleration;
  a.linear -= base_.gravity;
  return a;
}

void TreeDynamics::TakeDrives(std::span<const double> tau, bool has_bias) const {
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const BodyTree::Link& link = (*tree_)[i];
    const Moving& m = moving_[i];
    Wrench& p = bias_forces_[i];
    for (std::size_t j = link.joint.speeds(); j-- > 0;) {
      const std::size_t k = link.speed_begin + j;
      const Resistance& r = resistances_[k];
      drives_[k] = (tau[k] - Power(p, axes_[k])) * r.D_inverse;
      AddScaled(r.U, drives_[k], p);
    }
    if (link.carrier == BodyTree::kBase) continue;
    bias_forces_[link.carrier] += (has_bias ? p + m.outer * m.bias : p).From(m.arm);
  }
}

void TreeDynamics::AddSpeeds(std::size_t i, std::span<double> u_rate, Motion& a) const {
  const BodyTree::Link& link = (*tree_)[i];
  for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k) {
    const Resistance& r = resistances_[k];
    u_rate[k] = drives_[k] - Power(r.U, a) * r.D_inverse;
    axes_[k].AddTo(a, u_rate[k]);
  }
}

void TreeDynamics::Accelerate(std::span<const Wrench> wrenches, std::span<const double> tau,
                              std::span<double> u_rate) {
  assert(wrenches.size() == moving_.size() && tau.size() == axes_.size());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Moving& m = moving_[i];
    bias_forces_[i] = Cross(m.v, m.own * m.v) - wrenches[i];
  }
  TakeDrives(tau, true);
  const Motion of_base = BaseAcceleration();
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    Moving& m = moving_[i];
    m.a = CarrierAcceleration(i, of_base).At(m.arm) + m.bias;
    AddSpeeds(i, u_rate, m.a);
  }
}

void TreeDynamics::SolveMass(std::span<const double> tau, std::span<double> u_rate) const {
  assert(tau.size() == axes_.size() && u_rate.size() == axes_.size());
  std::ranges::fill(bias_forces_, Wrench{});
  TakeDrives(tau, false);
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const std::size_t carrier = (*tree_)[i].carrier;
    Motion& a = responses_[i];
    a = carrier == BodyTree::kBase ? Motion{} : responses_[carrier].At(moving_[i].arm);
    AddSpeeds(i, u_rate, a);
  }
}

void TreeDynamics::SetAccelerations(std::span<const double> u_rate) {
  const Motion of_base = BaseAcceleration();
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const BodyTree::Link& link = (*tree_)[i];
    Moving& m = moving_[i];
    m.a = CarrierAcceleration(i, of_base).At(m.arm) + m.bias;
    for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k) {
      axes_[k].AddTo(m.a, u_rate[k]);
    }
  }
}

void TreeDynamics::FillReactions(std::span<const Wrench> wrenches, std::span<Wrench> reactions) const {
  assert(wrenches.size() == moving_.size() && reactions.size() == moving_.size());
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const Moving& m = moving_[i];
    reactions[i] = m.own * m.a + Cross(m.v, m.own * m.v) - wrenches[i];
  }
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const std::size_t carrier = (*tree_)[i].carrier;
    if (carrier != BodyTree::kBase) reactions[carrier] += reactions[i].From(moving_[i].arm);
  }
}

void TreeDynamics::FillJointForces(std::span<const Wrench> reactions, std::span<const double> u_rate,
                                   std::span<double> tau) const {
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const BodyTree::Link& link = (*tree_)[i];
    for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k) {
      tau[k] = Power(reactions[i], axes_[k]) + resistances_[k].rotor * u_rate[k];
    }
  }
}

Motion TreeDynamics::AccelerationOf(std::size_t i) const {
  if (i == BodyTree::kBase) return base_.acceleration;
  Motion a = moving_[i].a;
  a.linear += base_.gravity;
  return a;
}

double TreeDynamics::KineticEnergy() const {
  double energy = 0;
  for (const Moving& m : moving_) energy += Power(m.own * m.v, m.v) / 2;
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
