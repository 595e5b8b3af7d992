#include "components/mechanism/mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "components/mechanism/dynamics/assembly.h"
#include "components/mechanism/mechanism_parts.h"

namespace davit {

using multibody::Anchor;
using multibody::BodyTree;
using multibody::JointKind;
using multibody::Loop;
using multibody::LoopValue;
using multibody::Vector3;
using multibody::Wrench;

namespace {

multibody::LoopEquation DistanceEquation() { return {.form = multibody::LoopEquation::Form::kDistance}; }

Vector3 PlaceOf(const multibody::TreeDynamics& dynamics, const Anchor& anchor) {
  return dynamics.PoseOf(anchor.body) * anchor.at.p;
}

}  // namespace

Mechanism::Parts::MountPort::MountPort(Mechanism* owner, const MechanismDescription::Mount& of)
    : mount(of),
      port(owner, owner->Keep(of.name), Role::kQ, owner->Keep(of.text), Connecting::kOptional),
      length(owner, owner->Keep(of.name + "_length"), "m", owner->Keep(of.text + ": distance of its ends"),
             WrittenBy::kEfforts),
      force(owner, owner->Keep(of.name + "_force"), "N",
            owner->Keep(of.text + ": force that pushes its ends apart")),
      at_a(owner, "at_" + of.name + "_a", of.text + ": end a"),
      at_b(owner, "at_" + of.name + "_b", of.text + ": end b") {}

Mechanism::Parts::FrameOutputs::FrameOutputs(Mechanism* owner, const MechanismDescription::Frame& of)
    : anchor(of.at),
      name(of.name),
      at(owner, of.name, of.text),
      vx(owner, owner->Keep(of.name + "_vx"), "m/s", owner->Keep(of.text + ": velocity along x")),
      vy(owner, owner->Keep(of.name + "_vy"), "m/s", owner->Keep(of.text + ": velocity along y")),
      vz(owner, owner->Keep(of.name + "_vz"), "m/s", owner->Keep(of.text + ": velocity along z")) {}

Mechanism::Parts::LoopEnds::LoopEnds(Mechanism* owner, const std::string& name)
    : at_a(owner, "at_" + name + "_a", name + ": end a"),
      at_b(owner, "at_" + name + "_b", name + ": end b") {}

Mechanism::Parts::BodyPoints::BodyPoints(Mechanism* owner, const std::string& name)
    : joint(owner, "at_" + name, "Joint of " + name),
      centre(owner, "at_" + name + "_centre", "Centre of mass of " + name) {}

Mechanism::Parts::Parts(Mechanism* owner, MechanismDescription from) : description(std::move(from)) {
  for (const MechanismDescription::Body& body : description.bodies) {
    const std::size_t i = tree.Add(body.carrier, body.at, body.joint, body.body);
    masses.emplace_back(owner, owner->Keep(body.name + "_mass"), Text("kg"),
                        owner->Keep("Mass of " + body.name), body.body.mass, kNonNegative);
    const JointKind kind = body.joint.kind();
    std::vector<double> zero(body.joint.positions());
    body.joint.SetToZero(zero);
    if (body.start) zero[0] = *body.start;
    std::size_t k = 0;
    for (const CoordinateName& name : PositionNames(kind)) {
      positions.emplace_back(owner, owner->Keep(fmt::format("{}_{}", body.name, name.name)), name.unit,
                             owner->Keep(fmt::format("{}: {}", body.name, name.text)), zero[k++]);
    }
    for (const CoordinateName& name : SpeedNames(kind)) {
      speeds.emplace_back(owner, owner->Keep(fmt::format("{}_{}", body.name, name.name)), name.unit,
                          owner->Keep(fmt::format("{}: {}", body.name, name.text)));
    }
    points.emplace_back(owner, body.name);
    const bool is_revolute = kind == JointKind::kRevolute;
    if (!is_revolute && kind != JointKind::kPrismatic) continue;
    JointPort& port = joint_ports.emplace_back(
        JointPort{.position = tree[i].position_begin, .speed = tree[i].speed_begin, .turn = {}, .slide = {}});
    const Text name = owner->Keep(body.name), text = owner->Keep("Joint of " + body.name);
    if (is_revolute) {
      port.turn = std::make_unique<RotationalPort>(owner, name, Role::kQ, text, Connecting::kOptional);
    } else {
      port.slide = std::make_unique<TranslationalPort>(owner, name, Role::kQ, text, Connecting::kOptional);
    }
    frictions.emplace_back(
        owner, owner->Keep(body.name + "_friction"), is_revolute ? Text("N.m.s/rad") : Text("N.s/m"),
        owner->Keep("Viscous friction of the joint of " + body.name), body.friction, kNonNegative);
  }
  for (const MechanismDescription::Mount& mount : description.mounts) mount_ports.emplace_back(owner, mount);
  for (const MechanismDescription::Frame& frame : description.frames) frames.emplace_back(owner, frame);
  for (const MechanismDescription::Closure& closure : description.loops)
    loop_ends.emplace_back(owner, closure.name);
  base_point.emplace(owner, "at_base", "Origin of the base");
  dynamics.emplace(tree);
  q.resize(tree.positions());
  q_rate.resize(tree.positions());
  for (std::vector<double>* of_speeds : {&u, &u_rate, &tau, &rotor_inertia}) of_speeds->resize(tree.speeds());
  wrenches.resize(tree.size());
}

Mechanism::Mechanism() { EffortsRead({}); }
Mechanism::~Mechanism() = default;

void Mechanism::TakeItems(std::vector<ItemElement> items, const UnitSystem& units,
                          const Registry& /*registry*/, Diagnostics& diagnostics) {
  items_ = std::move(items);
  parts_ = std::make_unique<Parts>(this, ReadMechanism(items_, units, *this, diagnostics));
}

void Mechanism::ReadStates() {
  for (std::size_t i = 0; i < parts_->q.size(); ++i) parts_->q[i] = parts_->positions[i];
  for (std::size_t k = 0; k < parts_->u.size(); ++k) parts_->u[k] = parts_->speeds[k];
}

void Mechanism::ParametersChanged() {
  Parts& p = *parts_;
  p.base.gravity = Vector3(0, 0, -gravity_);
  for (std::size_t i = 0; i < p.tree.size(); ++i) {
    p.tree.SetMass(i, p.masses[i]);
    p.dynamics->TakeBody(i);
  }
  std::vector<Loop> loops;
  loops.reserve(p.description.loops.size());
  for (const MechanismDescription::Closure& closure : p.description.loops) loops.push_back(closure.loop);
  p.closed.emplace(&*p.dynamics, std::move(loops), loop_decay_, p.mount_ports.size());
  for (Parts::MountPort& mount : p.mount_ports) mount.port->keeps_travel = true;
}

std::string Mechanism::Assemble() {
  Parts& p = *parts_;
  ReadStates();
  std::vector<Loop> loops(p.closed->loops().begin(), p.closed->loops().end());
  std::vector<std::string> names;
  names.reserve(loops.size() + p.mount_ports.size());
  for (const MechanismDescription::Closure& closure : p.description.loops) names.push_back(closure.name);
  std::vector<bool> is_held(p.u.size());
  for (const Parts::JointPort& port : p.joint_ports) {
    if (DeclarationOf(p.positions[port.position]).is_start_given) is_held[port.speed] = true;
  }
  for (Parts::MountPort& mount : p.mount_ports) {
    if (std::isnan(mount.port->x_start)) continue;
    const double length = mount.mount.shortest - mount.port->x_start;
    loops.push_back(Loop::OfDistance(mount.mount.a, mount.mount.b, std::max(length, 1e-9)));
    names.push_back(mount.mount.name);
  }
  const multibody::AssemblyResult result = multibody::Assemble(*p.dynamics, loops, p.base, is_held, p.q, p.u);
  if (result.is_closed) return {};
  return fmt::format(
      "{} cannot be closed at the start: {:.3g} m are missing; check the places of its ends and give fewer "
      "start values",
      names[result.worst_loop], result.error);
}

void Mechanism::CheckConnections(Diagnostics& diagnostics) {
  Parts& p = *parts_;
  if (p.description.bodies.empty()) return;
  if (const std::string fault = Assemble(); !fault.empty())
    diagnostics.Error(location(), DisplayPath(), fault);
  p.dynamics->MoveTo(p.base, p.q, p.u);
  CollectJointForces();
  const std::optional<std::size_t> loose = p.dynamics->FactorInertia(p.rotor_inertia);
  if (!loose) return ShowFeltMasses();
  const auto body = std::ranges::find_if(p.description.bodies, [&, i = std::size_t{0}](const auto&) mutable {
    const BodyTree::Link& link = p.tree[i++];
    return *loose >= link.speed_begin && *loose < link.speed_begin + link.joint.speeds();
  });
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format("nothing resists the motion of body '{}'; give it, or what it carries, a mass and "
                  "an inertia",
                  body->name));
}

