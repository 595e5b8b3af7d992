#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "components/mechanism/base_inputs.h"
#include "components/mechanism/dynamics/body_tree.h"
#include "components/mechanism/dynamics/joint_space.h"
#include "components/mechanism/dynamics/spanned_joint.h"
#include "components/mechanism/payload_wire.h"
#include "components/mechanism/shown_point.h"
#include "framework/archive.h"
#include "framework/indicator.h"
#include "framework/scene.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Crane with a slewing king, a boom and a knuckle boom, on a base that may move.
class KnuckleBoomCrane final : public DynamicSimComponent,
                               public StepPointHooks,
                               public MechanismPart,
                               public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "crane.KnuckleBoomCrane",
      .text = "Knuckle boom crane: slewing king, two booms, payload, on a moving base",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
q0 slews about the axis of the pedestal (upwards positive, 0 forward), q1 is the elevation of the boom
above the deck, q2 the angle of the knuckle boom to it (0 straight, negative folded). s = q1 + q2,
w0 = q0', w1 = q1', w2 = q2'. The bodies carry each other as those of mechanism.Mechanism do, with thin rods as
booms; M and bias by the composite-rigid-body and the Newton-Euler algorithm [Featherstone 2008]. They are
M q'' + bias = tau,  M = diag(m00, [m11 m12; m12 m22])
m11 = m1*c1^2 + I1 + m2*(L1^2 + c2^2 + 2*L1*c2*cos q2) + I2 + mp*(L1^2 + L2^2 + 2*L1*L2*cos q2)
m12 = m2*(c2^2 + L1*c2*cos q2) + I2 + mp*(L2^2 + L1*L2*cos q2),  m22 = m2*c2^2 + I2 + mp*L2^2
m00 = king_inertia + m1*r1^2 + I1*cos^2 q1 + m2*r2^2 + I2*cos^2 s + mp*r_tip^2,  r from the slew axis
bias = gravity, Coriolis and centrifugal forces (slewing included: m00'*w0*w', -m00_q*w0^2/2) and the
inertia forces of the motion of the base; mp is the payload at the tip, 0 while it hangs on a wire.
## Forces on the joints
tau_0 = T of slew - slew_friction*w0,  tau_i = dl_i/dq_i*F_i - joint_friction*w_i,
F_i the force of the cylinder (positive pushes); the masses of cylinders and gear are added to M.
l_1 = |R(q1)*boom_head - boom_foot|, in the frame of the king from the boom joint, head in the frame
of the boom; l_2 from knuckle_foot in the frame of the boom, from the boom joint, to knuckle_head in
that of the knuckle boom, from the knee. A cylinder's x is l - its shortest length.
torque_1, torque_2: torques that hold booms and payload still in this pose (gravity).
## Payload
payload TipMass (Ideal): a point mass at the tip.
payload Wire (Standard, Advanced): a point that hangs on a wire of wire_length L, a spherical pendulum
  m*r'' = -m*g*ez + T*(tip - r)/d + deck and air,  d = |tip - r|, written for its place in the frame of
  the vessel (payload_x ..), with the forces of that frame; load_x .. is the place over the earth
  T = max(0, k*e + c*e'*min(1, k*e/(m*g))) for e = d - l0 > 0, else the wire is slack
  The swing is damped by c_s*(tip - r)' across the wire, c_s = 2*swing_damping_ratio*m*sqrt(g/d)*min(1, T/(m*g)).
  l0 = L/(1 + m*g/wire_stiffness),  k = wire_stiffness/l0,  c = 2*wire_damping_ratio*sqrt(k*m)
  L is the length under the weight at rest, so the pendulum swings with sqrt(g/L).
  L' = winch_speed + release*max(0, T - release_tension)/release_resistance
  deck: below deck_height over the earth a spring deck_stiffness with deck_damping_ratio carries the
  payload, with the coefficient of friction deck_friction.
air Drag (Advanced): air_density/2*drag_area*|wind - r'|*(wind - r') acts on the payload on a wire.
## Base
Base: vessel frame x forward, y to port, z up; R = Rz(yaw)*Ry(pitch)*Rx(roll), surge, sway and heave along the
axes of the earth. Positive roll lowers starboard, positive pitch the bow. Give rates and accelerations that match
it (signal.Jonswap has them). Earth frame: the vessel at rest. The motion of the base acts on rotors and oil only
through the joints.
## Signs and stops
Ports boom and knuckle:  x = l_min - l, l_min the shortest length,  v = x',  mass is the one felt at the cylinder.
Port slew:  angle = -q0;  a motor with q > 0 turns q0 forward. Rigid stops of cylinders are executed here, as impacts that
shake the other joint too.
# Assumptions and limits
- King, booms and pedestal are rigid: the deflection and the vibration of real booms are neglected.
- The motion of the base is given: crane and load do not move the vessel.
- Joints have viscous friction only. The weights of the cylinders are neglected; their masses take part in the
  motion along the cylinder only.
