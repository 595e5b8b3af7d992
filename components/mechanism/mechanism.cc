#include "components/mechanism/mechanism.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "components/mechanism/mechanism_parts.h"
#include "framework/nearest_name.h"

namespace davit {

using multibody::Anchor;
using multibody::BodyTree;
using multibody::JointKind;
using multibody::Loop;
using multibody::RigidBody;
using multibody::Vector3;
using multibody::Wrench;

namespace {

BodyTree TreeOf(const MechanismDescription& description) {
  BodyTree tree;
  for (const MechanismDescription::Body& body : description.bodies)
    tree.Add(body.carrier, body.at, body.joint, body.body);
  return tree;
}

std::vector<multibody::Path> PathsOf(const MechanismDescription& description) {
  std::vector<multibody::Path> paths;
  paths.reserve(description.mounts.size());
  for (const MechanismDescription::Mount& mount : description.mounts) paths.push_back(mount.path);
  return paths;
}

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
            owner->Keep(of.text + ": force that pushes its ends apart")) {
  points.emplace_back(owner, "at_" + of.name + "_a", of.text + ": end a");
  for (std::size_t k = 1; k + 1 < of.path.size(); ++k)
    points.emplace_back(owner, fmt::format("at_{}_{}", of.name, k), fmt::format("{}: sheave {}", of.text, k));
  points.emplace_back(owner, "at_" + of.name + "_b", of.text + ": end b");
}

Mechanism::Parts::JointReaction::JointReaction(Mechanism* owner, const MechanismDescription::Reaction& of)
    : reaction(of),
      force(owner, of.name, "f", "N", of.text + ": force"),
      moment(owner, of.name, "m", "N.m", of.text + ": moment") {}

Mechanism::Parts::JointHolding::JointHolding(Mechanism* owner, const MechanismDescription::Holding& holding,
                                             JointKind joint)
    : body(holding.of),
      force(owner, owner->Keep(holding.name), joint == JointKind::kPrismatic ? Text("N") : Text("N.m"),
            owner->Keep(holding.text)) {}

Mechanism::Parts::LoopEnds::LoopEnds(Mechanism* owner, const std::string& name)
    : at_a(owner, "at_" + name + "_a", name + ": end a"),
      at_b(owner, "at_" + name + "_b", name + ": end b") {}

Mechanism::Parts::BodyPoints::BodyPoints(Mechanism* owner, const std::string& name)
    : joint(owner, "at_" + name, "Joint of " + name),
      centre(owner, "at_" + name + "_centre", "Centre of mass of " + name) {}

Mechanism::Parts::Parts(Mechanism* owner, MechanismDescription from, const LoadAspects* aspects)
    : description(std::move(from)),
      tree(TreeOf(description)),
      dynamics(tree),
      closed(&dynamics, description.Loops(), PathsOf(description)),
      q(tree.positions()),
      u(tree.speeds()),
      q_closed(tree.positions()),
      u_closed(tree.speeds()),
      q_rate(tree.positions()),
      u_rate(tree.speeds()),
      tau(tree.speeds()),
      rotor_inertia(tree.speeds()),
      wrenches(tree.size()),
      through_joints(tree.size()),
      from_outside(tree.size()),
      beyond_outside(tree.size()) {
  for (std::size_t i = 0; i < tree.size(); ++i) AddBody(owner, description.bodies[i], tree[i]);
  for (const MechanismDescription::Mount& mount : description.mounts) {
    Parts::MountPort& port = mount_ports.emplace_back(owner, mount);
    port.over = multibody::JointPath::Of(tree, mount.path);
    if (port.over) {
      const bool turns = tree.JointOfSpeed(port.over->speed()).kind() == JointKind::kRevolute;
      port.lever.emplace(owner, owner->Keep(mount.name + "_lever"), turns ? Text("m/rad") : Text(""),
                         owner->Keep(mount.text + ": its length over the position of its joint"),
                         WrittenBy::kEfforts);
    }
    // Forces of joints do not show where they act, which counts for reactions. With loops a mount acts where
    // the closed loops have its bodies, not where the states do.
    if (port.over && description.reactions.empty() && description.loops.empty())
      port.on_speed = port.over->speed();
  }
  for (const MechanismDescription::Holding& holding : description.holdings)
    holdings.emplace_back(owner, holding, tree[holding.of].joint.kind());
  for (const MechanismDescription::Frame& frame : description.frames)
    frames.emplace_back(owner, frame.name, frame.text);
  for (const MechanismDescription::Contact& contact : description.contacts)
    contacts.emplace_back(owner, contact);
  for (const MechanismDescription::Reaction& reaction : description.reactions)
    reactions.emplace_back(owner, reaction);
  for (const MechanismDescription::Closure& closure : description.loops)
    loop_ends.emplace_back(owner, closure.name);
  if (aspects != nullptr) {
    for (const MechanismDescription::Load& load : description.loads)
      loads.emplace_back(owner, load, *aspects);
  }
  if (tree.size() > 0) base_point.emplace(owner, "at_base", "Origin of the base");
  if (tree.speeds() > kMostDifferentiated) return;
  partials.emplace(&closed);
  states.emplace(tree, !description.loops.empty());
  path_loads.resize(mount_ports.size());
  for (std::size_t i = 0; i < loads.size(); ++i)
    load_slopes.emplace_back().tip = multibody::TreeDerivatives::PointRows(tree.speeds());
  for (Eigen::RowVectorXd* row : {&by_place, &by_speed})
    row->setZero(static_cast<Eigen::Index>(tree.speeds()));
}

void Mechanism::Parts::AddBody(Mechanism* owner, const MechanismDescription::Body& body,
                               const BodyTree::Link& link) {
  masses.emplace_back(owner, owner->Keep(body.name + "_mass"), Text("kg"),
                      owner->Keep("Mass of " + body.name), body.body.mass, kNonNegative);
  const JointKind kind = body.joint.kind();
  std::vector<double> zero(body.joint.positions());
  body.joint.SetToZero(zero);
  if (body.start) zero[0] = *body.start;
  const CoordinateNames names = NamesOf(kind);
  const auto keep = [&](std::string_view between, std::string_view end) {
    return owner->Keep(fmt::format("{}{}{}", body.name, between, end));
  };
  std::size_t k = 0;
  for (const CoordinateName& name : names.positions)
    positions.emplace_back(owner, keep("_", name.name), name.unit, keep(": ", name.text), zero[k++]);
  for (const CoordinateName& name : names.speeds)
    speeds.emplace_back(owner, keep("_", name.name), name.unit, keep(": ", name.text));
  points.emplace_back(owner, body.name);
  const bool is_revolute = kind == JointKind::kRevolute;
  if (!is_revolute && kind != JointKind::kPrismatic) return;
  JointPort& port = joint_ports.emplace_back(JointPort{.position = link.position_begin,
                                                       .speed = link.speed_begin,
                                                       .lower = body.lower,
                                                       .upper = body.upper,
                                                       .turn = {},
                                                       .slide = {}});
  const Text name = owner->Keep(body.name), text = owner->Keep("Joint of " + body.name);
  if (is_revolute) {
    port.turn = std::make_unique<RotationalPort>(owner, name, Role::kQ, text, Connecting::kOptional);
  } else {
    port.slide = std::make_unique<TranslationalPort>(owner, name, Role::kQ, text, Connecting::kOptional);
  }
  frictions.emplace_back(owner, keep("_", "friction"), is_revolute ? Text("N.m.s/rad") : Text("N.s/m"),
                         owner->Keep("Viscous friction of the joint of " + body.name), body.friction,
                         kNonNegative);
}

Mechanism::Mechanism() : parts_(std::make_unique<Parts>(this, MechanismDescription{}, nullptr)) {
  EffortsRead({});
}
Mechanism::~Mechanism() = default;

std::vector<std::string> Mechanism::ItemKinds() const {
  std::vector<std::string> kinds;
  for (const ElementKind& kind : InnerElements()) kinds.emplace_back(kind.name);
  return kinds;
}

std::vector<std::string> Mechanism::refused_items() const {
  if (parts_->description.is_urdf_refused) return {""};
  return parts_->description.refused;
}

std::string Mechanism::RemedyForElement(std::string_view kind) const {
  if (kind != "Load") return {};
  return "loads are part of a crane: write <mechanism.Crane ...> in place of <mechanism.Mechanism ...>";
}

std::string Mechanism::RemedyForDomain(const Domain& other) const {
  if (!(other == TranslationalBond::kDomain)) return {};
  return "a cylinder acts between points of two bodies: describe them by a <Mount>, and connect its port";
}

void Mechanism::TakeItems(std::vector<ItemElement> items, const UnitSystem& units,
                          const Registry& /*registry*/, Diagnostics& diagnostics) {
  items_ = std::move(items);
  parts_ = std::make_unique<Parts>(this, ReadMechanism(items_, units, *this, diagnostics), load_aspects_);
  RenameItems(diagnostics);
  CheckNames(diagnostics);
}

void Mechanism::RenameItems(Diagnostics& diagnostics) {
  Declarations& all = mutable_declarations();
  for (const MechanismDescription::Renaming& renaming : parts_->description.renamings) {
    bool is_found = false;
    std::vector<std::string> known;
    const auto rename = [&](auto& declared) {
      for (auto& item : declared) {
        if (item.label.name == renaming.of) {
          item.label.name = Keep(renaming.name);
          is_found = true;
        }
        known.emplace_back(item.label.name);
      }
    };
    rename(all.parameters);
    rename(all.inputs);
    rename(all.outputs);
    rename(all.states);
    rename(all.ports);
    if (is_found) continue;
    if (IsOfRefusedItem(renaming.of, refused_items())) {
      parts_->description.refused.push_back(renaming.name);
      continue;
    }
    diagnostics.Error(
        renaming.location, DisplayPath(),
        fmt::format("of: no item {}; {}", Quoted(renaming.of), SuggestName("it has", renaming.of, known)));
  }
}

void Mechanism::CheckNames(Diagnostics& diagnostics) {
  const Declarations& all = declarations();
  std::set<std::string_view> names;
  const auto check = [&](const auto& declared) {
    for (const auto& item : declared) {
      if (names.insert(item.label.name).second) continue;
      diagnostics.Error(location(), DisplayPath(),
                        fmt::format("two items are named '{}'; rename the body, frame or mount of which one "
                                    "of them comes",
                                    item.label.name));
    }
  };
  check(all.parameters);
  check(all.inputs);
  check(all.outputs);
  check(all.states);
  check(all.ports);
}

void Mechanism::ReadStates() {
  for (std::size_t i = 0; i < parts_->q.size(); ++i) parts_->q[i] = parts_->positions[i];
  for (std::size_t k = 0; k < parts_->u.size(); ++k) parts_->u[k] = parts_->speeds[k];
}

void Mechanism::ParametersChanged() {
  Parts& p = *parts_;
  p.base.gravity = Vector3(0, 0, -gravity_);
  for (std::size_t i = 0; i < p.tree.size(); ++i) {
    RigidBody body = p.description.bodies[i].body;
    body.mass = p.masses[i];
    for (const HangingLoad& load : p.loads) {
      const Anchor& at = load.description().at;
      if (at.body == i && !load.is_on_wire()) body = body.WithPoint(load.mass(), at.at.p);
    }
    p.tree.SetBody(i, body);
    p.dynamics.TakeBody(i);
  }
  for (Parts::MountPort& mount : p.mount_ports) mount.port->keeps_travel = true;
}

void Mechanism::Link(System& system, Diagnostics& diagnostics) {
  parts_->system = &system;
  const auto is_wet = [](const HangingLoad& load) { return load.volume() > 0; };
  if (std::ranges::none_of(parts_->loads, is_wet)) return;
  const Sea* const sea = Sea::Find(*this, diagnostics);
  if (sea == nullptr) return;
  for (HangingLoad& load : parts_->loads) load.PutAbove(*sea);
}

void Mechanism::Reset() {
  DynamicSimComponent::Reset();
  Parts& p = *parts_;
  p.knows_partials = KnowsPartials();
  p.has_reader_inside = HasReaderInside();
  Assemble();  // it was checked that it closes
  for (std::size_t i = 0; i < p.q.size(); ++i) {
    if (p.positions[i] != p.q[i]) p.positions[i].OverrideStateValue(p.q[i]);
  }
  for (std::size_t k = 0; k < p.u.size(); ++k) {
    if (p.speeds[k] != p.u[k]) p.speeds[k].OverrideStateValue(p.u[k]);
  }
  if (!p.HasLoadOnWire()) return;
  HangLoads();
  for (HangingLoad& load : p.loads) {
    for (std::size_t i = 0; i < HangingLoad::kStates; ++i) {
      const StateDeclaration& own = DeclarationOf(load.state(i));
      if (own.is_start_given) load.state(i).OverrideStateValue(own.start[0]);
    }
  }
}

HangingLoad::Base Mechanism::Parts::BaseNow(double gravity) const {
  return {.pose = dynamics.PoseOf(BodyTree::kBase),
          .velocity = dynamics.VelocityOf(BodyTree::kBase),
          .acceleration = dynamics.AccelerationOf(BodyTree::kBase),
          .gravity = gravity,
          .time = time};
}

HangingLoad::Tip Mechanism::Parts::TipOf(const HangingLoad& load) const {
  const Anchor& at = load.description().at;
  const multibody::Pose& pose = dynamics.PoseOf(at.body);
  const Vector3 arm = pose.R * at.at.p;
  return {pose.p + arm, dynamics.VelocityOf(at.body).At(arm).linear};
}

HangingLoad::Tip Mechanism::Parts::PointOf(const GroundContact& contact) const {
  const multibody::AnchorMotion motion(dynamics, contact.anchor());
  return {motion.pose.p, motion.v};
}

HangingLoad::Tip Mechanism::Parts::InBase(const HangingLoad::Tip& tip) const {
  const multibody::Pose& base_at = dynamics.PoseOf(BodyTree::kBase);
  const Vector3 carried = dynamics.VelocityOf(BodyTree::kBase).At(tip.place - base_at.p).linear;
  return {base_at.R.transpose() * (tip.place - base_at.p), base_at.R.transpose() * (tip.velocity - carried)};
}

void Mechanism::HangLoads() {
  Parts& p = *parts_;
  // Nothing of it depends on how the base lies: at the start its motion is not known yet.
  p.dynamics.MoveTo(p.base, p.q, p.u);
  for (HangingLoad& load : p.loads) load.HangBelow(p.InBase(p.TipOf(load)));
}

void Mechanism::AspectsChanged(AspectSwitch& change) {
  Parts& p = *parts_;
  if (p.loads.empty() || !change.HasChanged(load_aspects_->at)) return;
  const bool begins = p.HasLoadOnWire();
  ReadStates();
  if (begins) HangLoads();
  p.dynamics.MoveTo(base_.IsAnySet() ? base_.Motion(gravity_) : p.base, p.q, p.u);
  const HangingLoad::Base base = p.BaseNow(gravity_);
  for (const HangingLoad& load : p.loads) {
    // What it has in both descriptions at the same motion of the bodies.
    const HangingLoad::Tip tip = p.TipOf(load);
    const double at_tip = load.mass() * (tip.velocity.squaredNorm() / 2 + gravity_ * tip.place.z());
    const double on_wire = load.KineticEnergy(base) + load.PotentialEnergy(base, tip);
    change.ReleaseEnergy(begins ? at_tip - on_wire : on_wire - at_tip);
  }
}

void Mechanism::EvaluateEfforts(double /*t*/) {
  Parts& p = *parts_;
  ReadStates();
  p.dynamics.MoveTo(p.base, p.q, p.u);
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
    if (mount.over) {
      mount.point = mount.over->At(p.dynamics);
      mount.length = mount.point.length;
      mount.port->v = -mount.point.lever_arm * p.u[mount.over->speed()];
      *mount.lever = mount.point.lever_arm;
    } else {
      const multibody::PathValue path(p.dynamics, mount.mount.path);
      mount.length = path.length;
      mount.port->v = -path.rate;
    }
    mount.port->x = mount.mount.shortest - mount.length;
  }
}

