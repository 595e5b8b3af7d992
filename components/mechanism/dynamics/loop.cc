#include "components/mechanism/dynamics/loop.h"

namespace davit::multibody {
namespace {

using Form = LoopEquation::Form;

}  // namespace

Loop Loop::OfJoint(const Anchor& a, const Anchor& b, const Joint& joint) {
  Loop loop(a, b);
  const Vector3 &e = joint.axis(), &f = joint.second_axis(), &g = joint.third_axis();
  const auto keep = [&](const Vector3& n) { loop.equations_.push_back({.form = Form::kAlong, .n = n}); };
  const auto turn = [&](const Vector3& n, const Vector3& m) {
    loop.equations_.push_back({.form = Form::kNormal, .n = n, .m = m});
  };
  const auto keep_point = [&] {
    for (const Vector3& n : {e, f, g}) keep(n);
  };
  const auto keep_axis = [&] {
    turn(f, e);
    turn(g, e);
  };
  switch (joint.kind()) {
    case JointKind::kFixed:
      keep_point();
      keep_axis();
      turn(f, g);
      break;
    case JointKind::kRevolute:
      keep_point();
      keep_axis();
      break;
    case JointKind::kPrismatic:
      keep(f);
      keep(g);
      keep_axis();
      turn(f, g);
      break;
    case JointKind::kCylindrical:
      keep(f);
      keep(g);
      keep_axis();
      break;
    case JointKind::kUniversal:
      keep_point();
      turn(e, f);
      break;
    case JointKind::kSpherical: keep_point(); break;
    case JointKind::kPlanar:
      keep(e);
      keep_axis();
      break;
    case JointKind::kFree: break;
  }
  return loop;
}

Loop Loop::OfDistance(const Anchor& a, const Anchor& b, double length) {
  Loop loop(a, b);
  loop.equations_.push_back({.form = Form::kDistance, .length = length});
  return loop;
}

AnchorMotion::AnchorMotion(const TreeDynamics& dynamics, const Anchor& anchor)
    : pose(dynamics.PoseOf(anchor.body) * anchor.at) {
  const Pose& body = dynamics.PoseOf(anchor.body);
  const Motion& velocity = dynamics.VelocityOf(anchor.body);
  const Motion acceleration = dynamics.AccelerationOf(anchor.body);
  const Vector3 r = body.R * anchor.at.p;
  w = velocity.angular;
  v = velocity.At(r).linear;
  w_rate = acceleration.angular;
  // Featherstone's acceleration becomes that of the point by w x v.
  a = acceleration.At(r).linear + w.cross(v);
}

LoopValue::LoopValue(const LoopEquation& equation, const AnchorMotion& a, const AnchorMotion& b) {
  const Vector3 r = b.pose.p - a.pose.p;
  const Vector3 v = b.v - a.v;
  const Vector3 dv = b.a - a.a;
  switch (equation.form) {
    case Form::kAlong: {
      const Vector3 n = a.pose.R * equation.n;
      const Vector3 n_rate = a.w.cross(n);
      phi = n.dot(r);
      rate = n_rate.dot(r) + n.dot(v);
      second_rate = (a.w_rate.cross(n) + a.w.cross(n_rate)).dot(r) + 2 * n_rate.dot(v) + n.dot(dv);
      on_b = {b.pose.p.cross(n), n};
      return;
    }
    case Form::kNormal: {
      const Vector3 n = a.pose.R * equation.n, m = b.pose.R * equation.m;
      const Vector3 n_rate = a.w.cross(n), m_rate = b.w.cross(m);
      const Vector3 w = b.w - a.w;
      phi = n.dot(m);
      rate = w.dot(m.cross(n));
      second_rate = (b.w_rate - a.w_rate).dot(m.cross(n)) + w.dot(m_rate.cross(n) + m.cross(n_rate));
      on_b = {m.cross(n), Vector3::Zero()};
      return;
    }
    case Form::kDistance: {
      const double distance = r.norm();
      const Vector3 d = r / distance;
      phi = distance - equation.length;
      rate = d.dot(v);
      second_rate = d.dot(dv) + (v.squaredNorm() - rate * rate) / distance;
      on_b = {b.pose.p.cross(d), d};
      return;
    }
  }
}

Wrench AboutBody(const Wrench& in_world, const Pose& body) { return in_world.From(-body.p); }

void AddForce(const TreeDynamics& dynamics, std::size_t body, const Vector3& place, const Vector3& force,
              std::span<Wrench> wrenches) {
  if (body == BodyTree::kBase) return;
  wrenches[body] += AboutBody({place.cross(force), force}, dynamics.PoseOf(body));
}

void AddBodyRow(const TreeDynamics& dynamics, std::size_t body, const Wrench& in_world, double sign,
                std::span<double> row) {
  const BodyTree& tree = dynamics.tree();
  for (std::size_t i = body; i != BodyTree::kBase; i = tree[i].carrier) {
    const Wrench on_body = AboutBody(in_world, dynamics.PoseOf(i));
    for (std::size_t k = tree[i].speed_begin; k < tree[i].speed_begin + tree[i].joint.speeds(); ++k) {
      row[k] += sign * Power(on_body, dynamics.AxisOf(k));
    }
  }
}

}  // namespace davit::multibody