- The payload is a point: it does not turn. The wire has no mass and the winch no inertia.
- The deck is a plane at one height over the earth. It does not move with the vessel, and there is no
  water.
# Changes of options
A switch from TipMass to Wire starts the payload below the tip and moving with it; the switch back removes
its speed relative to the tip. The energy of both is written to the run log.
)",
  };

  enum class Payload : std::uint8_t { kTipMass, kWire };
  static constexpr std::array<std::string_view, 2> kPayloadNames{"TipMass", "Wire"};
  enum class Air : std::uint8_t { kNone, kDrag };
  static constexpr std::array<std::string_view, 2> kAirNames{"None", "Drag"};

  KnuckleBoomCrane();

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  /// The cylinders may have changed their stops.
  void PreIntegrate() override {
    if (!boom_travel_.IsOf(*boom) || !knuckle_travel_.IsOf(*knuckle)) [[unlikely]]
      UpdateTravel();
  }
  void PostIntegrate() override;
  StepPointUse step_point_use() const override {
    const bool locates = boom_low.is_active() && knuckle_low.is_active();
    return locates ? StepPointUse::kNothing : StepPointUse::kAct;
  }
  void ArchiveMemory(Archive& archive) override { archive(boom_travel_, knuckle_travel_); }
  void AspectsChanged(AspectSwitch& change) override;

  void EvaluateEfforts(double /*t*/) override {
    const MountPoints& at = dynamics_->mounts = Mounts();
    length_1 = at.boom.length;
    length_2 = at.knuckle.length;
    lever_1 = at.boom.lever_arm;
    lever_2 = at.knuckle.lever_arm;
    boom->x = boom_shortest - length_1;
    boom->v = -lever_1 * w1;
    knuckle->x = knuckle_shortest - length_2;
    knuckle->v = -lever_2 * w2;
    slew->angle = -q0;
    slew->w = -w0;
  }
  void EvaluateDiffEquations(double t) override;
  void DescribeScene(SceneBuilder& scene) const override;
  void AccountEnergy(EnergyTerms& terms) const override {
    if (HasWire() || base_.IsAnySet()) terms.IsPartial();
    terms.Stored("kinetic", kinetic_energy);
    terms.Stored("potential", potential_energy);
    terms.Lost("friction", slew_friction * w0 * w0 + joint_friction * (w1 * w1 + w2 * w2));
  }

 private:
  using Vector3 = multibody::Vector3;
  using SpannedJoint = multibody::SpannedJoint;

  /// Where a joint may be: the travel of its cylinder, as angles [rad].
  struct JointTravel {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    double restitution = 0;
    double x_min = -std::numeric_limits<double>::infinity();  ///< of the bond that the ends follow from [m]
    double x_max = std::numeric_limits<double>::infinity();

    bool IsOf(const TranslationalBond& bond) const {
      return x_min == bond.x_min && x_max == bond.x_max && restitution == bond.restitution;
    }
    void ArchiveMemory(Archive& archive) { archive(low, high, restitution, x_min, x_max); }
  };
  /// The bodies, in the order of the tree; each is carried by the one before.
  static constexpr std::size_t kKing = 0, kBoom = 1, kKnuckle = 2;
  /// Which joint an impact happens at.
  enum class Joint : std::uint8_t { kBoom, kKnuckle };

  /// What the cylinders do along the joints in one pose.
  struct MountPoints {
    SpannedJoint::Point boom, knuckle;
  };
  struct Dynamics {
    multibody::BodyTree tree = Structure();
    multibody::JointSpace bodies{tree};
    /// The bits of the states and inputs by which the bodies were moved last: most of what the differences of
    /// a Jacobian change moves no body.
    std::optional<std::array<std::uint64_t, 24>> moved_to;
    MountPoints mounts{};  ///< of the evaluation
  };
  /// The tip, in the frame of the earth or in that of the vessel.
  struct TipMotion {
    Vector3 place;     ///< [m]
    Vector3 velocity;  ///< [m/s]
  };

  /// King, boom and knuckle boom, whose places and masses are parameters.
  static multibody::BodyTree Structure();
  bool HasWire() const { return payload_at == Payload::kWire; }
  PayloadWire Wire() const;
  /// Moves the bodies to the angles and speeds of the states, on the vessel as it moves.
  void MoveBodies() { MoveBodies(base_.IsAnySet()); }
  /// The same on a vessel at rest.
  void MoveBodiesAtRest() { MoveBodies(false); }
  void MoveBodies(bool is_vessel_moving);
  MountPoints Mounts() const { return {boom_mount_.At(q1), knuckle_mount_.At(q2)}; }
  /// M where the bodies have been moved to, with what the cylinders and the gear move along.
  Eigen::Matrix3d Mass(const MountPoints& at) const;
  /// h of M q'' + h = tau, for the same.
  Vector3 Bias(const MountPoints& at) const;
  TipMotion TipOverEarth() const;
  /// Where it is and how it moves as the vessel sees it.
  TipMotion SeenFromVessel(const TipMotion& tip) const;
  /// Payload on the wire; returns the force at the tip in the frame of the earth.
  Vector3 EvaluatePayload(const TipMotion& tip);
  void ShowPayload(const TipMotion& tip);
  /// Writes the places of the joints, cylinders and deck.
  void ShowMechanism();
  void DescribeReach(SceneBuilder& scene) const;
  /// Of deck and air on the payload [N], by its place and velocity; all in the frame of the earth.
  Vector3 OutsideForce(const Vector3& place, const Vector3& velocity) const;
  Vector3 PayloadPlace() const { return {payload_x, payload_y, payload_z}; }
  Vector3 PayloadVelocity() const { return {payload_vx, payload_vy, payload_vz}; }
  /// Puts the payload the length of the wire below the tip, swung out by two angles [rad], moving with the
  /// tip.
  void HangPayload(double radial, double lateral);
  /// The angles at the ends of a cylinder's travel.
  static JointTravel TravelOf(const TranslationalBond& bond, const SpannedJoint& mount, double shortest,
                              double near);
  /// Start angle that the cylinder requires; checks that it agrees with the one given.
  void CheckStart(Diagnostics& diagnostics, const TranslationalBond& bond, const SpannedJoint& mount,
                  double shortest, const StateVariable& angle, const JointTravel& travel);
  static double StartAngle(const TranslationalBond& bond, const SpannedJoint& mount, double shortest,
                           double own);
  void UpdateTravel();
  /// Ends the approach of a joint to its stop by an impulse there.
  void Stop(Joint joint, double limit, double restitution);
  void StopIfOutside(Joint joint, const StateVariable& angle, const StateVariable& rate,
                     const JointTravel& travel);
  /// Joint accelerations, with joints held that lean on a stop.
  Vector3 Accelerate(const Eigen::Matrix3d& M, const Vector3& torques) const;

  TranslationalPort boom{this, "boom", Role::kQ, "Rod of the boom cylinder", Connecting::kOptional};
  TranslationalPort knuckle{this, "knuckle", Role::kQ, "Rod of the knuckle cylinder", Connecting::kOptional};
  RotationalPort slew{this, "slew", Role::kQ, "Slewing drive of the king", Connecting::kOptional};

  Aspect<Payload> payload_at{
      this, "payload_at", "Suspension of the payload", kPayloadNames,
      Presets{.ideal = Payload::kTipMass, .standard = Payload::kWire, .advanced = Payload::kWire}};
  Aspect<Air> air{this, "air", "Drag of the air on a payload on the wire", kAirNames,
                  Presets{.ideal = Air::kNone, .standard = Air::kNone, .advanced = Air::kDrag}};

  Parameter payload{this, "payload", "kg", "Mass of the payload", 10000, kNonNegative};
  Parameter boom_length{this, "boom_length", "m", "Length L1 of the boom, from its joint to the knee",
                        Number{.value = 10, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter boom_mass{this, "boom_mass", "kg", "Mass m1 of the boom", 5000, kNonNegative};
  Parameter boom_center{this, "boom_center", "m", "Center of mass c1 of the boom, from its joint", 4.5};
  Parameter boom_inertia{this, "boom_inertia", "kg.m2",
                         "Inertia I1 of the boom about its center of mass, across it",
                         Number{.value = 125000 / 3.0, .range = kPositive}};
  Parameter knuckle_length{this, "knuckle_length", "m", "Length L2 of the knuckle boom, from knee to tip",
                           Number{.value = 7, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter knuckle_mass{this, "knuckle_mass", "kg", "Mass m2 of the knuckle boom", 2500, kNonNegative};
  Parameter knuckle_center{this, "knuckle_center", "m",
                           "Center of mass c2 of the knuckle boom, from the knee", Number{.value = 3}};
  Parameter knuckle_inertia{this, "knuckle_inertia", "kg.m2",
                            "Inertia I2 of the knuckle boom about its center of mass",
                            Number{.value = 122500 / 12.0, .range = kPositive}};
  Parameter king_inertia{this, "king_inertia", "kg.m2",
                         "Inertia of all slewing parts except booms and payload, about the slew axis",
                         Number{.value = 2e4, .range = kPositive}};
  Parameter pivot_radius{this, "pivot_radius", "m", "Boom joint from the slew axis",
                         Number{.value = 0.6, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter pivot_height{this, "pivot_height", "m", "Boom joint above the foot of the pedestal",
                         Number{.value = 4, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter boom_foot_x{this, "boom_foot_x", "m", "Foot of the boom cylinder, outwards from the boom joint",
                        Number{.value = 0.9, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter boom_foot_z{this, "boom_foot_z", "m", "Foot of the boom cylinder, upwards from the boom joint",
                        Number{.value = -2.6, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter boom_head_x{this, "boom_head_x", "m", "Head of the boom cylinder, along the boom from its joint",
                        Number{.value = 3.6, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter boom_head_z{this, "boom_head_z", "m", "Head of the boom cylinder, above the axis of the boom",
                        Number{.value = -0.55, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter boom_shortest{
      this, "boom_shortest", "m", "Length of the boom cylinder at x = 0",
      Number{.value = 3.1595522152525217, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter knuckle_foot_x{this, "knuckle_foot_x", "m",
                           "Foot of the knuckle cylinder, along the boom from its joint",
                           Number{.value = 6.2, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter knuckle_foot_z{this, "knuckle_foot_z", "m",
                           "Foot of the knuckle cylinder, above the axis of the boom",
                           Number{.value = -0.75, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter knuckle_head_x{this, "knuckle_head_x", "m",
                           "Head of the knuckle cylinder, along the knuckle boom from the knee",
                           Number{.value = 1.15, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter knuckle_head_z{this, "knuckle_head_z", "m",
                           "Head of the knuckle cylinder, above the axis of the knuckle boom",
                           Number{.value = -0.75, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter knuckle_shortest{
      this, "knuckle_shortest", "m", "Length of the knuckle cylinder at x = 0",
      Number{.value = 2.702924138639422, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter joint_friction{this, "joint_friction", "N.m.s/rad",
                           "Viscous friction of the boom joint and of the knee, each",
                           Number{.value = 0.0, .range = kNonNegative}};
  Parameter slew_friction{this, "slew_friction", "N.m.s/rad", "Viscous friction of the slew bearing",
                          Number{.value = 0.0, .range = kNonNegative}};
  Parameter gravity{this, "gravity", "m/s2", "Acceleration of gravity", 9.81, kNonNegative};
  Parameter foot_x{this, "foot_x", "m", "Foot of the pedestal, forward of the origin of the vessel",
                   Number{.value = 0, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter foot_y{this, "foot_y", "m", "Foot of the pedestal, to port of the origin of the vessel",
                   Number{.value = 0, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter foot_z{this, "foot_z", "m", "Foot of the pedestal, above the origin of the vessel",
                   Number{.value = 0, .range = kAny, .tunability = Tunability::kStructural}};
  Parameter wire_stiffness{this, "wire_stiffness", "N", "Stiffness EA of the wire",
                           Number{.value = 6e7, .range = kPositive, .when = payload_at.Is(Payload::kWire)}};
  Parameter wire_damping_ratio{this, "wire_damping_ratio", "",
                               "Damping ratio of the payload bouncing on the wire",
                               Number{.value = 0.02, .range = kNonNegative}};
  Parameter swing_damping_ratio{this, "swing_damping_ratio", "",
                                "Damping ratio of the payload swinging on the wire (0.002 to 0.02 usual)",
                                Number{.value = 0, .range = kNonNegative}};
  Parameter hook_mass{this, "hook_mass", "kg", "Least mass on the wire: that of the hook", 1.0, kPositive};
  Parameter least_wire{this, "least_wire", "m", "Length of wire at which the winch cannot haul in any more",
                       Number{.value = 0.5, .range = kPositive}};
  Parameter release_tension{this, "release_tension", "N", "Pull above which a released winch slips",
                            Number{.value = 0, .range = kNonNegative}};
  Parameter release_resistance{this, "release_resistance", "N.s/m",
                               "Additional pull per speed of a released winch",
                               Number{.value = 2e4, .range = kPositive}};
  Parameter deck_height{this, "deck_height", "m", "Height at which a payload on a wire is set down",
                        Number{.value = -std::numeric_limits<double>::infinity()}};
  Parameter deck_stiffness{this, "deck_stiffness", "N/m", "Stiffness of the deck under the payload",
                           Number{.value = 1e7, .range = kPositive}};
  Parameter deck_damping_ratio{this, "deck_damping_ratio", "", "Damping ratio of the payload on the deck",
                               Number{.value = 0.5, .range = kNonNegative}};
  Parameter deck_friction{this, "deck_friction", "", "Coefficient of friction on the deck",
                          Number{.value = 0.5, .range = kNonNegative}};
  Parameter drag_area{this, "drag_area", "m2", "Drag coefficient times area of the payload",
                      Number{.value = 5, .range = kNonNegative, .when = air.Is(Air::kDrag)}};
  Parameter air_density{this, "air_density", "kg/m3", "Density of the air", 1.225, kNonNegative};

  Input winch_speed{this, "winch_speed", "m/s", "Speed at which the winch pays out wire"};
  Input release{this, "release", "", "Whether the winch is released to slip: 0 no, 1 yes", 0, kUnitInterval};
  Input wind_x{this, "wind_x", "m/s", "Wind over the earth, forward"};
  Input wind_y{this, "wind_y", "m/s", "Wind over the earth, to port"};
  BaseInputs base_{this};

  StartValue swing_radial{this, "swing_radial", "rad",
                          "Start angle of the wire, outwards in the plane of the booms", Number{.value = 0}};
  StartValue swing_lateral{this, "swing_lateral", "rad", "Start angle of the wire, along positive slewing",
                           Number{.value = 0}};

  StateVariable q0{this, "q0", "rad", "Slew angle"};
  StateVariable q1{this, "q1", "rad", "Elevation of the boom"};
  StateVariable q2{this, "q2", "rad", "Angle of the knuckle boom to the boom"};
  StateVariable w0{this, "w0", "rad/s", "Speed of slewing"};
  StateVariable w1{this, "w1", "rad/s", "Speed of the boom joint"};
  StateVariable w2{this, "w2", "rad/s", "Speed of the knee"};
  StateVariable wire_length{this, "wire_length", "m", "Length of the wire under the weight of the payload",
                            Start{.value = 5, .nominal = 1, .when = payload_at.Is(Payload::kWire)}};
  StateVariable payload_x{this, "payload_x", "m", "Payload, forward in the frame of the vessel",
                          Start{.value = 0, .nominal = 1, .when = payload_at.Is(Payload::kWire)}};
  StateVariable payload_y{this, "payload_y", "m", "Payload, to port", 0, 1, payload_at.Is(Payload::kWire)};
  StateVariable payload_z{this, "payload_z", "m", "Payload, upwards", 0, 1, payload_at.Is(Payload::kWire)};
  StateVariable payload_vx{this, "payload_vx", "m/s", "Velocity of the payload, forward",
                           Start{.value = 0, .nominal = 1, .when = payload_at.Is(Payload::kWire)}};
  StateVariable payload_vy{this, "payload_vy", "m/s", "Velocity of the payload, to port",
                           Start{.value = 0, .nominal = 1, .when = payload_at.Is(Payload::kWire)}};
  StateVariable payload_vz{this, "payload_vz", "m/s", "Velocity of the payload, upwards",
                           Start{.value = 0, .nominal = 1, .when = payload_at.Is(Payload::kWire)}};

  Output torque_0{this, "torque_0", "N.m", "Torque about the slew axis that holds the crane still (heel)"};
  Output torque_1{this, "torque_1", "N.m", "Torque about the boom joint that holds booms and payload still"};
  Output torque_2{this, "torque_2", "N.m", "Torque about the knee that holds knuckle boom and payload still"};
  Output m00{this, "m00", "kg.m2", "Inertia about the slew axis"};
  Output m11{this, "m11", "kg.m2", "Mass matrix: boom joint"};
  Output m12{this, "m12", "kg.m2", "Mass matrix: coupling of boom joint and knee"};
  Output m22{this, "m22", "kg.m2", "Mass matrix: knee"};
  Output length_1{this, "length_1", "m", "Length of the boom cylinder", WrittenBy::kEfforts};
  Output length_2{this, "length_2", "m", "Length of the knuckle cylinder", WrittenBy::kEfforts};
  Output lever_1{this, "lever_1", "m/rad", "Lever arm of the boom cylinder, dl/dq1", WrittenBy::kEfforts};
  Output lever_2{this, "lever_2", "m/rad", "Lever arm of the knuckle cylinder, dl/dq2", WrittenBy::kEfforts};
  Output tip_radius{this, "tip_radius", "m", "Tip from the slew axis"};
  Output tip_height{this, "tip_height", "m", "Tip above the foot of the pedestal, along the slew axis"};
  Output tip_x{this, "tip_x", "m", "Tip, forward in the frame of the earth"};
  Output tip_y{this, "tip_y", "m", "Tip, to port"};
  Output tip_z{this, "tip_z", "m", "Tip, upwards"};
  Output load_x{this, "load_x", "m", "Payload, forward in the frame of the earth"};
  Output load_y{this, "load_y", "m", "Payload, to port"};
  Output load_z{this, "load_z", "m", "Payload, upwards"};
  Output hook_load{this, "hook_load", "N", "Pull of the wire; the weight of a payload at the tip"};
  Output load_moment{this, "load_moment", "N.m", "hook_load times tip_radius"};
  Output kinetic_energy{this, "kinetic_energy", "J",
                        "Kinetic energy of the crane relative to its base, and of a payload on a wire"};
  Output potential_energy{
      this, "potential_energy", "J",
      "Potential energy of weights and wire, weights from the origin of the vessel at rest"};

  /// Of the tip [m/s2], at most.
  double TipAcceleration() const {
    return boom_length * std::abs(rate_w1) + knuckle_length * std::abs(rate_w1 + rate_w2) +
           tip_radius * (std::abs(rate_w0) + w0 * w0) + base_.AccelerationAt(tip_radius);
  }
  ObservedRate rate_w0{this, [this] { return +w0; }}, rate_w1{this, [this] { return +w1; }},
      rate_w2{this, [this] { return +w2; }};
  Indicator swing{this, "swing", "Forces of a payload that swings or is lowered over the weight of the booms",
                  payload_at.Is(Payload::kTipMass), [this] {
                    constexpr double kGravity = 9.81;  // [m/s2]
                    const double angle =
                        HasWire() ? Share(std::hypot(load_x - tip_x, load_y - tip_y), wire_length) : 0;
                    return Share(payload, payload + boom_mass + knuckle_mass) *
                           (TipAcceleration() / kGravity + angle + std::abs(winch_speed));
                  }};
  Indicator drag{
      this, "drag", "Drag of wind and motion over the weight of the payload", air.Is(Air::kNone), [this] {
        constexpr double kGravity = 9.81;  // [m/s2]
        const double speed = std::hypot(wind_x, wind_y) + std::abs(boom_length * w1) +
                             std::abs(knuckle_length * (w1 + w2)) + std::abs(tip_radius * w0);
        return Share(air_density / 2 * drag_area * speed * speed, std::max(+payload, +hook_mass) * kGravity);
      }};

  ShownPoint at_foot{this, "at_foot", "Foot of the pedestal"};
  ShownPoint at_king{this, "at_king", "Slew axis at the height of the boom joint"};
  ShownPoint at_pivot{this, "at_pivot", "Boom joint"};
  ShownPoint at_knee{this, "at_knee", "Knee"};
  ShownPoint at_boom_foot{this, "at_boom_foot", "Foot of the boom cylinder"};
  ShownPoint at_boom_barrel{this, "at_boom_barrel", "End of the barrel of the boom cylinder"};
  ShownPoint at_boom_head{this, "at_boom_head", "Head of the boom cylinder"};
  ShownPoint at_knuckle_foot{this, "at_knuckle_foot", "Foot of the knuckle cylinder"};
  ShownPoint at_knuckle_barrel{this, "at_knuckle_barrel", "End of the barrel of the knuckle cylinder"};
  ShownPoint at_knuckle_head{this, "at_knuckle_head", "Head of the knuckle cylinder"};
  ShownPoint at_bow_port{this, "at_bow_port", "Corner of the drawn deck"};
  ShownPoint at_bow_starboard{this, "at_bow_starboard", "Corner of the drawn deck"};
  ShownPoint at_stern_starboard{this, "at_stern_starboard", "Corner of the drawn deck"};
  ShownPoint at_stern_port{this, "at_stern_port", "Corner of the drawn deck"};

  Guard boom_low{this,
                 "boom_low",
                 "The boom cylinder reaches its short stop",
                 Guard::Direction::kFalling,
                 [this] { return q1 - boom_travel_.low; },
                 [this](double) { Stop(Joint::kBoom, boom_travel_.low, boom_travel_.restitution); },
                 [this](double) { Stop(Joint::kBoom, boom_travel_.low, 0); }};
  Guard boom_high{this,
                  "boom_high",
                  "The boom cylinder reaches its long stop",
                  Guard::Direction::kFalling,
                  [this] { return boom_travel_.high - q1; },
                  [this](double) { Stop(Joint::kBoom, boom_travel_.high, boom_travel_.restitution); },
                  [this](double) { Stop(Joint::kBoom, boom_travel_.high, 0); }};
  Guard knuckle_low{
      this,
      "knuckle_low",
      "The knuckle cylinder reaches its short stop",
      Guard::Direction::kFalling,
      [this] { return q2 - knuckle_travel_.low; },
      [this](double) { Stop(Joint::kKnuckle, knuckle_travel_.low, knuckle_travel_.restitution); },
      [this](double) { Stop(Joint::kKnuckle, knuckle_travel_.low, 0); }};
  Guard knuckle_high{
      this,
      "knuckle_high",
      "The knuckle cylinder reaches its long stop",
      Guard::Direction::kFalling,
      [this] { return knuckle_travel_.high - q2; },
      [this](double) { Stop(Joint::kKnuckle, knuckle_travel_.high, knuckle_travel_.restitution); },
      [this](double) { Stop(Joint::kKnuckle, knuckle_travel_.high, 0); }};

  std::unique_ptr<Dynamics> dynamics_ = std::make_unique<Dynamics>();
  SpannedJoint boom_mount_;
  SpannedJoint knuckle_mount_;
  JointTravel boom_travel_;
  JointTravel knuckle_travel_;
};

}  // namespace davit