Mechanism::StopPush Mechanism::StopAt(double x, double lower, double upper, double v,
                                      double stiffness) const {
  const double beyond = x > upper ? x - upper : x < lower ? x - lower : 0;
  if (beyond == 0) return {};
  const double outwards = std::copysign(stop_damping_, beyond);
  const double share = 1 + outwards * v;
  if (!(share > 0)) return {};
  return {stiffness * beyond * share, stiffness * share, stiffness * beyond * outwards};
}

void Mechanism::CollectJointForces() {
  Parts& p = *parts_;
  std::ranges::fill(p.tau, 0.0);
  std::ranges::fill(p.rotor_inertia, 0.0);
  for (std::size_t i = 0; i < p.joint_ports.size(); ++i) {
    const Parts::JointPort& port = p.joint_ports[i];
    const double force = port.turn ? (*port.turn)->T() : (*port.slide)->F();
    const double stiffness = port.turn ? angle_stop_stiffness_ : stop_stiffness_;
    p.tau[port.speed] = force - p.frictions[i] * p.u[port.speed] -
                        StopAt(p.q[port.position], port.lower, port.upper, p.u[port.speed], stiffness).force;
    p.rotor_inertia[port.speed] = port.turn ? (*port.turn)->added_inertia : (*port.slide)->added_mass;
  }
}

