#include "components/crane/knuckle_boom_crane.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

namespace davit {
namespace {

using Eigen::Vector3d;

constexpr double kSameStart = 1e-6;      // [m] between a cylinder's start and that of the joint
constexpr double kRubbingSpeed = 1e-2;   // [m/s] over which friction on the deck sets in
constexpr double kWinchFade = 0.05;      // [m] over which the winch stops at the least length of wire
constexpr double kLeastDistance = 1e-6;  // [m] of tip and payload that gives the wire a direction

double Clip01(double value) { return std::clamp(value, 0.0, 1.0); }

}  // namespace

KnuckleBoomCrane::KnuckleBoomCrane() { EffortsRead({}); }

void KnuckleBoomCrane::ParametersChanged() {
  body_.pivot_radius = pivot_radius;
  body_.pivot_height = pivot_height;
  body_.king_inertia = king_inertia;
  body_.boom = {boom_length, boom_mass, boom_center, boom_inertia};
  body_.knuckle = {knuckle_length, knuckle_mass, knuckle_center, knuckle_inertia};
  body_.tip_mass = HasWire() ? 0.0 : payload;
  body_.gravity = gravity;
  body_.foot = {foot_x, foot_y, foot_z};
  boom_linkage_ = {{boom_foot_x, boom_foot_z}, {boom_head_x, boom_head_z}};
  knuckle_linkage_ = {{knuckle_foot_x - boom_length, knuckle_foot_z}, {knuckle_head_x, knuckle_head_z}};

  // The mass a cylinder feels: what its force would accelerate with the other one loose.
  const CraneMass mass = ComputeCraneTerms(body_, Pose(), {}).mass;
  const double determinant = mass.m11 * mass.m22 - mass.m12 * mass.m12;
  const double arm_1 = boom_linkage_.At(q1).lever_arm, arm_2 = knuckle_linkage_.At(q2).lever_arm;
  boom->mass = determinant / (mass.m22 * arm_1 * arm_1);
  knuckle->mass = determinant / (mass.m11 * arm_2 * arm_2);
  slew->inertia = mass.m00;
  boom->keeps_travel = knuckle->keeps_travel = true;
}

KnuckleBoomCrane::JointTravel KnuckleBoomCrane::TravelOf(const TranslationalBond& bond,
                                                         const Linkage& linkage, double shortest,
                                                         double near) {
  JointTravel travel;
  travel.restitution = bond.restitution;
  travel.x_min = bond.x_min;
  travel.x_max = bond.x_max;
  // x of the bond is against extension.
  const auto short_end = linkage.FindAngle(shortest - bond.x_max, near);
  const auto long_end = linkage.FindAngle(shortest - bond.x_min, near);
  const bool is_turned = linkage.At(near).lever_arm < 0;
  if (short_end) (is_turned ? travel.high : travel.low) = *short_end;
  if (long_end) (is_turned ? travel.low : travel.high) = *long_end;
  return travel;
}

double KnuckleBoomCrane::StartAngle(const TranslationalBond& bond, const Linkage& linkage, double shortest,
                                    double own) {
  if (std::isnan(bond.x_start)) return own;
  return linkage.FindAngle(shortest - bond.x_start, own).value_or(own);
}

void KnuckleBoomCrane::UpdateTravel() {
  boom_travel_ = TravelOf(*boom, boom_linkage_, boom_shortest, q1);
  knuckle_travel_ = TravelOf(*knuckle, knuckle_linkage_, knuckle_shortest, q2);
}

void KnuckleBoomCrane::CheckStart(Diagnostics& diagnostics, const TranslationalBond& bond,
                                  const Linkage& linkage, double shortest, const StateVariable& angle,
                                  const JointTravel& travel) {
  const StateDeclaration& own = DeclarationOf(angle);
  const double given = linkage.At(own.start[0]).length - shortest;
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
    const auto found = linkage.FindAngle(shortest - bond.x_start, own.start[0]);
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
  CheckStart(diagnostics, *boom, boom_linkage_, boom_shortest, q1, boom_travel_);
  CheckStart(diagnostics, *knuckle, knuckle_linkage_, knuckle_shortest, q2, knuckle_travel_);
}

void KnuckleBoomCrane::Reset() {
  DynamicSimComponent::Reset();
  UpdateTravel();
  const auto start = [](StateVariable& angle, double value) {
    if (value != angle) angle.OverrideStateValue(value);
  };
  if (!DeclarationOf(q1).is_start_given) start(q1, StartAngle(*boom, boom_linkage_, boom_shortest, q1));
  if (!DeclarationOf(q2).is_start_given)
    start(q2, StartAngle(*knuckle, knuckle_linkage_, knuckle_shortest, q2));
  if (!HasWire()) return;
  HangPayload(swing_radial, swing_lateral);
  for (StateVariable* state : {&payload_x, &payload_y, &payload_z, &payload_vx, &payload_vy, &payload_vz}) {
    const StateDeclaration& own = DeclarationOf(*state);
    if (own.is_start_given) state->OverrideStateValue(own.start[0]);
  }
}

BaseMotion KnuckleBoomCrane::Base() const {
  return {.heave = {heave, heave_rate, heave_acceleration},
          .roll = {roll, roll_rate, roll_acceleration},
          .pitch = {pitch, pitch_rate, pitch_acceleration}};
}

PayloadWire KnuckleBoomCrane::Wire() const {
  return {.EA = wire_stiffness,
          .damping_ratio = wire_damping_ratio,
          .swing_damping_ratio = swing_damping_ratio,
          .mass = std::max<double>(payload, hook_mass),
          .gravity = gravity};
}

CraneTerms KnuckleBoomCrane::Terms(const CraneBody& body) const {
  CraneTerms terms = ComputeCraneTerms(body, Pose(), Base());
  // A mass m that moves along with a cylinder: kinetic energy m/2 (l' w)^2.
  const auto add = [](const TranslationalBond& bond, const Linkage& linkage, double angle, double rate,
                      double& mass, double& bias) {
    if (bond.added_mass == 0) return;
    const Linkage::Point at = linkage.At(angle);
    mass += bond.added_mass * at.lever_arm * at.lever_arm;
    bias += bond.added_mass * at.lever_arm * at.curvature * rate * rate;
  };
  add(*boom, boom_linkage_, q1, w1, terms.mass.m11, terms.bias.boom);
  add(*knuckle, knuckle_linkage_, q2, w2, terms.mass.m22, terms.bias.knuckle);
  terms.mass.m00 += slew->added_inertia;
  return terms;
}

Vector3d KnuckleBoomCrane::OutsideForce(const Vector3d& place, const Vector3d& velocity) const {
  Vector3d force = Vector3d::Zero();
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
    const Vector3d against = Vector3d(wind_x, wind_y, 0) - velocity;
    force += air_density / 2 * drag_area * against.norm() * against;
  }
  return force;
}

