#include "components/mechanism/dynamics/tree_derivatives.h"

#include <algorithm>
#include <cassert>

namespace davit::multibody {
namespace {

/// A step along a change of an anchor [1]: curvature and rounding are both below 1e-9 of what changes.
constexpr double kStep = 1e-5;

Motion Scaled(const Motion& motion, double x) { return {x * motion.angular, x * motion.linear}; }
void AddScaled(Motion& sum, const Motion& motion, double x) { sum = sum + Scaled(motion, x); }

/// About the origin of the world.
RigidInertia InWorld(const RigidBody& body, const Pose& pose) {
  const Vector3 centre = pose * body.centre;
  const Matrix3 C = Skew(centre);
  return {body.mass, body.mass * centre, pose.R * body.inertia * pose.R.transpose() - body.mass * C * C};
}

}  // namespace

struct TreeDerivatives::AnchorChange {
  Matrix3 R = Matrix3::Zero();
  Vector3 p, v, w, a, w_rate;

  AnchorMotion Apply(AnchorMotion anchor, double step) const {
    anchor.pose.R += step * R;
    anchor.pose.p += step * p;
    anchor.v += step * v;
    anchor.w += step * w;
    anchor.a += step * a;
    anchor.w_rate += step * w_rate;
    return anchor;
  }
};

TreeDerivatives::TreeDerivatives(const TreeDynamics& dynamics)
    : dynamics_(dynamics), tree_(dynamics.tree()), moving_(tree_.size()), axes_(tree_.speeds()) {
  const auto n = static_cast<Eigen::Index>(tree_.speeds());
  by_place_.setZero(n, n);
  by_speed_.setZero(n, n);
  between_.reserve(tree_.speeds());
  signs_.reserve(tree_.speeds());
  for (std::size_t i = 0; i < tree_.size(); ++i) {
    const Joint& joint = tree_[i].joint;
    ForEachSpeed(i, [&](std::size_t k) {
      axes_[k].body = i;
      axes_[k].is_of_quaternion =
          joint.has_quaternion() && k - tree_[i].speed_begin >= joint.quaternion_begin();
    });
  }
}

void TreeDerivatives::TakeBody(std::size_t i, std::span<const double> u, std::span<const double> u_rate) {
  const BodyTree::Link& link = tree_[i];
  Moving& m = moving_[i];
  const bool is_on_base = link.carrier == BodyTree::kBase;
  m.v = is_on_base ? base_v_ : moving_[link.carrier].v;
  m.a = is_on_base ? base_a_ : moving_[link.carrier].a;
  const Pose& pose = dynamics_.PoseOf(i);
  // The axes of a quaternion are fixed in the body, so they move together.
  std::size_t first_turn = link.speed_begin + link.joint.speeds();
  ForEachSpeed(i, [&](std::size_t k) {
    Axis& axis = axes_[k];
    Motion S;
    dynamics_.AxisOf(k).AddTo(S, 1);
    axis.S = S.At(-pose.p);
    if (axis.is_of_quaternion) return first_turn = std::min(first_turn, k), void();
    axis.v = m.v;
    axis.a = m.a;
    axis.S_rate = m.v.Cross(axis.S);
    AddScaled(m.v, axis.S, u[k]);
    AddScaled(m.a, axis.S, u_rate[k]);
    AddScaled(m.a, axis.S_rate, u[k]);
  });
  const std::size_t end = link.speed_begin + link.joint.speeds();
  const Motion v = m.v, a = m.a;
  for (std::size_t k = first_turn; k < end; ++k) AddScaled(m.v, axes_[k].S, u[k]);
  for (std::size_t k = first_turn; k < end; ++k) {
    Axis& axis = axes_[k];
    axis.v = v;
    axis.a = a;
    axis.S_rate = m.v.Cross(axis.S);
    AddScaled(m.a, axis.S, u_rate[k]);
    AddScaled(m.a, axis.S_rate, u[k]);
  }
  ForEachSpeed(i, [&](std::size_t k) { axes_[k].turned_v = axes_[k].S.Cross(axes_[k].v); });
  m.inertia = InWorld(link.body, pose);
  m.momentum = m.inertia * m.v;
  m.outer = m.inertia * m.a + Cross(m.v, m.momentum);
}

void TreeDerivatives::Begin(std::span<const double> u, std::span<const double> u_rate) {
  assert(u.size() == axes_.size() && u_rate.size() == axes_.size());
  const Vector3 to_world = -dynamics_.PoseOf(BodyTree::kBase).p;
  base_v_ = dynamics_.VelocityOf(BodyTree::kBase).At(to_world);
  base_a_ = dynamics_.AccelerationOf(BodyTree::kBase).At(to_world);
  base_a_.linear -= dynamics_.gravity();
  for (std::size_t i = 0; i < moving_.size(); ++i) TakeBody(i, u, u_rate);
  for (std::size_t i = moving_.size(); i-- > 0;) {
    if (tree_[i].carrier != BodyTree::kBase) moving_[tree_[i].carrier].outer += moving_[i].outer;
  }
  by_place_.setZero();
  by_speed_.setZero();
  for (std::size_t j = 0; j < axes_.size(); ++j) Differentiate(j);
}

void TreeDerivatives::Differentiate(std::size_t j) {
  const Axis& axis = axes_[j];
  const auto column = static_cast<Eigen::Index>(j);
  const Motion turned_a = axis.S.Cross(axis.a);
  const auto changed = [](const Moving& m, const Motion& v, const Motion& a) {
    return m.inertia * a + Cross(v, m.momentum) + Cross(m.v, m.inertia * v);
  };
  const Motion back = Scaled(axis.turned_v, -1);
  for (std::size_t i = axis.body; i < moving_.size(); ++i) {
    Moving& m = moving_[i];
    const std::size_t carrier = tree_[i].carrier;
    m.is_moved =
        i == axis.body || (carrier != BodyTree::kBase && carrier >= axis.body && moving_[carrier].is_moved);
    if (!m.is_moved) continue;
    const Motion own_v = m.v - axis.v;
    // Seen from a frame that the place moves along, the rest of the world turns back.
    m.by_place = changed(m, back, back.Cross(own_v) - turned_a);
    m.by_speed = changed(m, axis.S, axis.S_rate + axis.S.Cross(own_v));
  }
  for (std::size_t i = moving_.size(); i-- > axis.body;) {
    const Moving& m = moving_[i];
    if (!m.is_moved) continue;
    ForEachSpeed(i, [&](std::size_t k) {
      if (!Moves(axis, j, k)) return;
      const auto row = static_cast<Eigen::Index>(k);
      by_place_(row, column) = Power(m.by_place, axes_[k].S);
      by_speed_(row, column) = Power(m.by_speed, axes_[k].S);
    });
    if (i == axis.body) break;
    moving_[tree_[i].carrier].by_place += m.by_place;
    moving_[tree_[i].carrier].by_speed += m.by_speed;
  }
  const Moving& own = moving_[axis.body];
  const Wrench by_place = own.by_place + Cross(axis.S, own.outer);
  for (std::size_t i = axis.body; i != BodyTree::kBase; i = tree_[i].carrier) {
    ForEachSpeed(i, [&](std::size_t k) {
      if (i == axis.body && Moves(axis, j, k)) return;
      const auto row = static_cast<Eigen::Index>(k);
      by_place_(row, column) = Power(by_place, axes_[k].S);
      by_speed_(row, column) = Power(own.by_speed, axes_[k].S);
    });
  }
}

TreeDerivatives::AnchorChange TreeDerivatives::Change(const Motion& S, const Motion& v, const Motion& a,
                                                      const Motion& v_change, const Motion& a_change,
                                                      const AnchorMotion& anchor) {
  const Vector3& place = anchor.pose.p;
  AnchorChange change;
  for (int j = 0; j < 3; ++j) change.R.col(j) = S.angular.cross(anchor.pose.R.col(j));
  change.p = S.At(place).linear;
  change.v = v_change.At(place).linear + v.angular.cross(change.p);
  change.w = v_change.angular;
  change.w_rate = a_change.angular;
  change.a = a_change.At(place).linear + a.angular.cross(change.p) + change.w.cross(anchor.v) +
             v.angular.cross(change.v);
  return change;
}

TreeDerivatives::AnchorChange TreeDerivatives::ChangeByPlace(const Axis& axis, std::size_t body,
                                                             const AnchorMotion& anchor) const {
  const Moving& m = moving_[body];
  const Motion own_v = m.v - axis.v;
  return Change(axis.S, m.v, m.a, axis.S.Cross(own_v),
                axis.S.Cross(m.a - axis.a) - axis.turned_v.Cross(own_v), anchor);
}

TreeDerivatives::AnchorChange TreeDerivatives::ChangeBySpeed(const Axis& axis, std::size_t body,
                                                             const AnchorMotion& anchor) const {
  const Moving& m = moving_[body];
  return Change({}, m.v, m.a, axis.S, axis.S_rate + axis.S.Cross(m.v - axis.v), anchor);
}

void TreeDerivatives::AddEquation(const Anchor& a, const Anchor& b, const LoopEquation& equation,
                                  double force, const EquationRows& rows) {
  between_.clear();
  signs_.clear();
  // What carries both moves them together. A carrier comes before what it carries.
  for (std::size_t i = a.body, k = b.body; i != k;) {
    const bool is_b = i == BodyTree::kBase || (k != BodyTree::kBase && k > i);
    std::size_t& outer = is_b ? k : i;
    ForEachSpeed(outer, [&](std::size_t j) {
      between_.push_back(j);
      signs_.push_back(is_b ? 1 : -1);
    });
    outer = tree_[outer].carrier;
  }
  const AnchorMotion at_a(dynamics_, a), at_b(dynamics_, b);
  const Wrench on_b = LoopValue(equation, at_a, at_b).on_b;
  for (std::size_t n = 0; n < between_.size(); ++n) {
    const std::size_t j = between_[n];
    const Axis& axis = axes_[j];
    const bool is_b = signs_[n] > 0;
    const auto value = [&](const AnchorChange& change, double step) {
      return is_b ? LoopValue(equation, at_a, change.Apply(at_b, step))
                  : LoopValue(equation, change.Apply(at_a, step), at_b);
    };
    const std::size_t body = is_b ? b.body : a.body;
    const AnchorMotion& anchor = is_b ? at_b : at_a;
    const AnchorChange by_place = ChangeByPlace(axis, body, anchor);
    const LoopValue above = value(by_place, kStep), below = value(by_place, -kStep);
    constexpr double kPerStep = 1 / (2 * kStep);
    rows.rate_by_place[j] += kPerStep * (above.rate - below.rate);
    rows.second_by_place[j] += kPerStep * (above.second_rate - below.second_rate);
    // It is a square of the speeds, so the step may be any.
    const AnchorChange by_speed = ChangeBySpeed(axis, body, anchor);
    rows.second_by_speed[j] += (value(by_speed, 1).second_rate - value(by_speed, -1).second_rate) / 2;
    if (force == 0) continue;
    const Wrench change{kPerStep * force * (above.on_b.moment - below.on_b.moment),
                        kPerStep * force * (above.on_b.force - below.on_b.force)};
    for (std::size_t l = 0; l < between_.size(); ++l) {
      const std::size_t k = between_[l];
      double torque = Power(change, axes_[k].S);
      const bool is_outer = signs_[l] == signs_[n] && axes_[k].body >= axis.body;
      if (is_outer && Moves(axis, j, k)) torque += force * Power(on_b, axis.S.Cross(axes_[k].S));
      by_place_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) -= signs_[l] * torque;
    }
  }
}