// A mass m that moves along has the kinetic energy m/2*(l'*u)^2.
void Mechanism::AddMountMasses() {
  Parts& p = *parts_;
  for (const Parts::MountPort& mount : p.mount_ports) {
    if (!mount.on_speed) continue;
    const std::size_t k = *mount.on_speed;
    const double m = mount.port->added_mass, lever_arm = mount.point.lever_arm;
    p.rotor_inertia[k] += m * lever_arm * lever_arm;
    p.tau[k] -= m * lever_arm * mount.point.curvature * p.u[k] * p.u[k];
  }
}

void Mechanism::CollectMountForces() {
  Parts& p = *parts_;
  for (std::size_t i = 0; i < p.mount_ports.size(); ++i) {
    Parts::MountPort& mount = p.mount_ports[i];
    const TranslationalBond& bond = *mount.port;
    const double force = bond.F() + StopAt(bond.x, bond.x_min, bond.x_max, bond.v, stop_stiffness_).force;
    mount.force = force;
    if (mount.on_speed) {
      p.tau[*mount.on_speed] += force * mount.point.lever_arm;
    } else {
      p.closed.set_path_mass(i, bond.added_mass);
      AddPathForce(p.dynamics, mount.mount.path, force, p.wrenches);
    }
  }
}

void Mechanism::CollectContactForces() {
  Parts& p = *parts_;
  for (const GroundContact& contact : p.contacts) {
    const HangingLoad::Tip point = p.PointOf(contact);
    const Vector3 force = ContactForce(contact, point.place, point.velocity);
    AddForce(p.dynamics, contact.anchor().body, point.place, force, p.wrenches);
    if (!contact.is_on_base())
      AddForce(p.dynamics, contact.anchor().body, point.place, force, p.from_outside);
  }
}