void Mechanism::ShowFeltMasses() {
  Parts& p = *parts_;
  std::vector<double> row(p.u.size()), response(p.u.size());
  const auto felt = [&] {
    p.dynamics->SolveMass(row, response);
    double inverse = 0;
    for (std::size_t k = 0; k < row.size(); ++k) inverse += row[k] * response[k];
    return inverse > 0 ? 1 / inverse : 0.0;
  };
  for (Parts::JointPort& port : p.joint_ports) {
    row.assign(row.size(), 0);
    row[port.speed] = 1;
    (port.turn ? (*port.turn)->inertia : (*port.slide)->mass) = felt();
  }
  for (Parts::MountPort& mount : p.mount_ports) {
    row.assign(row.size(), 0);
    const LoopValue value(DistanceEquation(), {*p.dynamics, mount.mount.a}, {*p.dynamics, mount.mount.b});
    AddBodyRow(*p.dynamics, mount.mount.b.body, value.on_b, 1, row);
    AddBodyRow(*p.dynamics, mount.mount.a.body, value.on_b, -1, row);
    mount.port->mass = felt();
  }
}

void Mechanism::Reset() {
  DynamicSimComponent::Reset();
  Parts& p = *parts_;
  if (p.description.bodies.empty()) return;
  Assemble();  // it was checked that it closes
  for (std::size_t i = 0; i < p.q.size(); ++i) {
    if (p.positions[i] != p.q[i]) p.positions[i].OverrideStateValue(p.q[i]);
  }
  for (std::size_t k = 0; k < p.u.size(); ++k) {
    if (p.speeds[k] != p.u[k]) p.speeds[k].OverrideStateValue(p.u[k]);
  }
}