Vector3d KnuckleBoomCrane::EvaluatePayload(const CraneTerms& terms) {
  const BaseFrame vessel = BaseFrame::Of(Base());
  const PayloadWire wire = Wire();
  const Vector3d place = PayloadPlace(), velocity = PayloadVelocity();
  const Vector3d to_tip = body_.foot + terms.to_vessel * terms.tip - place;
  const double distance = std::max(to_tip.norm(), kLeastDistance);
  const Vector3d direction = to_tip / distance;
  const Vector3d tip_velocity = terms.to_vessel * terms.TipVelocityOnVessel(Pose());
  const Vector3d apart = tip_velocity - velocity;
  const double distance_rate = direction.dot(apart);

  // The winch slips by the pull without the damping that its own slip makes.
  double paid_out = winch_speed;
  if (release > 0) {
    const double pull = wire.Tension(wire_length, 0, distance, distance_rate);
    paid_out += release * std::max(0.0, pull - release_tension) / release_resistance;
  }
  if (paid_out < 0) paid_out *= Clip01((wire_length - least_wire) / kWinchFade);
  const double tension = wire.Tension(wire_length, paid_out, distance, distance_rate);
  const Vector3d damping = wire.SwingDamping(distance, tension) * (apart - distance_rate * direction);

  const Vector3d up = vessel.to_earth.row(2);
  const Vector3d of_earth = vessel.to_earth * place + Vector3d(0, 0, heave);
  const Vector3d velocity_of_earth =
      vessel.to_earth * (velocity + vessel.omega.cross(place)) + Vector3d(0, 0, heave_rate);
  const Vector3d force =
      tension * direction + damping + vessel.to_earth.transpose() * OutsideForce(of_earth, velocity_of_earth);
  const Vector3d carried = vessel.alpha.cross(place) + vessel.omega.cross(vessel.omega.cross(place)) +
                           2 * vessel.omega.cross(velocity) + (gravity + heave_acceleration) * up;
  const Vector3d acceleration = force / wire.mass - carried;
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
  return -tension * (vessel.to_earth * direction) - vessel.to_earth * damping;
}