Vector3 Mechanism::ContactForce(const GroundContact& contact, const Vector3& place,
                                const Vector3& velocity) const {
  const HangingLoad::Tip seen = parts_->OverDeck(contact, {place, velocity});
  Vector3 force = contact.ForceAt(seen.place, seen.velocity, ground_, slip_speed_);
  if (!contact.is_on_base()) return force;
  return parts_->dynamics.PoseOf(BodyTree::kBase).R * force;
}

void Mechanism::CollectLoadForces() {
  Parts& p = *parts_;
  if (!p.HasLoadOnWire()) {
    for (HangingLoad& load : p.loads) load.set_pull(load.mass() * gravity_);
    return;
  }
  const HangingLoad::Base base = p.BaseNow(gravity_);
  for (HangingLoad& load : p.loads) {
    const HangingLoad::Tip tip = p.TipOf(load);
    const HangingLoad::State state = load.Read();
    const HangingLoad::Response response = load.Respond(base, tip, state);
    AddForce(p.dynamics, load.description().at.body, tip.place, response.pull, p.wrenches);
    AddForce(p.dynamics, load.description().at.body, tip.place, response.pull, p.from_outside);
    load.SetRates(state, response);
    load.set_pull(response.tension);
  }
}

void Mechanism::ShowLoads() {
  Parts& p = *parts_;
  const multibody::Pose& base = p.dynamics.PoseOf(BodyTree::kBase);
  for (HangingLoad& load : p.loads) {
    const HangingLoad::Tip tip = p.TipOf(load);
    const Vector3 seen = p.dynamics.PoseOf(load.description().about).Inverse() * tip.place;
    if (load.is_on_wire()) {
      load.Show(base * load.Read().place, tip.place, seen);
    } else {
      load.ShowAtTip(p.InBase(tip));
      load.Show(tip.place, tip.place, seen);
    }
  }
}

