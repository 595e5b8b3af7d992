#include "components/crane/knuckle_boom_crane.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

namespace davit {

using multibody::BodyTree;
using multibody::Matrix3;
using multibody::RigidBody;
using multibody::Vector3;

namespace {

/// Of a joint of a boom: a positive angle lifts it.
Vector3 Lift() { return -Vector3::UnitY(); }

/// A boom as a thin rod: its mass lies on its axis, so it has no moment of inertia about that axis.
RigidBody Rod(double mass, double center, double inertia) {
  return {.mass = mass, .centre = {center, 0, 0}, .inertia = Vector3(0, inertia, inertia).asDiagonal()};
}

/// u' from M u' = torques. Slewing is across the plane of the booms, so it does not couple with them.
Vector3 Solve(const Matrix3& M, const Vector3& torques) {
  const double determinant = M(1, 1) * M(2, 2) - M(1, 2) * M(1, 2);
  return {torques[0] / M(0, 0), (M(2, 2) * torques[1] - M(1, 2) * torques[2]) / determinant,
          (M(1, 1) * torques[2] - M(1, 2) * torques[1]) / determinant};
}

constexpr double kSameStart = 1e-6;      // [m] between a cylinder's start and that of the joint
constexpr double kRubbingSpeed = 1e-2;   // [m/s] over which friction on the deck sets in
constexpr double kWinchFade = 0.05;      // [m] over which the winch stops at the least length of wire
constexpr double kLeastDistance = 1e-6;  // [m] of tip and payload that gives the wire a direction

double Clip01(double value) { return std::clamp(value, 0.0, 1.0); }

}  // namespace

KnuckleBoomCrane::KnuckleBoomCrane() { EffortsRead({}); }

BodyTree KnuckleBoomCrane::Structure() {
  using Kind = multibody::JointKind;
  BodyTree tree;
  tree.Add(BodyTree::kBase, {}, multibody::Joint(Kind::kRevolute, Vector3::UnitZ()), {});
  tree.Add(kKing, {}, multibody::Joint(Kind::kRevolute, Lift()), {});
  tree.Add(kBoom, {}, multibody::Joint(Kind::kRevolute, Lift()), {});
  return tree;
}

void KnuckleBoomCrane::ParametersChanged() {
  BodyTree& tree = dynamics_->tree;
  tree.SetPlace(kKing, {.p = {foot_x, foot_y, foot_z}});
  tree.SetPlace(kBoom, {.p = {pivot_radius, 0, pivot_height}});
  tree.SetPlace(kKnuckle, {.p = {boom_length, 0, 0}});
  tree.SetBody(kKing, {.inertia = Vector3(0, 0, king_inertia).asDiagonal()});
  tree.SetBody(kBoom, Rod(boom_mass, boom_center, boom_inertia));
  tree.SetBody(kKnuckle, Rod(knuckle_mass, knuckle_center, knuckle_inertia)
                             .WithPoint(HasWire() ? 0.0 : payload, {knuckle_length, 0, 0}));
  boom_mount_ = {Lift(), {boom_foot_x, 0, boom_foot_z}, {boom_head_x, 0, boom_head_z}};
  knuckle_mount_ = {
      Lift(), {knuckle_foot_x - boom_length, 0, knuckle_foot_z}, {knuckle_head_x, 0, knuckle_head_z}};

  dynamics_->moved_to.reset();

  // The mass a cylinder feels: what its force would accelerate with the other one loose.
  MoveBodiesAtRest();
  const Eigen::MatrixXd& M = dynamics_->bodies.M();
  const double determinant = M(1, 1) * M(2, 2) - M(1, 2) * M(1, 2);
  const double arm_1 = boom_mount_.At(q1).lever_arm, arm_2 = knuckle_mount_.At(q2).lever_arm;
  boom->mass = determinant / (M(2, 2) * arm_1 * arm_1);
  knuckle->mass = determinant / (M(1, 1) * arm_2 * arm_2);
  slew->inertia = M(0, 0);
  boom->keeps_travel = knuckle->keeps_travel = true;
}

KnuckleBoomCrane::JointTravel KnuckleBoomCrane::TravelOf(const TranslationalBond& bond,
                                                         const SpannedJoint& mount, double shortest,
                                                         double near) {
  JointTravel travel;
  travel.restitution = bond.restitution;
  travel.x_min = bond.x_min;
  travel.x_max = bond.x_max;
  // x of the bond is against extension.
  const auto short_end = mount.FindAngle(shortest - bond.x_max, near);
  const auto long_end = mount.FindAngle(shortest - bond.x_min, near);
  const bool is_turned = mount.At(near).lever_arm < 0;
  if (short_end) (is_turned ? travel.high : travel.low) = *short_end;
  if (long_end) (is_turned ? travel.low : travel.high) = *long_end;
  return travel;
}

double KnuckleBoomCrane::StartAngle(const TranslationalBond& bond, const SpannedJoint& mount, double shortest,
                                    double own) {
  if (std::isnan(bond.x_start)) return own;
  return mount.FindAngle(shortest - bond.x_start, own).value_or(own);
}

void KnuckleBoomCrane::UpdateTravel() {
  boom_travel_ = TravelOf(*boom, boom_mount_, boom_shortest, q1);
  knuckle_travel_ = TravelOf(*knuckle, knuckle_mount_, knuckle_shortest, q2);
}

void KnuckleBoomCrane::CheckStart(Diagnostics& diagnostics, const TranslationalBond& bond,
                                  const SpannedJoint& mount, double shortest, const StateVariable& angle,
                                  const JointTravel& travel) {
  const StateDeclaration& own = DeclarationOf(angle);
  const double given = mount.At(own.start[0]).length - shortest;
  double start = own.start[0];
  if (!std::isnan(bond.x_start)) {
    if (own.is_start_given && !(std::abs(given + bond.x_start) <= kSameStart)) {
      diagnostics.Error(
          location(), DisplayPath(),
          fmt::format(
              "{} starts at {} rad, where {} is at x = {} m, but that asks for {} m; give one of them, "
              "or the same place",
              own.label.name, own.start[0], bond.x_start_owner->DisplayPath(), given, -bond.x_start));
      return;
    }
    const auto found = mount.FindAngle(shortest - bond.x_start, own.start[0]);
    if (!found) {
      diagnostics.Error(
          location(), DisplayPath(),
          fmt::format(
              "{} asks to start at x = {} m, a length of {} m that the joint cannot give it; start inside "
              "its travel",
              bond.x_start_owner->DisplayPath(), -bond.x_start, shortest - bond.x_start));
      return;
    }
    if (!own.is_start_given) start = *found;
  }
  if (start < travel.low - kSameStart || start > travel.high + kSameStart) {
    diagnostics.Error(
        location(), DisplayPath(),
        fmt::format(
            "{} starts at {} rad, outside of the travel of its cylinder from {} rad to {} rad; start inside",
            own.label.name, start, travel.low, travel.high));
  }
}

void KnuckleBoomCrane::CheckConnections(Diagnostics& diagnostics) {
  UpdateTravel();
  for (Guard* guard : {&boom_low, &boom_high}) guard->SetActive(boom->wants_located_stops);
  for (Guard* guard : {&knuckle_low, &knuckle_high}) guard->SetActive(knuckle->wants_located_stops);
  CheckStart(diagnostics, *boom, boom_mount_, boom_shortest, q1, boom_travel_);
  CheckStart(diagnostics, *knuckle, knuckle_mount_, knuckle_shortest, q2, knuckle_travel_);
}

void KnuckleBoomCrane::Reset() {
  DynamicSimComponent::Reset();
  UpdateTravel();
  const auto start = [](StateVariable& angle, double value) {
    if (value != angle) angle.OverrideStateValue(value);
  };
  if (!DeclarationOf(q1).is_start_given) start(q1, StartAngle(*boom, boom_mount_, boom_shortest, q1));
  if (!DeclarationOf(q2).is_start_given)
    start(q2, StartAngle(*knuckle, knuckle_mount_, knuckle_shortest, q2));
  if (!HasWire()) return;
  HangPayload(swing_radial, swing_lateral);
  for (StateVariable* state : {&payload_x, &payload_y, &payload_z, &payload_vx, &payload_vy, &payload_vz}) {
    const StateDeclaration& own = DeclarationOf(*state);
    if (own.is_start_given) state->OverrideStateValue(own.start[0]);
  }
}

PayloadWire KnuckleBoomCrane::Wire() const {
  return {.EA = wire_stiffness,
          .damping_ratio = wire_damping_ratio,
          .swing_damping_ratio = swing_damping_ratio,
          .mass = std::max<double>(payload, hook_mass),
          .gravity = gravity};
}

void KnuckleBoomCrane::MoveBodies(bool is_vessel_moving) {
  std::array<double, 24> at{q0, q1, q2, w0, w1, w2};
  if (is_vessel_moving) std::ranges::copy(base_.Values(), at.begin() + 6);
  const auto bits = std::bit_cast<std::array<std::uint64_t, 24>>(at);
  if (dynamics_->moved_to == bits) return;
  dynamics_->moved_to = bits;
  multibody::MovingBase base;
  base.gravity = {0, 0, -gravity};
  dynamics_->bodies.MoveTo(is_vessel_moving ? base_.Motion(gravity) : base, std::span(at).first(3),
                           std::span(at).subspan(3, 3));
}

// A mass m that moves along with a cylinder has the kinetic energy m/2 (l' w)^2.
Matrix3 KnuckleBoomCrane::Mass(const MountPoints& at) const {
  Matrix3 M = dynamics_->bodies.M();
  M(0, 0) += slew->added_inertia;
  M(1, 1) += boom->added_mass * at.boom.lever_arm * at.boom.lever_arm;
  M(2, 2) += knuckle->added_mass * at.knuckle.lever_arm * at.knuckle.lever_arm;
  return M;
}

Vector3 KnuckleBoomCrane::Bias(const MountPoints& at) const {
  Vector3 h = dynamics_->bodies.h();
  h[1] += boom->added_mass * at.boom.lever_arm * at.boom.curvature * w1 * w1;
  h[2] += knuckle->added_mass * at.knuckle.lever_arm * at.knuckle.curvature * w2 * w2;
  return h;
}

KnuckleBoomCrane::TipMotion KnuckleBoomCrane::TipOverEarth() const {
  const multibody::Motion& motion = dynamics_->bodies.VelocityOf(kKnuckle);
  const Vector3 place = dynamics_->bodies.PoseOf(kKnuckle) * Vector3(knuckle_length, 0, 0);
  return {place, motion.linear + motion.angular.cross(place)};
}

KnuckleBoomCrane::TipMotion KnuckleBoomCrane::SeenFromVessel(const TipMotion& tip) const {
  const multibody::Pose& vessel = dynamics_->bodies.PoseOf(BodyTree::kBase);
  const multibody::Motion& motion = dynamics_->bodies.VelocityOf(BodyTree::kBase);
  const Vector3 carried = motion.linear + motion.angular.cross(tip.place);
  return {vessel.R.transpose() * (tip.place - vessel.p), vessel.R.transpose() * (tip.velocity - carried)};
}

Vector3 KnuckleBoomCrane::OutsideForce(const Vector3& place, const Vector3& velocity) const {
  Vector3 force = Vector3::Zero();
  const double depth = deck_height - place.z();
  if (depth > 0) {
    const double m = std::max<double>(payload, hook_mass);
    const double spring = deck_stiffness * depth;
    const double c = 2 * deck_damping_ratio * std::sqrt(deck_stiffness * m);
    const double share = std::min(1.0, spring / std::max(m * gravity, 1e-300));
    const double normal = std::max(0.0, spring - c * velocity.z() * share);
    const double rub =
        deck_friction * normal / std::hypot(std::hypot(velocity.x(), velocity.y()), kRubbingSpeed);
    force = {-rub * velocity.x(), -rub * velocity.y(), normal};
  }
  if (air == Air::kDrag) {
    const Vector3 against = Vector3(wind_x, wind_y, 0) - velocity;
    force += air_density / 2 * drag_area * against.norm() * against;
  }
  return force;
}

Vector3 KnuckleBoomCrane::EvaluatePayload(const TipMotion& tip) {
  const PayloadWire wire = Wire();
  const Vector3 velocity = PayloadVelocity();
  const multibody::Pose& vessel = dynamics_->bodies.PoseOf(BodyTree::kBase);
  const multibody::Motion &motion = dynamics_->bodies.VelocityOf(BodyTree::kBase),
                          &rate = dynamics_->bodies.BaseAcceleration();
  const Vector3 of_earth = vessel * PayloadPlace();
  const Vector3 on_vessel = vessel.R * velocity;
  const Vector3 of_vessel = motion.linear + motion.angular.cross(of_earth);  // where the payload is
  const Vector3 velocity_of_earth = of_vessel + on_vessel;
  const Vector3 to_tip = tip.place - of_earth;
  const double distance = std::max(to_tip.norm(), kLeastDistance);
  const Vector3 direction = to_tip / distance;
  const Vector3 apart = tip.velocity - velocity_of_earth - motion.angular.cross(to_tip);
  const double distance_rate = direction.dot(apart);

  // The winch slips by the pull without the damping that its own slip makes.
  double paid_out = winch_speed;
  if (release > 0) {
    const double held = wire.Tension(wire_length, 0, distance, distance_rate);
    paid_out += release * std::max(0.0, held - release_tension) / release_resistance;
  }
  if (paid_out < 0) paid_out *= Clip01((wire_length - least_wire) / kWinchFade);
  const double tension = wire.Tension(wire_length, paid_out, distance, distance_rate);
  const Vector3 damping = wire.SwingDamping(distance, tension) * (apart - distance_rate * direction);

  const Vector3 pull = tension * direction + damping;
  const Vector3 force = pull + OutsideForce(of_earth, velocity_of_earth);
  const Vector3 carried = rate.linear + rate.angular.cross(of_earth) +
                          motion.angular.cross(of_vessel + 2 * on_vessel) + Vector3(0, 0, gravity);
  const Vector3 acceleration = vessel.R.transpose() * (force / wire.mass - carried);
  wire_length.ddt = paid_out;
  payload_x.ddt = velocity.x();
  payload_y.ddt = velocity.y();
  payload_z.ddt = velocity.z();
  payload_vx.ddt = acceleration.x();
  payload_vy.ddt = acceleration.y();
  payload_vz.ddt = acceleration.z();
  load_x = of_earth.x();
  load_y = of_earth.y();
  load_z = of_earth.z();
  hook_load = tension;
  kinetic_energy = kinetic_energy + wire.mass * velocity_of_earth.squaredNorm() / 2;
  potential_energy =
      potential_energy + wire.mass * gravity * of_earth.z() + wire.Energy(wire_length, distance);
  return -pull;
}

void KnuckleBoomCrane::ShowPayload(const TipMotion& tip) {
  const TipMotion seen = SeenFromVessel(tip);
  payload_x.ShowValue(seen.place.x());
  payload_y.ShowValue(seen.place.y());
  payload_z.ShowValue(seen.place.z());
  payload_vx.ShowValue(seen.velocity.x());
  payload_vy.ShowValue(seen.velocity.y());
  payload_vz.ShowValue(seen.velocity.z());
  load_x = tip.place.x();
  load_y = tip.place.y();
  load_z = tip.place.z();
  hook_load = payload * gravity;
}

Vector3 KnuckleBoomCrane::Accelerate(const Matrix3& M, const Vector3& torques) const {
  const auto leans = [](double angle, double rate, const JointTravel& travel, double push) {
    return rate == 0 && ((angle <= travel.low && push < 0) || (angle >= travel.high && push > 0));
  };
  Vector3 a = Solve(M, torques);
  const bool boom_leans = leans(q1, w1, boom_travel_, a[1]);
  const bool knuckle_leans = leans(q2, w2, knuckle_travel_, a[2]);
  if (!boom_leans && !knuckle_leans) return a;
  // With one joint held the other may lean too, or no more.
  const double boom_alone = torques[1] / M(1, 1), knuckle_alone = torques[2] / M(2, 2);
  if (boom_leans && !leans(q2, w2, knuckle_travel_, knuckle_alone)) return {a[0], 0, knuckle_alone};
  if (knuckle_leans && !leans(q1, w1, boom_travel_, boom_alone)) return {a[0], boom_alone, 0};
  return {a[0], 0, 0};
}

void KnuckleBoomCrane::EvaluateDiffEquations(double /*t*/) {
  MoveBodies();
  const Matrix3 M = Mass(dynamics_->mounts);
  const Vector3 w(w0, w1, w2);
  const TipMotion tip = TipOverEarth();
  kinetic_energy = w.dot(M * w) / 2;
  potential_energy = dynamics_->bodies.PotentialEnergy();
  Vector3 torques = Vector3(slew->T() - slew_friction * w0, lever_1 * boom->F() - joint_friction * w1,
                            lever_2 * knuckle->F() - joint_friction * w2) -
                    Bias(dynamics_->mounts);
  Vector3 holding = dynamics_->bodies.weights();
  if (HasWire()) {
    dynamics_->bodies.AddForce(kKnuckle, tip.place, EvaluatePayload(tip), torques);
    dynamics_->bodies.AddForce(kKnuckle, tip.place, {0, 0, Wire().mass * gravity}, holding);
  } else {
    ShowPayload(tip);
  }
  const Vector3 acceleration = Accelerate(M, torques);
  q0.ddt = w0;
  q1.ddt = w1;
  q2.ddt = w2;
  w0.ddt = acceleration[0];
  w1.ddt = acceleration[1];
  w2.ddt = acceleration[2];

  torque_0 = holding[0];
  torque_1 = holding[1];
  torque_2 = holding[2];
  m00 = M(0, 0);
  m11 = M(1, 1);
  m12 = M(1, 2);
  m22 = M(2, 2);
  const multibody::Pose& king = dynamics_->bodies.PoseOf(kKing);
  tip_radius = king.R.col(0).dot(tip.place - king.p);
  tip_height = king.R.col(2).dot(tip.place - king.p);
  tip_x = tip.place.x();
  tip_y = tip.place.y();
  tip_z = tip.place.z();
  load_moment = hook_load * tip_radius;
  ShowMechanism();
}

void KnuckleBoomCrane::HangPayload(double radial, double lateral) {
  // Nothing of it depends on how the vessel lies: at the start its motion is not known yet.
  MoveBodiesAtRest();
  const TipMotion tip = TipOverEarth();
  const Matrix3& king = dynamics_->bodies.PoseOf(kKing).R;
  const Vector3 wire =
      wire_length * (std::sin(radial) * king.col(0) + std::cos(radial) * std::sin(lateral) * king.col(1) -
                     std::cos(radial) * std::cos(lateral) * Vector3::UnitZ());
  const Vector3 place = tip.place + wire;
  payload_x.OverrideStateValue(place.x());
  payload_y.OverrideStateValue(place.y());
  payload_z.OverrideStateValue(place.z());
  payload_vx.OverrideStateValue(tip.velocity.x());
  payload_vy.OverrideStateValue(tip.velocity.y());
  payload_vz.OverrideStateValue(tip.velocity.z());
}

void KnuckleBoomCrane::AspectsChanged(AspectSwitch& change) {
  if (!change.HasChanged(payload_at)) return;
  const bool begins = HasWire();
  if (begins) HangPayload(0, 0);
  // What the payload has in both descriptions at the same motion of the booms.
  MoveBodies();
  const PayloadWire wire = Wire();
  const TipMotion tip = TipOverEarth();
  const double at_tip = payload * (SeenFromVessel(tip).velocity.squaredNorm() / 2 + gravity * tip.place.z());
  const Vector3 place = dynamics_->bodies.PoseOf(BodyTree::kBase) * PayloadPlace();
  const double on_wire = wire.mass * (PayloadVelocity().squaredNorm() / 2 + gravity * place.z()) +
                         wire.Energy(wire_length, (tip.place - place).norm());
  change.ReleaseEnergy(begins ? at_tip - on_wire : on_wire - at_tip);
}

void KnuckleBoomCrane::Stop(Joint joint, double limit, double restitution) {
  StateVariable& angle = joint == Joint::kBoom ? q1 : q2;
  StateVariable& own = joint == Joint::kBoom ? w1 : w2;
  StateVariable& other = joint == Joint::kBoom ? w2 : w1;
  MoveBodiesAtRest();
  const Matrix3 M = Mass(Mounts());
  // An impulse P on the joint: own' - own = P (M^-1)_ii, other' - other = P (M^-1)_ij.
  const double to_other = -M(1, 2) / (joint == Joint::kBoom ? M(2, 2) : M(1, 1));
  const double change = -(1 + restitution) * own;
  const double other_now = other + to_other * change;
  const double own_now = restitution == 0 ? 0.0 : own + change;
  angle.OverrideStateValue(limit);
  own.OverrideStateValue(own_now);
  other.OverrideStateValue(other_now);
}

void KnuckleBoomCrane::StopIfOutside(Joint joint, const StateVariable& angle, const StateVariable& rate,
                                     const JointTravel& travel) {
  if (angle < travel.low && rate < 0) Stop(joint, travel.low, travel.restitution);
  if (angle > travel.high && rate > 0) Stop(joint, travel.high, travel.restitution);
}

void KnuckleBoomCrane::PostIntegrate() {
  if (!boom_low.is_active() || GetSolverType() == SolverType::kTlm)
    StopIfOutside(Joint::kBoom, q1, w1, boom_travel_);
  if (!knuckle_low.is_active() || GetSolverType() == SolverType::kTlm)
    StopIfOutside(Joint::kKnuckle, q2, w2, knuckle_travel_);
}

}  // namespace davit