void Mechanism::EvaluateEfforts(double /*t*/) {
  Parts& p = *parts_;
  ReadStates();
  p.dynamics->MoveTo(p.base, p.q, p.u);
  for (Parts::JointPort& port : p.joint_ports) {
    if (port.turn) {
      (*port.turn)->angle = -p.q[port.position];
      (*port.turn)->w = -p.u[port.speed];
    } else {
      (*port.slide)->x = -p.q[port.position];
      (*port.slide)->v = -p.u[port.speed];
    }
  }
  for (Parts::MountPort& mount : p.mount_ports) {
    const LoopValue value(DistanceEquation(), {*p.dynamics, mount.mount.a}, {*p.dynamics, mount.mount.b});
    mount.length = value.phi;
    mount.port->x = mount.mount.shortest - value.phi;
    mount.port->v = -value.rate;
  }
}

void Mechanism::CollectJointForces() {
  Parts& p = *parts_;
  std::ranges::fill(p.tau, 0.0);
  std::ranges::fill(p.rotor_inertia, 0.0);
  for (std::size_t i = 0; i < p.joint_ports.size(); ++i) {
    const Parts::JointPort& port = p.joint_ports[i];
    const double force = port.turn ? (*port.turn)->T() : (*port.slide)->F();
    p.tau[port.speed] = force - p.frictions[i] * p.u[port.speed];
    p.rotor_inertia[port.speed] = port.turn ? (*port.turn)->added_inertia : (*port.slide)->added_mass;
  }
}