void Mechanism::ShowEnergies() {
  const Parts& p = *parts_;
  double kinetic = p.dynamics.KineticEnergy(), potential = p.dynamics.PotentialEnergy();
  if (p.HasLoadOnWire()) {
    const HangingLoad::Base base = p.BaseNow(gravity_);
    for (const HangingLoad& load : p.loads) {
      kinetic += load.KineticEnergy(base);
      potential += load.PotentialEnergy(base, p.TipOf(load));
    }
  }
  kinetic_energy_ = kinetic;
  potential_energy_ = potential;
}

// What a speed of 1 lifts, with all that the body carries.
void Mechanism::ShowHoldings() {
  Parts& p = *parts_;
  for (Parts::JointHolding& holding : p.holdings) {
    const BodyTree::Link& link = p.tree[holding.body];
    const Vector3 origin = p.dynamics.PoseOf(holding.body).p;
    const multibody::SpeedAxis& S = p.dynamics.AxisOf(link.speed_begin);
    const auto is_carried = [&](std::size_t body) {
      while (body != holding.body && body != BodyTree::kBase) body = p.tree[body].carrier;
      return body == holding.body;
    };
    double force = 0;
    const auto add = [&](double mass, const Vector3& place) {
      const Vector3 rate = S.turns ? S.direction.cross(place - origin) : S.direction;
      force += mass * gravity_ * rate.z();
    };
    for (std::size_t i = holding.body; i < p.tree.size(); ++i) {
      if (is_carried(i)) add(p.tree[i].body.mass, p.dynamics.PoseOf(i) * p.tree[i].body.centre);
    }
    for (const HangingLoad& load : p.loads) {
      if (load.is_on_wire() && is_carried(load.description().at.body))
        add(load.least_mass(), p.TipOf(load).place);
    }
    holding.force = force;
  }
}