void KnuckleBoomCrane::ShowPayload(const CraneTerms& terms) {
  const Vector3d place = body_.foot + terms.to_vessel * terms.tip;
  const Vector3d velocity = terms.to_vessel * terms.TipVelocityOnVessel(Pose());
  payload_x.ShowValue(place.x());
  payload_y.ShowValue(place.y());
  payload_z.ShowValue(place.z());
  payload_vx.ShowValue(velocity.x());
  payload_vy.ShowValue(velocity.y());
  payload_vz.ShowValue(velocity.z());
  load_x = terms.tip_earth.x();
  load_y = terms.tip_earth.y();
  load_z = terms.tip_earth.z();
  hook_load = payload * gravity;
}

JointTorques KnuckleBoomCrane::Accelerate(const CraneMass& mass, const JointTorques& torques) const {
  const auto leans = [](double angle, double rate, const JointTravel& travel, double push) {
    return rate == 0 && ((angle <= travel.low && push < 0) || (angle >= travel.high && push > 0));
  };
  JointTorques a = mass.Solve(torques);
  const bool boom_leans = leans(q1, w1, boom_travel_, a.boom);
  const bool knuckle_leans = leans(q2, w2, knuckle_travel_, a.knuckle);
  if (!boom_leans && !knuckle_leans) return a;
  // With one joint held the other may lean too, or no more.
  const double boom_alone = torques.boom / mass.m11, knuckle_alone = torques.knuckle / mass.m22;
  if (boom_leans && !leans(q2, w2, knuckle_travel_, knuckle_alone)) return {a.slew, 0, knuckle_alone};
  if (knuckle_leans && !leans(q1, w1, boom_travel_, boom_alone)) return {a.slew, boom_alone, 0};
  return {a.slew, 0, 0};
}

