#include "components/mechanism/dynamics/joint_space.h"

#include <array>
#include <cassert>
#include <cmath>

namespace davit::multibody {
namespace {

constexpr std::size_t kMostSpeeds = 6;  // of a free joint

/// R turned by an angle about an axis of its own frame.
Matrix3 Turned(const Matrix3& R, const Vector3& axis, double angle) {
  const double sine = std::sin(angle), cosine = std::cos(angle);
  const Vector3 s = sine * axis, c = (1 - cosine) * axis;
  Matrix3 turn;
  turn << c.x() * axis.x() + cosine, c.x() * axis.y() - s.z(), c.x() * axis.z() + s.y(),  //
      c.y() * axis.x() + s.z(), c.y() * axis.y() + cosine, c.y() * axis.z() - s.x(),      //
      c.z() * axis.x() - s.y(), c.z() * axis.y() + s.x(), c.z() * axis.z() + cosine;
  return R * turn;
}

}  // namespace

JointSpace::JointSpace(const BodyTree& tree) : tree_(&tree), moving_(tree.size()), columns_(tree.speeds()) {
  const auto n = static_cast<Eigen::Index>(columns_.size());
  M_.setZero(n, n);
  h_.setZero(n);
  weights_.setZero(n);
}

void JointSpace::MoveBody(std::size_t i, std::span<const double> q, std::span<const double> u) {
  const BodyTree::Link& link = (*tree_)[i];
  const Moving& carrier = At(link.carrier);
  Moving& m = moving_[i];
  m.pose = carrier.pose * link.at;
  Motion of_joint;
  Motion* const columns = columns_.data() + link.speed_begin;
  if (link.joint.kind() == JointKind::kRevolute) {
    const Vector3 axis = m.pose.R * link.joint.axis();
    m.pose.R = Turned(m.pose.R, link.joint.axis(), q[link.position_begin]);
    columns[0] = {axis, m.pose.p.cross(axis)};
    const double rate = u[link.speed_begin];
    of_joint = {rate * columns[0].angular, rate * columns[0].linear};
    m.v = carrier.v + of_joint;
    m.a = carrier.a + m.v.Cross(of_joint);
    return;
  }
  const auto own_q = tree_->PositionsOf(i, q);
  const auto own_u = tree_->SpeedsOf(i, u);
  const Matrix3 frame = m.pose.R;
  m.pose = m.pose * link.joint.PoseAt(own_q);
  std::array<SpeedAxis, kMostSpeeds> axes;
  const Motion bias = link.joint.FillAxes(frame, m.pose.R, own_u, std::span(axes).first(own_u.size()));
  for (std::size_t j = 0; j < own_u.size(); ++j) {
    Motion of_speed;
    axes[j].AddTo(of_speed, 1);
    columns[j] = of_speed.At(-m.pose.p);
    of_joint.angular += own_u[j] * columns[j].angular;
    of_joint.linear += own_u[j] * columns[j].linear;
  }
  m.v = carrier.v + of_joint;
  m.a = carrier.a + m.v.Cross(of_joint) + bias.At(-m.pose.p);
}

void JointSpace::TakeBody(std::size_t i) {
  const RigidBody& body = (*tree_)[i].body;
  Moving& m = moving_[i];
  const Vector3 centre = m.pose * body.centre;
  const Vector3 moment = body.mass * centre;
  const Matrix3 R_inertia = m.pose.R * body.inertia;
  const double square = moment.dot(centre);
  for (int j = 0; j < 3; ++j) {
    for (int k = j; k < 3; ++k) {
      const double turned =
          R_inertia.row(k).dot(m.pose.R.row(j)) - moment[k] * centre[j] + (k == j ? square : 0);
      m.all.inertia(k, j) = m.all.inertia(j, k) = turned;
    }
  }
  m.all.mass = body.mass;
  m.all.moment = moment;
  m.force = m.all * m.a + Cross(m.v, m.all * m.v);
}

[[gnu::flatten]] void JointSpace::MoveTo(const MovingBase& base, std::span<const double> q,
                                         std::span<const double> u) {
  assert(q.size() == tree_->positions() && u.size() == tree_->speeds());
  base_.pose = base.pose;
  base_.v = base.velocity.At(-base.pose.p);
  base_acceleration_ = base_.a = base.acceleration.At(-base.pose.p);
  base_.a.linear -= base.gravity;
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    MoveBody(i, q, u);
    TakeBody(i);
  }
  Vector3 moment = Vector3::Zero();
  for (std::size_t i = moving_.size(); i-- > 0;) {
    const BodyTree::Link& link = (*tree_)[i];
    const Moving& m = moving_[i];
    const std::size_t begin = link.speed_begin, end = begin + link.joint.speeds();
    for (std::size_t k = begin; k < end; ++k) {
      const Motion& S = columns_[k];
      const auto row = static_cast<Eigen::Index>(k);
      h_[row] = Power(m.force, S);
      weights_[row] = -base.gravity.dot(m.all.mass * S.linear + S.angular.cross(m.all.moment));
      const Wrench momentum = m.all * S;
      const auto couple = [&](std::size_t j) {
        const auto column = static_cast<Eigen::Index>(j);
        M_(row, column) = M_(column, row) = Power(momentum, columns_[j]);
      };
      for (std::size_t j = begin; j <= k; ++j) couple(j);
      for (std::size_t c = link.carrier; c != BodyTree::kBase; c = (*tree_)[c].carrier) {
        const BodyTree::Link& carrier = (*tree_)[c];
        for (std::size_t j = 0; j < carrier.joint.speeds(); ++j) couple(carrier.speed_begin + j);
      }
    }
    if (link.carrier == BodyTree::kBase) {
      moment += m.all.moment;
      continue;
    }
    Moving& carrier = moving_[link.carrier];
    carrier.all.mass += m.all.mass;
    carrier.all.moment += m.all.moment;
    carrier.all.inertia += m.all.inertia;
    carrier.force += m.force;
  }
  potential_energy_ = -base.gravity.dot(moment);
}

void JointSpace::AddForce(std::size_t i, const Vector3& place, const Vector3& force,
                          Eigen::Ref<Eigen::VectorXd> tau) const {
  const Wrench wrench{place.cross(force), force};
  for (; i != BodyTree::kBase; i = (*tree_)[i].carrier) {
    const BodyTree::Link& link = (*tree_)[i];
    for (std::size_t k = link.speed_begin; k < link.speed_begin + link.joint.speeds(); ++k)
      tau[static_cast<Eigen::Index>(k)] += Power(wrench, columns_[k]);
  }
}

}  // namespace davit::multibody