double Mechanism::SwingOfLoads() const {
  constexpr double kGravity = 9.81;  // [m/s2]
  const Parts& p = *parts_;
  double bodies = 0, largest = 0;
  for (const Parameter& mass : p.masses) bodies += mass;
  for (const HangingLoad& load : p.loads) {
    const Anchor& at = load.description().at;
    const multibody::AnchorMotion tip(p.dynamics, at);
    const double effect =
        tip.a.norm() / kGravity + load.SwingAngle(p.InBase(p.TipOf(load))) + std::abs(load.winch_speed());
    largest = std::max(largest, Share(load.mass(), load.mass() + bodies) * effect);
  }
  return largest;
}

double Mechanism::DragOfLoads() const {
  double largest = 0;
  for (const HangingLoad& load : parts_->loads)
    largest = std::max(largest, load.DragShare(parts_->TipOf(load).velocity.norm()));
  return largest;
}

double Mechanism::CarriedOfLoads() const {
  const HangingLoad::Base base = parts_->BaseNow(gravity_);
  double largest = 0;
  for (const HangingLoad& load : parts_->loads)
    largest = std::max(largest, load.CarriedShare(base, parts_->TipOf(load)));
  return largest;
}

// What pushes between bodies, or between a body and the base, cancels out: without it, the joints on the base
// carry all that accelerates and holds the bodies, but for what comes from outside.
Wrench Mechanism::ReactionOfBase() const {
  Parts& p = *parts_;
  p.dynamics.FillReactions(p.from_outside, p.beyond_outside);
  const Vector3& origin = p.dynamics.PoseOf(BodyTree::kBase).p;
  Wrench reaction;
  for (std::size_t i = 0; i < p.tree.size(); ++i) {
    if (p.tree[i].carrier == BodyTree::kBase)
      reaction += p.beyond_outside[i].From(p.dynamics.PoseOf(i).p - origin);
  }
  for (const HangingLoad& load : p.loads) reaction += load.PushOfBase(p.BaseNow(gravity_));
  return reaction;
}