void KnuckleBoomCrane::EvaluateDiffEquations(double /*t*/) {
  const CraneTerms terms = Terms(body_);
  kinetic_energy = terms.mass.KineticEnergy(Pose());
  potential_energy = terms.potential_energy;
  JointTorques torques{slew->T() - slew_friction * w0 - terms.bias.slew,
                       lever_1 * boom->F() - joint_friction * w1 - terms.bias.boom,
                       lever_2 * knuckle->F() - joint_friction * w2 - terms.bias.knuckle};
  JointTorques holding = terms.gravity;
  if (HasWire()) {
    const JointTorques wire = terms.FromTipForce(EvaluatePayload(terms));
    torques.slew += wire.slew;
    torques.boom += wire.boom;
    torques.knuckle += wire.knuckle;
    const JointTorques hanging = terms.FromTipForce({0, 0, -Wire().mass * gravity});
    holding = {holding.slew - hanging.slew, holding.boom - hanging.boom, holding.knuckle - hanging.knuckle};
  } else {
    ShowPayload(terms);
  }
  const JointTorques acceleration = Accelerate(terms.mass, torques);
  q0.ddt = w0;
  q1.ddt = w1;
  q2.ddt = w2;
  w0.ddt = acceleration.slew;
  w1.ddt = acceleration.boom;
  w2.ddt = acceleration.knuckle;

  torque_0 = holding.slew;
  torque_1 = holding.boom;
  torque_2 = holding.knuckle;
  m00 = terms.mass.m00;
  m11 = terms.mass.m11;
  m12 = terms.mass.m12;
  m22 = terms.mass.m22;
  tip_radius = terms.tip.x();
  tip_height = terms.tip.z();
  tip_x = terms.tip_earth.x();
  tip_y = terms.tip_earth.y();
  tip_z = terms.tip_earth.z();
  load_moment = hook_load * tip_radius;
  ShowMechanism(terms);
}

void KnuckleBoomCrane::HangPayload(double radial, double lateral) {
  // Nothing of it depends on how the vessel lies: at the start its motion is not known yet.
  const CraneTerms terms = ComputeCraneTerms(body_, Pose(), {});
  const Vector3d outwards = terms.to_vessel.col(0), along = terms.to_vessel.col(1);
  const Vector3d wire =
      wire_length * (std::sin(radial) * outwards + std::cos(radial) * std::sin(lateral) * along -
                     std::cos(radial) * std::cos(lateral) * Vector3d::UnitZ());
  const Vector3d place = body_.foot + terms.to_vessel * terms.tip + wire;
  const Vector3d velocity = terms.to_vessel * terms.TipVelocityOnVessel(Pose());
  payload_x.OverrideStateValue(place.x());
  payload_y.OverrideStateValue(place.y());
  payload_z.OverrideStateValue(place.z());
  payload_vx.OverrideStateValue(velocity.x());
  payload_vy.OverrideStateValue(velocity.y());
  payload_vz.OverrideStateValue(velocity.z());
}

void KnuckleBoomCrane::AspectsChanged(AspectSwitch& change) {
  if (!change.HasChanged(payload_at)) return;
  const bool begins = HasWire();
  if (begins) HangPayload(0, 0);
  // What both descriptions hold at the same motion of the booms.
  CraneBody with_tip = body_, without = body_;
  with_tip.tip_mass = payload;
  without.tip_mass = 0;
  const CraneTerms tip = Terms(with_tip), bare = Terms(without);
  const PayloadWire wire = Wire();
  const double at_tip = tip.mass.KineticEnergy(Pose()) + tip.potential_energy -
                        bare.mass.KineticEnergy(Pose()) - bare.potential_energy;
  const Vector3d to_tip = body_.foot + bare.to_vessel * bare.tip - PayloadPlace();
  const Vector3d height = bare.to_earth.row(2) * bare.to_vessel.transpose();  // of a place in the vessel
  const double on_wire =
      wire.mass * (PayloadVelocity().squaredNorm() / 2 + gravity * (height.dot(PayloadPlace()) + heave)) +
      wire.Energy(wire_length, to_tip.norm());
  change.ReleaseEnergy(begins ? at_tip - on_wire : on_wire - at_tip);
}

void KnuckleBoomCrane::Stop(Joint joint, double limit, double restitution) {
  StateVariable& angle = joint == Joint::kBoom ? q1 : q2;
  StateVariable& own = joint == Joint::kBoom ? w1 : w2;
  StateVariable& other = joint == Joint::kBoom ? w2 : w1;
  const CraneMass mass = Terms(body_).mass;
  // An impulse P on the joint: own' - own = P (M^-1)_ii, other' - other = P (M^-1)_ij.
  const double to_other = -mass.m12 / (joint == Joint::kBoom ? mass.m22 : mass.m11);
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