void TreeDerivatives::AddMass(double mass, std::span<const double> row, const EquationRows& rows) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] == 0) continue;
    for (std::size_t j = 0; j < row.size(); ++j) {
      by_place_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) +=
          mass * row[k] * rows.second_by_place[j];
      by_speed_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) +=
          mass * row[k] * rows.second_by_speed[j];
    }
  }
}

void TreeDerivatives::AddPointForce(const Anchor& at, const PointForce& force) {
  const AnchorMotion anchor(dynamics_, at);
  const Vector3& place = anchor.pose.p;
  const Wrench on_body{place.cross(force.force), force.force};
  for (std::size_t body = at.body; body != BodyTree::kBase; body = tree_[body].carrier) {
    ForEachSpeed(body, [&](std::size_t j) {
      const Axis& axis = axes_[j];
      const AnchorChange by_place = ChangeByPlace(axis, at.body, anchor);
      const Vector3 moved = force.by_place * by_place.p + force.by_velocity * by_place.v;
      const Wrench place_change{place.cross(moved) + by_place.p.cross(force.force), moved};
      const Vector3 faster = force.by_velocity * ChangeBySpeed(axis, at.body, anchor).v;
      const Wrench speed_change{place.cross(faster), faster};
      for (std::size_t i = at.body; i != BodyTree::kBase; i = tree_[i].carrier) {
        ForEachSpeed(i, [&](std::size_t k) {
          double torque = Power(place_change, axes_[k].S);
          if (i >= body && Moves(axis, j, k)) torque += Power(on_body, axis.S.Cross(axes_[k].S));
          by_place_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) -= torque;
          by_speed_(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(j)) -=
              Power(speed_change, axes_[k].S);
        });
      }
    });
  }
}

void TreeDerivatives::FillPointRows(const Anchor& at, PointRows& rows) const {
  const AnchorMotion anchor(dynamics_, at);
  for (std::size_t body = at.body; body != BodyTree::kBase; body = tree_[body].carrier) {
    ForEachSpeed(body, [&](std::size_t j) {
      const AnchorChange by_place = ChangeByPlace(axes_[j], at.body, anchor);
      rows.by_speed.col(static_cast<Eigen::Index>(j)) = by_place.p;
      rows.velocity_by_place.col(static_cast<Eigen::Index>(j)) = by_place.v;
    });
  }
}

}  // namespace davit::multibody