void Mechanism::ShowReactions() {
  Parts& p = *parts_;
  if (p.reactions.empty()) return;
  p.closed.AddLoopWrenches(p.wrenches);
  p.dynamics.FillReactions(p.wrenches, p.through_joints);
  for (Parts::JointReaction& shown : p.reactions) {
    Wrench reaction;
    if (shown.reaction.is_of_loop) {
      const Loop& loop = p.description.loops[shown.reaction.of].loop;
      const Wrench in_world = p.closed.LoopWrench(shown.reaction.of);
      const multibody::Pose a = p.dynamics.PoseOf(loop.a().body) * loop.a().at;
      const Vector3 at_b = PlaceOf(p.dynamics, loop.b());
      reaction = {a.R.transpose() * (in_world.moment - at_b.cross(in_world.force)),
                  a.R.transpose() * in_world.force};
    } else if (shown.reaction.of == BodyTree::kBase) {
      const multibody::Matrix3 R = p.dynamics.PoseOf(BodyTree::kBase).R.transpose();
      const Wrench of_base = ReactionOfBase();
      reaction = {R * of_base.moment, R * of_base.force};
    } else {
      const BodyTree::Link& link = p.tree[shown.reaction.of];
      const multibody::Matrix3 R = (p.dynamics.PoseOf(link.carrier).R * link.at.R).transpose();
      const Wrench& on_body = p.through_joints[shown.reaction.of];
      reaction = {R * on_body.moment, R * on_body.force};
    }
    shown.force.Set(reaction.force);
    shown.moment.Set(reaction.moment);
  }
}

std::optional<double> Mechanism::CloseLoops() {
  Parts& p = *parts_;
  const bool is_moving = base_.IsAnySet();
  if (!is_moving && p.description.loops.empty()) {  // the bodies are where EvaluateEfforts has moved them
    return p.dynamics.FactorInertia(p.rotor_inertia) ? std::nullopt : std::optional(0.0);
  }
  return p.closed.Project(is_moving ? base_.Motion(gravity_) : p.base, p.rotor_inertia, p.q_closed,
                          p.u_closed);
}

void Mechanism::EvaluateDiffEquations(double t) {
  Parts& p = *parts_;
  p.time = t;
  CollectJointForces();
  AddMountMasses();
  std::ranges::copy(p.q, p.q_closed.begin());
  std::ranges::copy(p.u, p.u_closed.begin());
  const std::optional<double> error = CloseLoops();
  p.is_accelerated = error.has_value();
  std::ranges::fill(p.wrenches, Wrench{});
  std::ranges::fill(p.from_outside, Wrench{});
  CollectMountForces();
  CollectContactForces();
  CollectLoadForces();
  if (error) {
    p.closed.Accelerate(p.wrenches, p.tau, p.u_rate);
  } else {
    std::ranges::fill(p.u_rate, std::numeric_limits<double>::quiet_NaN());  // the run ends with its message
  }
  p.tree.FillRates(p.q_closed, p.u_closed, p.q_rate);
  for (std::size_t i = 0; i < p.q.size(); ++i)
    p.positions[i].ddt = p.q_rate[i] - loop_decay_ * (p.q[i] - p.q_closed[i]);
  for (std::size_t k = 0; k < p.u.size(); ++k)
    p.speeds[k].ddt = p.u_rate[k] - loop_decay_ * (p.u[k] - p.u_closed[k]);
  loop_error_ = error.value_or(0);
  if (!p.is_trial || p.has_reader_inside) ShowOutputs();
}

void Mechanism::ShowOutputs() {
  Parts& p = *parts_;
  ShowLoads();
  ShowEnergies();
  for (Parts::MountPort& mount : p.mount_ports) {
    for (std::size_t k = 0; k < mount.points.size(); ++k)
      mount.points[k].Set(PlaceOf(p.dynamics, mount.mount.path[k]));
  }
  for (GroundContact& contact : p.contacts) {
    const HangingLoad::Tip seen = p.OverDeck(contact, p.PointOf(contact));
    contact.Show(contact.DepthOf(seen.place, ground_),
                 contact.ForceAt(seen.place, seen.velocity, ground_, slip_speed_));
  }
  for (std::size_t i = 0; i < p.points.size(); ++i) {
    p.points[i].joint.Set(p.dynamics.PoseOf(i).p);
    p.points[i].centre.Set(p.dynamics.PoseOf(i) * p.tree[i].body.centre);
  }
  for (std::size_t i = 0; i < p.loop_ends.size(); ++i) {
    p.loop_ends[i].at_a.Set(PlaceOf(p.dynamics, p.description.loops[i].loop.a()));
    p.loop_ends[i].at_b.Set(PlaceOf(p.dynamics, p.description.loops[i].loop.b()));
  }
  for (std::size_t i = 0; i < p.frames.size(); ++i) p.frames[i].Set({p.dynamics, p.description.frames[i].at});
  if (p.base_point) p.base_point->Set(p.dynamics.PoseOf(BodyTree::kBase).p);
  ShowHoldings();
  ShowReactions();
}