void Mechanism::CollectMountForces() {
  Parts& p = *parts_;
  std::ranges::fill(p.wrenches, Wrench{});
  for (std::size_t i = 0; i < p.mount_ports.size(); ++i) {
    Parts::MountPort& mount = p.mount_ports[i];
    const TranslationalBond& bond = *mount.port;
    double force = bond.F();
    const double beyond = bond.x > bond.x_max   ? bond.x - bond.x_max
                          : bond.x < bond.x_min ? bond.x - bond.x_min
                                                : 0;
    if (beyond != 0) {
      const double approach = std::copysign(1.0, beyond) * bond.v;
      force += stop_stiffness_ * beyond * std::max(0.0, 1 + stop_damping_ * approach);
    }
    mount.force = force;
    const Anchor &a = mount.mount.a, &b = mount.mount.b;
    p.closed->distance_masses()[i] = {a, b, bond.added_mass};
    const Vector3 at_a = PlaceOf(*p.dynamics, a), at_b = PlaceOf(*p.dynamics, b);
    const Vector3 push = force / mount.length * (at_b - at_a);
    const auto add = [&](const Anchor& anchor, const Wrench& in_world) {
      if (anchor.body == BodyTree::kBase) return;
      p.wrenches[anchor.body] += SeenFromBody(in_world, p.dynamics->PoseOf(anchor.body));
    };
    add(b, {at_b.cross(push), push});
    add(a, {-at_a.cross(push), -push});
    mount.at_a.Set(at_a);
    mount.at_b.Set(at_b);
  }
}

void Mechanism::EvaluateDiffEquations(double /*t*/) {
  Parts& p = *parts_;
  // What ports show does not depend on the motion of the base.
  if (base_.IsAnySet()) p.dynamics->MoveTo(base_.Motion(gravity_), p.q, p.u);
  CollectJointForces();
  CollectMountForces();
  if (p.dynamics->FactorInertia(p.rotor_inertia)) {
    std::ranges::fill(p.u_rate, std::numeric_limits<double>::quiet_NaN());  // the run ends with its message
  } else {
    p.closed->Accelerate(p.wrenches, p.tau, p.u_rate);
  }
  p.tree.FillRates(p.q, p.u, p.q_rate);
  for (std::size_t i = 0; i < p.q.size(); ++i) p.positions[i].ddt = p.q_rate[i];
  for (std::size_t k = 0; k < p.u.size(); ++k) p.speeds[k].ddt = p.u_rate[k];

  kinetic_energy_ = p.dynamics->KineticEnergy();
  potential_energy_ = p.dynamics->PotentialEnergy();
  double error = 0;
  for (const double phi : p.closed->errors()) error = std::max(error, std::abs(phi));
  loop_error_ = error;
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    p.points[i].joint.Set(p.dynamics->PoseOf(i).p);
    p.points[i].centre.Set(p.dynamics->PoseOf(i) * p.tree[i].body.centre);
  }
  for (std::size_t i = 0; i < p.loop_ends.size(); ++i) {
    p.loop_ends[i].at_a.Set(PlaceOf(*p.dynamics, p.description.loops[i].loop.a()));
    p.loop_ends[i].at_b.Set(PlaceOf(*p.dynamics, p.description.loops[i].loop.b()));
  }
  p.base_point->Set(p.dynamics->PoseOf(BodyTree::kBase).p);
  for (Parts::FrameOutputs& frame : p.frames) {
    const multibody::AnchorMotion motion(*p.dynamics, frame.anchor);
    frame.at.Set(motion.pose.p);
    frame.vx = motion.v.x();
    frame.vy = motion.v.y();
    frame.vz = motion.v.z();
  }
}

}  // namespace davit
