#include "components/hydraulic/laws/spool_drive.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace davit {
namespace {

// The stops carry the largest force of the actuator with a hundredth of the stroke, bristles all dry friction
// with a thousandth: both stay unseen, and are not much faster than the spool itself.
constexpr double kStopDeflection = 0.01;
constexpr double kBristleDeflection = 1e-3;

template <class E>
Presets<E> Always(E option) {
  return {.ideal = option, .standard = option, .advanced = option};
}

}  // namespace

SpoolDrive::SpoolDrive(DynamicSimComponent* owner, OptionCondition with_forces)
    : hysteresis{owner, "hysteresis", "Hysteresis between the input and the drive of the spool",
                 kHysteresisNames, Always(Hysteresis::kNone)},
      flow_forces{
          owner, "flow_forces", "Force of the flow on the spool; used with spool_dynamics Forces",
          kFlowForcesNames,
          Presets{
              .ideal = FlowForces::kNone, .standard = FlowForces::kStatic, .advanced = FlowForces::kDynamic}},
      spool_friction{owner, "spool_friction", "Friction of the spool; used with spool_dynamics Forces",
                     kFrictionNames, Always(Friction::kViscous)},
      spool_control{owner, "spool_control", "Control of the actuator; used with spool_dynamics Forces",
                    kControlNames, Always(Control::kDirect)},
      hysteresis_width{
          owner, "hysteresis_width", "", "Width of the hysteresis, as a fraction of the full input",
          Number{.value = 0.05, .range = kNonNegative, .when = hysteresis.Is(Hysteresis::kPlay)}},
      hysteresis_rate{owner, "hysteresis_rate", "1/s", "Rate at which the drive follows the end of the play",
                      Number{.value = 1000.0, .range = kPositive, .when = hysteresis.Is(Hysteresis::kPlay)}},
      largest_actuator_force{owner, "largest_actuator_force", "N",
                             "Largest force of the actuator (solenoid, pilot piston)",
                             Number{.value = 1000.0, .range = kPositive, .when = with_forces}},
      full_spring_force{owner, "full_spring_force", "N", "Force of the spring at full travel",
                        Number{.value = 1000.0, .range = kNonNegative, .when = with_forces}},
      spring_preload{owner, "spring_preload", "N", "Force of the spring at rest",
                     Number{.value = 0.0, .range = kNonNegative, .when = with_forces}},
      mass{owner, "spool_mass", "kg", "Mass of the spool and the parts moving with it",
           Number{.value = 0.5, .range = kPositive, .when = with_forces}},
      stroke{owner, "spool_stroke", "m", "Travel of the spool from rest to one end",
             Number{.value = 5e-3, .range = kPositive, .when = with_forces}},
      viscous_friction{owner, "spool_viscous_friction", "N.s/m", "Viscous friction of the spool",
                       Number{.value = 300.0, .range = kNonNegative, .when = with_forces}},
      dry_friction{owner, "spool_dry_friction", "N", "Coulomb friction of the spool",
                   Number{.value = 20.0, .range = kPositive, .when = spool_friction.Is(Friction::kCoulomb)}},
      jet_angle{owner, "jet_angle", "rad",
                "Angle theta between jet and axis of the spool (69 deg: sharp edge)",
                Number{.value = 69 * std::numbers::pi / 180,
                       .range = Range{.low = 0, .high = std::numbers::pi / 2},
                       .when = with_forces}},
      damping_length{
          owner, "damping_length", "m",
          "Length L of the oil between the edges that the spool accelerates; below 0: destabilising",
          Number{.value = 0.02, .when = flow_forces.Is(FlowForces::kDynamic)}},
      position_gain{
          owner, "position_gain", "N", "Force of the control for an error of the full travel",
          Number{.value = 5000.0, .range = kNonNegative, .when = spool_control.Is(Control::kPositionLoop)}},
      reset_time{
          owner, "position_reset_time", "s", "Reset time of the control; 0: no integral part",
          Number{.value = 0.0, .range = kNonNegative, .when = spool_control.Is(Control::kPositionLoop)}},
      derivative_time{
          owner, "position_derivative_time", "s", "Derivative time of the control",
          Number{.value = 1e-3, .range = kNonNegative, .when = spool_control.Is(Control::kPositionLoop)}},
      spool_target{owner, "spool_target", "", "Input behind the hysteresis",
                   Start{.nominal = 1.0, .when = hysteresis.Is(Hysteresis::kPlay)}},
      bristles{owner, "spool_bristles", "m", "Deflection before the spool slides",
               Start{.nominal = 1e-5, .when = spool_friction.Is(Friction::kCoulomb)}},
      integral{owner, "position_integral", "N", "Integral part of the control",
               Start{.nominal = 1000.0, .when = spool_control.Is(Control::kPositionLoop)}},
      actuator_force{owner, "actuator_force", "N", "Force of the actuator on the spool"},
      spring_force{owner, "spring_force", "N", "Force of the spring against the travel"},
      flow_force{owner, "flow_force", "N", "Force of the flow against the travel"},
      friction_force{owner, "spool_friction_force", "N", "Friction against the motion of the spool"} {}