void Mechanism::SetTrial(bool is_trial) { parts_->is_trial = is_trial; }

bool Mechanism::HasReaderInside() const {
  const Parts& p = *parts_;
  if (p.system == nullptr) return true;
  const auto is_always_written = [&](const OutputDeclaration& output) {
    return output.value == loop_error_.id() ||
           std::ranges::any_of(p.loads, [&](const HangingLoad& load) { return load.IsPull(output.value); }) ||
           std::ranges::any_of(p.mount_ports, [&](const Parts::MountPort& mount) {
             return output.value == mount.length.id() || output.value == mount.force.id() ||
                    (mount.lever && output.value == mount.lever->id());
           });
  };
  return std::ranges::any_of(p.system->routes(), [&](const Route& route) {
    if (&route.from.owner() != this) return false;
    const OutputDeclaration* const output = route.from.output();
    if (output != nullptr) return !is_always_written(*output);
    // What the states of a load would be at the tip is shown too.
    return std::ranges::any_of(p.loads,
                               [&](const HangingLoad& load) { return load.HasState(route.from.slot()); });
  });
}

void Mechanism::AccountEnergy(EnergyTerms& terms) const {
  const Parts& p = *parts_;
  double kinetic = kinetic_energy_, stored_in_stops = 0, lost_in_stops = 0, friction = 0, lost_on_ground = 0;
  const auto add_stop = [&](double x, double lower, double upper, double v, double k) {
    const double elastic = StopAt(x, lower, upper, 0, k).force;
    stored_in_stops += elastic * elastic / (2 * k);
    lost_in_stops += (StopAt(x, lower, upper, v, k).force - elastic) * v;
  };
  for (std::size_t i = 0; i < p.joint_ports.size(); ++i) {
    const Parts::JointPort& port = p.joint_ports[i];
    const double u = p.u[port.speed];
    const double added = port.turn ? (*port.turn)->added_inertia : (*port.slide)->added_mass;
    kinetic += added * u * u / 2;
    friction += p.frictions[i] * u * u;
    add_stop(p.q[port.position], port.lower, port.upper, u,
             port.turn ? angle_stop_stiffness_ : stop_stiffness_);
  }
  for (const Parts::MountPort& mount : p.mount_ports) {
    const TranslationalBond& bond = *mount.port;
    kinetic += bond.added_mass * bond.v * bond.v / 2;
    add_stop(bond.x, bond.x_min, bond.x_max, bond.v, stop_stiffness_);
  }
  for (const GroundContact& contact : p.contacts) {
    const HangingLoad::Tip seen = p.OverDeck(contact, p.PointOf(contact));
    const Vector3 force = contact.ForceAt(seen.place, seen.velocity, ground_, slip_speed_);
    const double elastic = contact.ForceAt(seen.place, Vector3::Zero(), ground_, slip_speed_).z();
    const double depth = std::max(0.0, contact.DepthOf(seen.place, ground_));
    stored_in_stops += elastic * depth / 2;
    lost_on_ground += elastic * seen.velocity.z() - force.dot(seen.velocity);
  }
  double of_base = 0;
  for (const HangingLoad& load : p.loads) {
    if (load.is_on_wire()) of_base += load.AccountEnergy(p.BaseNow(gravity_), p.TipOf(load), terms);
  }
  if (base_.IsAnySet())
    terms.In("base", of_base + Power(ReactionOfBase(), p.dynamics.VelocityOf(BodyTree::kBase)));
  terms.Stored("kinetic", kinetic);
  terms.Stored("potential", potential_energy_);
  terms.Stored("stops", stored_in_stops);
  terms.Lost("friction", friction);
  terms.Lost("stops", lost_in_stops);
  terms.Lost("ground", lost_on_ground);
}

}  // namespace davit