void SpoolDrive::SetUp(bool has_two_positions, double density) {
  const double deflection = kStopDeflection * stroke;
  const double stop_stiffness = largest_actuator_force / deflection;
  springs_ = {.has_two_positions = has_two_positions,
              .preload = spring_preload,
              .full_force = full_spring_force,
              .stroke = stroke,
              .stops = {.model = EndStopModel::kHuntCrossley,
                        .stroke = (has_two_positions ? 1 : 2) * stroke,
                        .stiffness = stop_stiffness,
                        .damping = 2 * std::sqrt(stop_stiffness * mass),
                        .deflection = deflection}};
  flow_force_ = {.jet = flow_forces == FlowForces::kNone ? 0 : std::sqrt(2 * density) * std::cos(jet_angle),
                 .inertia = flow_forces == FlowForces::kDynamic ? density * damping_length : 0};
  const double stiffness = dry_friction / (kBristleDeflection * stroke);
  friction_ = {.Fc = dry_friction,
               .Fs = dry_friction,
               .vs = 1,  // without effect: sliding and static friction are one
               .s0 = stiffness,
               .s1 = std::sqrt(stiffness * mass),
               .s2 = viscous_friction};
}

void SpoolDrive::Begin(AspectSwitch& change, double input, double x) {
  if (change.HasChanged(hysteresis)) spool_target.OverrideStateValue(input);
  if (change.HasChanged(spool_friction)) bristles.OverrideStateValue(0);
  if (change.HasChanged(spool_control))
    integral.OverrideStateValue(spool_control == Control::kPositionLoop ? springs_.Force(x) : 0);
  // Forces write them in the next evaluation.
  actuator_force = 0;
  spring_force = 0;
  flow_force = 0;
  friction_force = 0;
}

double SpoolDrive::Acceleration(double z, double x, double v, const Flow& flow) {
  const double F_max = largest_actuator_force;
  const double F_least = springs_.has_two_positions ? 0 : -F_max;
  double F_actuator = std::clamp(F_max * z, F_least, F_max);
  if (spool_control == Control::kPositionLoop) {
    const double e = z - x;
    const double wanted = position_gain * (e - derivative_time * v) + integral;
    F_actuator = std::clamp(wanted, F_least, F_max);
    integral.ddt = reset_time > 0 ? (position_gain * e + F_actuator - wanted) / reset_time : 0;
  } else {
    integral.ShowValue(0);
  }
  const double speed = stroke * v;
  double F_friction = viscous_friction * speed;
  if (spool_friction == Friction::kCoulomb) {
    const double rate = friction_.DeflectionRate(speed, bristles);
    F_friction = friction_.Force(speed, bristles, rate);
    bristles.ddt = rate;
  } else {
    bristles.ShowValue(0);
  }
  const double F_spring = springs_.Force(x);
  const double F_flow = flow.force + flow.damping * v;
  actuator_force = F_actuator;
  spring_force = F_spring;
  flow_force = F_flow;
  friction_force = F_friction;
  return (F_actuator - F_spring - F_flow - F_friction - springs_.StopForce(x, v)) / (mass * stroke);
}

SpoolDrive::Flow SpoolDrive::FlowAt(double K, double K_slope, double side, const EdgeDrops& drops) const {
  return {.force = side * flow_force_.Static(K, drops), .damping = flow_force_.Damping(K_slope, drops)};
}

SpoolDrive::PowerLimit SpoolDrive::PowerLimitAt(double x, double flow, PowerLimit now) const {
  const double F_max = largest_actuator_force;
  const double friction = spool_friction == Friction::kCoulomb ? dry_friction : 0.0;
  // At the lower stop of two positions the spring alone holds the spool.
  const double needed = springs_.Force(x) + flow;
  const double beyond =
      springs_.has_two_positions ? std::max(needed - F_max, -needed) : std::abs(needed) - F_max;
  // What is exceeded by a hair must not chatter.
  const double back = 1e-3 * F_max;
  if (beyond > friction - (now == PowerLimit::kStaticExceeded ? back : 0)) return PowerLimit::kStaticExceeded;
  if (beyond > -friction - (now >= PowerLimit::kDynamicExceeded ? back : 0))
    return PowerLimit::kDynamicExceeded;
  return PowerLimit::kWithin;
}

}  // namespace davit
