#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numbers>
#include <span>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/jet_limit.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/oil_state.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/pressure_compensator.h"
#include "components/hydraulic/laws/seat_geometry.h"
#include "components/hydraulic/laws/solve_orifices.h"
#include "components/hydraulic/laws/spool_drive.h"
#include "components/hydraulic/laws/spool_opening.h"
#include "components/hydraulic/laws/spool_type.h"
#include "components/hydraulic/laws/stuck_at.h"
#include "components/hydraulic/laws/valve_edge_law.h"
#include "framework/indicator.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Directional control valve: six edges between the ports P, A, B and T. 4/3 way, or with fewer ports and
/// positions; sliding, rotary or with seats.
class DirectionalControlValve : public DynamicSimComponent, public StepPointHooks, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.DirectionalControlValve",
      .text = "Directional control valve: 4/3, 4/2, 3/2 way; spool, rotary, poppet",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
positions 3 (default): u = x, -1 .. 1, 0 is neutral;  2: u = 2*x - 1, x = 0 .. 1; x = 0 is u = -1
ports 4 (default): P, A, B, T;  3: P, A, T, without the edges of B. A 4/2 way valve
  has positions="2", a 3/2 way valve ports="3" as well; spool_type and neutral_opening then describe the crossing.
x is the position of the spool, 1 its full travel, which follows its input z by spool_dynamics:
  motion stroke:  z = spool;  motion rotary:  z = angle/full_angle, of a rotary valve
## Edges
Each of the six edges PA, PB, AT, BT, PT, AB is an orifice with K_edge = f*K,
K = nominal_flow/sqrt(nominal_pressure_drop). Fractions f at the spool position u, -1 .. 1:
opening_law Switching (Ideal), db = 0:  u > 0: PA = BT = 1 (extends a cylinder);
  u < 0: PB = AT = 1 (retracts it)
opening_law Linear (Standard, Advanced), db = deadband:  s = (|u| - db)/(1 - db) in place of 1
opening_law Nonlinear:  s*(first_slope + (1 - first_slope)*s)
opening_law Round:  2/pi*(acos(h) - h*(1 - h^2)^(1/2)), h = 1 - s, the overlap of two round holes of one size
opening_law Seat:  A_f(s)/A_f(1) of a poppet at the share s of its lift, by seat_type and cone_angle as in
  hydraulic.CounterbalanceValve; nothing leaks past a seat
## Neutral position
|u| <= db, neutral:  C_edge*neutral_opening, C of PA PB AT BT PT AB by spool_type:
  O 000000 all shut         B 111111 all open        Y 001100 A and B to T     K 101010 B shut
  M 000010 P to T           X 111111 all half open   P 110001 T shut
  Usual neutral_opening: 0.01 for Y, 1 for B, K, M and P, 0.5 for X.
neutral_law Jump (all levels):  the fractions of neutral end at |u| = db
neutral_law Smooth:  they fade out over neutral_fade beyond |u| = db; the larger fraction applies
## Flow law and cavitation
flow_law Turbulent (Ideal, Standard):  q = K_edge*dp/(dp^2 + d^2)^(1/4),  d = 1e4 Pa
flow_law LaminarTurbulent (Advanced):  dp = a*q + q*|q|/K_edge^2,  a = K1*pi*D*nu*rho/(8*A^2),
  A = K_edge/(Cd*sqrt(2/rho)),  D = sqrt(4*A/pi);  edge_width w > 0: slots of that width, a = K1*nu*rho/(2*A*Dh),
  Dh = 4*A/S, S = 2*(w + A/w)
edge_cavitation None (all levels);  [Nurick 1976]:  |q| <= 0.61*A*sqrt(2*(P1 - Pv)/rho), q that of the orifice, P1 the
  absolute pressure before the edge
  modes inlet_regime (of PA for u > db, of PB for u < -db) and outlet_regime (of BT, of AT): Shut; Laminar
    while Re < K1*Cd^2, where both losses are equal, with flow_law LaminarTurbulent; else Turbulent; Cavitating
## Leakage
leakage None (Ideal);  Constant (Standard):  + leakage_conductance*dp at each edge;  Gap (Advanced):
  the same with the conductance of the gap round the spool, pi*d*c^3/(12*mu*L)*(1 + 1.5*e^2), e =
  spool_eccentricity, up to a critical dp, beyond which turbulent flow (hydraulic.Restriction, AnnularGap) is
  the smaller one. At c = 5 um, e = 0 and 350 bar the Reynolds number is below 1.
  mode leakage_regime: Laminar or Turbulent, by the largest pressure difference over an edge, with Gap
## Compensator
compensator Off (Ideal):  the edges are fed from P
compensator On (Standard, Advanced):  they are fed from an inner volume V at p_inner,
  q_p = max(0, r*K_comp*orifice(p_p - p_inner)),  orifice as Turbulent,
  r = clip((dp0 - max(p_inner - p_LS, 0))/dp0),  dp0 = compensator_pressure
  load_sensing shuttle:  p_LS = max(p_a, p_b), as with a shuttle valve: under an overrunning load it senses
    the wrong side, and the flow is larger than the spool commands
  load_sensing fed_port:  p_LS = p_a for u > db, p_b for u < -db, 0 in neutral
  mode regulation: Regulating while p_p - p_LS >= dp0, Saturated if the supply is too low for that,
    NoReverse if it is not above the load: then nothing flows
  formulation pressure:  V/beta*p_inner' = q_p - q_pa - q_pb - q_pt
  formulation quantity:  Q' = q_p - q_pa - q_pb - q_pt,  p_inner = max(0, beta*Q/V)
  with cavitation, free_air and compressibility as in hydraulic.Volume
## Hysteresis
hysteresis None (all levels);  Play:  z_t replaces z below,
  z_t' = hysteresis_rate*(e - clip(e, -h/2, h/2)),  e = z - z_t,  h = hysteresis_width: of full input
## Spool
spool_dynamics None (all levels):  x = z
spool_dynamics SecondOrder:  x' = v,  v' = 2*zeta*w*(v_r - v),  v_r = w*(z - x)/(2*zeta) limited
  to +-spool_speed. That is x'' + 2*zeta*w*x' + w^2*x = w^2*z below the limit.
spool_dynamics Forces, X = spool_stroke:  x' = v,
  spool_mass*X*v' = F_actuator - F_spring - F_flow - F_friction, and stops at the ends of the travel
  spool_control Direct (all levels):  F_actuator = F_max*z, F_max = largest_actuator_force
  spool_control PositionLoop:  K*(z - x - position_derivative_time*v) + I limited to the range of F_actuator,
    I' = (K*(z - x) + F_actuator - wanted)/position_reset_time (anti-windup), K = position_gain
    F_actuator is -F_max .. F_max, with two positions 0 .. F_max
  F_spring = spring_preload*side + (full_spring_force - spring_preload)*x, side = 1 with two positions, else that
    of x, within 1 % of the travel clip(x/0.01)
  flow_forces None (Ideal);  Static (Standard):  2*Cd*A*|dp|*cos(jet_angle) of both open edges, towards neutral;
    Dynamic (Advanced):  + rho*damping_length*(dK/dx)*|dp|^(1/2)*v of both  [Merritt 1967], section 5.6
  spool_friction Viscous (all levels):  c*X*v, c = spool_viscous_friction
  spool_friction Coulomb:  + F_C = spool_dry_friction while it slides, by LuGre bristles as in hydraulic.Cylinder,
    that deflect by X/1000 and are stiff while the spool moves fast; so input and position have a hysteresis of
    the width 2*F_C/full_spring_force
  mode power_limit: StaticExceeded if spring and flow force at the input are above F_max + F_C: the
    spool yields; DynamicExceeded above F_max - F_C: it cannot reach its input. So with the spool at its stop
    the static power limit is q = (F_max + F_C - full_spring_force)/(cos(jet_angle)*(8*rho*dp)^(1/2)) where both
    edges have the pressure difference dp, and the dynamic one the same with -F_C
## Signs and waves
Flows are positive in the direction of their name: q_pa from P to A, q_p from P into the valve.
Between waves p = c + Zc*q is solved along with the laws of all open edges.
# Assumptions and limits
- All edges have one opening law and one size: spools with different edges for A and B, or for inlet and
  outlet, are not covered.
- Edges are quasi-static: apart from the inner volume of the compensator no oil is stored in the valve.
- The compensator is quasi-static, without mass, friction or flow force.
- Leakage is the same at every edge and in every position: the overlap does not reduce it.
- Flow forces act only with spool_dynamics Forces, at one jet_angle for all openings.
# Changes of options
A switch to compensator On fills the inner volume at the pressure of P, one to Off releases its
oil and energy, as the run log records; one from spool_dynamics None starts at rest at the input.
)",
  };

  enum class Leakage : std::uint8_t { kNone, kConstant, kGap };
  static constexpr std::array<std::string_view, 3> kLeakageNames{"None", "Constant", "Gap"};
  enum class Compensator : std::uint8_t { kOff, kOn };
  static constexpr std::array<std::string_view, 2> kCompensatorNames{"Off", "On"};
  enum class FlowLaw : std::uint8_t { kTurbulent, kLaminarTurbulent };
  static constexpr std::array<std::string_view, 2> kFlowLawNames{"Turbulent", "LaminarTurbulent"};
  enum class SpoolDynamics : std::uint8_t { kNone, kSecondOrder, kForces };
  static constexpr std::array<std::string_view, 3> kSpoolDynamicsNames{"None", "SecondOrder", "Forces"};
  enum class Motion : std::uint8_t { kStroke, kRotary };
  static constexpr std::array<std::string_view, 2> kMotionNames{"stroke", "rotary"};
  enum class Position : std::uint8_t { kNeutral, kPositionE, kPositionW };
  static constexpr std::array<std::string_view, 3> kPositionNames{"Neutral", "PositionE", "PositionW"};
  enum class Sensing : std::uint8_t { kOff, kSenseA, kSenseB };
  static constexpr std::array<std::string_view, 3> kSensingNames{"Off", "SenseA", "SenseB"};
  enum class Regulation : std::uint8_t { kOff, kRegulating, kSaturated, kNoReverse };
  static constexpr std::array<std::string_view, 4> kRegulationNames{"Off", "Regulating", "Saturated",
                                                                    "NoReverse"};

  enum class LeakageRegime : std::uint8_t { kOff, kLaminar, kTurbulent };
  static constexpr std::array<std::string_view, 3> kLeakageRegimeNames{"Off", "Laminar", "Turbulent"};
  using PowerLimit = SpoolDrive::PowerLimit;

  enum class LoadSensing : std::uint8_t { kShuttle, kFedPort };
  static constexpr std::array<std::string_view, 2> kLoadSensingNames{"shuttle", "fed_port"};

  void Configure(Diagnostics& diagnostics) override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;

  /// K of each edge [m3/s/sqrt(Pa)] at the spool position u.
  ValveEdges Opening(double u) const;
  /// Flow through each edge [m3/s] at the openings K, the pressure p_p before the edges and the other port
  /// pressures [Pa].
  ValveEdges Flow(const ValveEdges& K, double p_p, double p_a, double p_b, double p_t) const {
    return {.pa = edge_.Flow(K.pa, p_p, p_a),
            .pb = has_b_ ? edge_.Flow(K.pb, p_p, p_b) : 0,
            .at = edge_.Flow(K.at, p_a, p_t),
            .bt = has_b_ ? edge_.Flow(K.bt, p_b, p_t) : 0,
            .pt = edge_.Flow(K.pt, p_p, p_t),
            .ab = has_b_ ? edge_.Flow(K.ab, p_a, p_b) : 0};
  }

  bool WritePartials(PartialDerivatives& partials) const override;

  void EvaluateDiffEquations(double time) override {
    const bool is_compensated = compensator == Compensator::kOn;
    HydraulicBond before_edges = *p;
    if (is_compensated) before_edges = HydraulicBond{{.c = inner.p(volume_)}};
    const bool has_waves = before_edges.Zc + a->Zc + b->Zc + t->Zc > 0;
    const double u = Deflection(SpoolPosition());
    const ValveEdges K = Opening(u);
    const ValveEdges q =
        has_waves ? FlowBetweenWaves(time, K, before_edges) : Flow(K, before_edges.c, a->c, b->c, t->c);
    a->q = q.pa - q.at - q.ab;
    b->q = q.pb - q.bt + q.ab;
    t->q = q.at + q.bt + q.pt;
    q_pa = q.pa;
    q_pb = q.pb;
    q_at = q.at;
    q_bt = q.bt;
    q_pt = q.pt;
    q_ab = q.ab;
    if (is_compensated) {
      Supply(u, before_edges.c, q.pa + q.pb + q.pt);
    } else {
      p->q = -q.pa - q.pb - q.pt;
      q_p = -p->q;
      p_inner = p->p();
      inner.Show(p_inner, volume_);
      void_volume = 0;
    }
    const double command = Command();
    const double z = drive.Target(command);
    drive.FollowInput(command);
    if (spool_dynamics != SpoolDynamics::kNone) return MoveSpool(z);
    spool_x.ShowValue(z);
    spool_v.ShowValue(0);
    drive.Rest();
  }

  void PostIntegrate() override {
    if (compensator == Compensator::kOn) alarms.Look(p_inner, OilAlarms::IsVoid(void_volume, volume_));
  }
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double p_a = a->p(), p_b = b->p(), p_t = t->p();
    terms.Lost("throttling", (p_inner - p_a) * q_pa + (p_inner - p_b) * q_pb + (p_inner - p_t) * q_pt +
                                 (p_a - p_t) * q_at + (p_b - p_t) * q_bt + (p_a - p_b) * q_ab);
    if (compensator == Compensator::kOff) return;
    terms.Lost("compensator", (p->p() - p_inner) * q_p);
    terms.Stored("oil", inner.StoredEnergy(volume_));
  }

 protected:
  /// The input, as a share of the full travel.
  double Command() const {
    return motion == Motion::kRotary ? angle / full_angle : static_cast<double>(spool);
  }
  /// The position x in force: that of the command, of the moving spool, or where it is stuck.
  double SpoolPosition() const {
    if (stuck.is_stuck()) return std::clamp(stuck.position(), has_two_positions_ ? 0.0 : -1.0, 1.0);
    return spool_dynamics == SpoolDynamics::kNone ? drive.Target(Command()) : static_cast<double>(spool_x);
  }
  /// u of the position x.
  double Deflection(double x) const { return has_two_positions_ ? 2 * x - 1 : x; }
  Position PositionAt(double u) const {
    const double db = opening_law == SpoolOpeningLaw::kSwitching ? 0.0 : static_cast<double>(deadband);
    return u > db ? Position::kPositionE : u < -db ? Position::kPositionW : Position::kNeutral;
  }
  Sensing SensingAt(Position at) const {
    if (compensator == Compensator::kOff || at == Position::kNeutral) return Sensing::kOff;
    return at == Position::kPositionE ? Sensing::kSenseA : Sensing::kSenseB;
  }
  Regulation RegulationAt(double u, Regulation now) const {
    if (SensingAt(PositionAt(u)) == Sensing::kOff) return Regulation::kOff;
    // What regulates by a hair must not chatter.
    constexpr double kLeastShare = 0.99;
    const double margin = p->p() - LoadPressure(u);
    if (margin <= 0) return Regulation::kNoReverse;
    const double least = (now == Regulation::kRegulating ? kLeastShare : 1.0) * compensator_pressure;
    return margin >= least ? Regulation::kRegulating : Regulation::kSaturated;
  }
  /// The derivatives of position and speed towards z, after the flows.
  void MoveSpool(double z);
  /// What the flow does to the spool at the position x, with the present pressures.
  SpoolDrive::Flow FlowOnSpool(double x) const;
  PowerLimit PowerLimitAt(PowerLimit now) const;
  /// The metering edge from P or to T, `now` with a hysteresis.
  EdgeRegime InletRegime(EdgeRegime now) const;
  EdgeRegime OutletRegime(EdgeRegime now) const;
  LeakageRegime LeakageRegimeNow() const;
  /// Flow through each edge [m3/s] with p = c + Zc*q at the ports.
  ValveEdges FlowBetweenWaves(double time, const ValveEdges& K, const HydraulicBond& before_edges) const;
  ValveEdges SolveEdges(double time, const ValveEdges& K, const HydraulicBond& before_edges) const;
  /// Lowers the flows of edges that cavitate, all along with the waves. False where that is not found.
  bool LimitByCavitation(std::span<const HydraulicBond, 4> bonds, std::span<OrificeBetweenPorts> edges) const;
  /// The load pressure [Pa] that the compensator sees at the spool position u.
  double LoadPressure(double u) const {
    if (load_sensing == LoadSensing::kShuttle) return std::max(a->p(), b->p());
    const double db = shares_.NeutralEnd();
    return u > db ? a->p() : u < -db ? b->p() : 0;
  }
  /// The compensator at the spool position u and the inner pressure p_1 [Pa], while the edges take q_taken
  /// [m3/s].
  void Supply(double u, double p_1, double q_taken);

  /// Flow between waves, of an edge without leakage and cavitation.
  double EdgeFlow(double K, const HydraulicBond& from, const HydraulicBond& to) const {
    return FlowBetween(from, to,
                       [&](const PortWave& at_from, const PortWave& at_to) {
                         const double dc = at_from.c - at_to.c, Zs = at_from.Zc + at_to.Zc;
                         return edge_.is_laminar ? edge_.laminar.Flow(K, dc, Zs) : OrificeFlow(K, dc, Zs);
                       })
        .q;
  }

  HydraulicPort p{this, "p", Role::kQ, "Pump"};
  HydraulicPort a{this, "a", Role::kQ, "First actuator port"};
  HydraulicPort b{this, "b", Role::kQ, "Second actuator port; none with ports 3", Connecting::kOptional};
  HydraulicPort t{this, "t", Role::kQ, "Tank"};
  Aspect<SpoolOpeningLaw> opening_law{
      this, "opening_law", "Law of the opening of the edges over spool position", kSpoolOpeningLawNames,
      Presets{.ideal = SpoolOpeningLaw::kSwitching,
              .standard = SpoolOpeningLaw::kLinear,
              .advanced = SpoolOpeningLaw::kLinear}};
  Aspect<SpoolNeutralLaw> neutral_law{
      this, "neutral_law", "How the openings in neutral end beyond the dead band", kSpoolNeutralLawNames,
      Presets{.ideal = SpoolNeutralLaw::kJump,
              .standard = SpoolNeutralLaw::kJump,
              .advanced = SpoolNeutralLaw::kJump}};
  Aspect<FlowLaw> flow_law{this, "flow_law", "Law of flow and pressure difference of an edge", kFlowLawNames,
                           Presets{.ideal = FlowLaw::kTurbulent,
                                   .standard = FlowLaw::kTurbulent,
                                   .advanced = FlowLaw::kLaminarTurbulent}};
  Aspect<Leakage> leakage{
      this, "leakage", "Flow past the edges", kLeakageNames,
      Presets{.ideal = Leakage::kNone, .standard = Leakage::kConstant, .advanced = Leakage::kGap}};
  Aspect<Compensator> compensator{
      this, "compensator", "Whether the pressure before the edges is kept above the load", kCompensatorNames,
      Presets{.ideal = Compensator::kOff, .standard = Compensator::kOn, .advanced = Compensator::kOn}};
  Aspect<SpoolDynamics> spool_dynamics{
      this, "spool_dynamics", "Dynamics of the spool", kSpoolDynamicsNames,
      Presets{
          .ideal = SpoolDynamics::kNone, .standard = SpoolDynamics::kNone, .advanced = SpoolDynamics::kNone}};
  Aspect<JetCavitation> edge_cavitation{
      this, "edge_cavitation", "Whether the jets of the edges cavitate", kJetCavitationNames,
      Presets{
          .ideal = JetCavitation::kNone, .standard = JetCavitation::kNone, .advanced = JetCavitation::kNone}};
  Property<int> ports{this, "ports", "4: P, A, B, T; 3: P, A, T", 4, Range{.low = 3, .high = 4}};
  Property<int> positions{this, "positions", "3: -1 .. 1 with neutral at 0; 2: 0 .. 1", 3,
                          Range{.low = 2, .high = 3}};
  Property<Motion> motion{this, "motion", "Kind of input: a stroke or an angle", kMotionNames,
                          Choice{.value = Motion::kStroke}};
  Input spool{this, "spool", "",
              "Position of the spool: 1 fully P to A and B to T, -1 fully P to B and A to T",
              Number{.value = 0.0, .range = kPlusMinusOne, .when = motion.Is(Motion::kStroke)}};
  Input angle{this, "angle", "rad", "Angle of a rotary valve",
              Number{.value = 0.0, .when = motion.Is(Motion::kRotary)}};
  StuckAt stuck{this, "Position at which the spool is stuck; infinite: it moves", -1};
  FaultMode stuck_neutral{this, "stuck_neutral", "stuck_at", 0, "The spool is stuck in the middle"};
  FaultMode stuck_forward{this, "stuck_forward", "stuck_at", 1, "The spool is stuck with P open to A"};
  FaultMode stuck_back{this, "stuck_back", "stuck_at", -1, "The spool is stuck with P open to B"};
  Parameter full_angle{
      this, "full_angle", "rad", "Angle at which a rotary valve is fully open",
      Number{.value = std::numbers::pi / 4, .range = kPositive, .when = motion.Is(Motion::kRotary)}};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through a fully open edge at the nominal pressure drop",
                         Number{.value = 500 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Property<SpoolType> spool_type{this, "spool_type", "Which edges are open in neutral", kSpoolTypeNames,
                                 Choice{.value = SpoolType::kY}};
  Parameter neutral_opening{this, "neutral_opening", "", "Opening of the edges that are open in neutral",
                            Number{.value = 0.01, .range = kUnitInterval}};
  Parameter deadband{this, "deadband", "", "Spool travel to each side without opening",
                     Number{.value = 0.05,
                            .range = Range{.low = 0, .high = 1, .high_open = true},
                            .when = opening_law.Is(SpoolOpeningLaw::kLinear, SpoolOpeningLaw::kNonlinear,
                                                   SpoolOpeningLaw::kRound, SpoolOpeningLaw::kSeat)}};
  Parameter first_slope{this, "first_slope", "",
                        "Slope of opening_law Nonlinear at the deadband, relative to the mean slope",
                        Number{.value = 0.3, .range = kUnitInterval}};
  Property<SeatType> seat_type{
      this, "seat_type", "Closing element of the seats", kSeatTypeNames,
      Choice{.value = SeatType::kPoppet, .when = opening_law.Is(SpoolOpeningLaw::kSeat)}};
  Parameter cone_angle{
      this, "cone_angle", "rad", "Angle of the cone of seat_type needle",
      Number{.value = std::numbers::pi / 3,
             .range = Range{.low = 0, .high = std::numbers::pi, .low_open = true, .high_open = true},
             .when = opening_law.Is(SpoolOpeningLaw::kSeat)}};
  Parameter neutral_fade{
      this, "neutral_fade", "", "Spool travel over which neutral fades",
      Number{.value = 0.05, .range = kPositive, .when = neutral_law.Is(SpoolNeutralLaw::kSmooth)}};
  Parameter leakage_conductance{
      this, "leakage_conductance", "m3/s/Pa", "Conductance past each edge",
      Number{.value = 0.0, .range = kNonNegative, .when = leakage.Is(Leakage::kConstant)}};
  FaultMode internal_leak{this, "internal_leak", "leakage_conductance", 1e-11,
                          "The edges are worn: 6 l/min at 100 bar past each"};
  Parameter spool_diameter{this, "spool_diameter", "m", "Diameter of the spool",
                           Number{.value = 0.025, .range = kPositive, .when = leakage.Is(Leakage::kGap)}};
  Parameter spool_clearance{this, "spool_clearance", "m", "Radial gap round the spool", 5e-6, kNonNegative};
  Parameter spool_eccentricity{
      this, "spool_eccentricity",
      "",   "Offset of the spool from the centre over the clearance: 0 concentric, 1 touching",
      0.0,  kUnitInterval};
  Parameter spool_land{this, "spool_land", "m", "Length of the gap at an edge", 5e-3, kPositive};
  Parameter compensator_nominal_flow{
      this, "compensator_nominal_flow", "m3/s",
      "Flow through the open compensator at its nominal pressure drop",
      Number{.value = 1000 / 6e4, .range = kPositive, .when = compensator.Is(Compensator::kOn)}};
  Parameter compensator_nominal_pressure_drop{this, "compensator_nominal_pressure_drop", "Pa",
                                              "Pressure drop of the compensator's nominal flow",
                                              Number{.value = 5e5, .range = kPositive}};
  Parameter compensator_pressure{this, "compensator_pressure", "Pa",
                                 "Pressure that the compensator keeps above the load",
                                 Number{.value = 5e5, .range = kPositive}};
  Property<LoadSensing> load_sensing{
      this, "load_sensing", "Place at which the compensator senses the load", kLoadSensingNames,
      Choice{.value = LoadSensing::kShuttle, .when = compensator.Is(Compensator::kOn)}};
  Parameter inner_volume{this, "inner_volume", "m3", "Volume behind the compensator",
                         Number{.value = 0.01, .range = kPositive, .when = compensator.Is(Compensator::kOn)}};
  OilParameters oil{this, compensator.Is(Compensator::kOn), Tunability::kLive,
                    compensator.Is(Compensator::kOn) || edge_cavitation.Is(JetCavitation::kNurick)};
  Property<OilLaw> compressibility{this, "compressibility",
                                   "How the bulk modulus behind the compensator depends on the pressure",
                                   OilLaw::kConstant, kOilLawNames};
  Property<Formulation> formulation{this, "formulation",
                                    "State behind the compensator: the pressure, or the quantity of oil",
                                    kFormulationNames, Choice{.value = Formulation::kPressure}};
  StartValue p_start{this, "p_inner", "Pa", "Start pressure behind the compensator", 1e5};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Discharge coefficient Cd that the nominal flow includes",
      Number{.value = 0.611,
             .range = kPositive,
             .when = flow_law.Is(FlowLaw::kLaminarTurbulent) || edge_cavitation.Is(JetCavitation::kNurick)}};
  Parameter laminar_coefficient{
      this, "laminar_coefficient", "", "Loss coefficient K1 of laminar flow",
      Number{.value = 32.0, .range = kNonNegative, .when = flow_law.Is(FlowLaw::kLaminarTurbulent)}};
  Parameter edge_width{
      this, "edge_width", "m", "Width of the slots that the edges open; 0: round openings",
      Number{.value = 0.0, .range = kNonNegative, .when = flow_law.Is(FlowLaw::kLaminarTurbulent)}};
  Parameter density{this, "density", "kg/m3", "Density of the oil",
                    Number{.value = 861.8,
                           .range = kPositive,
                           .when = flow_law.Is(FlowLaw::kLaminarTurbulent) || leakage.Is(Leakage::kGap) ||
                                   spool_dynamics.Is(SpoolDynamics::kForces)}};
  Parameter kinematic_viscosity{this, "kinematic_viscosity", "m2/s",
                                "Kinematic viscosity of the oil, for LaminarTurbulent edges and leakage Gap",
                                Number{.value = 32e-6, .range = kPositive}};
  Parameter spool_frequency{
      this, "spool_frequency", "Hz", "Natural frequency of the spool",
      Number{.value = 20.0, .range = kPositive, .when = spool_dynamics.Is(SpoolDynamics::kSecondOrder)}};
  Parameter spool_damping{this, "spool_damping", "", "Damping ratio zeta of the spool (0.7 to 1 usual)",
                          Number{.value = 0.8, .range = kPositive}};
  Parameter spool_speed{this, "spool_speed", "1/s", "Largest speed of the spool", 20.0, kPositive};
  OilState inner{this,
                 {"inner_pressure", "inner_quantity", "Oil behind the compensator"},
                 compensator.Is(Compensator::kOn)};
  StateVariable spool_x{
      this, "spool_x", "", "Spool position that follows the input",
      Start{.value = 0.0,
            .nominal = 1.0,
            .when = spool_dynamics.Is(SpoolDynamics::kSecondOrder, SpoolDynamics::kForces)}};
  StateVariable spool_v{
      this, "spool_v", "1/s", "Speed of the spool",
      Start{.value = 0.0,
            .nominal = 10.0,
            .when = spool_dynamics.Is(SpoolDynamics::kSecondOrder, SpoolDynamics::kForces)}};
  SpoolDrive drive{this, spool_dynamics.Is(SpoolDynamics::kForces)};
  Output q_p{this, "q_p", "m3/s", "Flow from P into the valve"};
  Output q_pa{this, "q_pa", "m3/s", "Flow from P to A"};
  Output q_pb{this, "q_pb", "m3/s", "Flow from P to B"};
  Output q_at{this, "q_at", "m3/s", "Flow from A to T"};
  Output q_bt{this, "q_bt", "m3/s", "Flow from B to T"};
  Output q_pt{this, "q_pt", "m3/s", "Flow from P to T"};
  Output q_ab{this, "q_ab", "m3/s", "Flow from A to B"};
  Output p_inner{this, "p_inner", "Pa", "Pressure before the edges"};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume behind the compensator"};

  Mode<Position> position{
      this, "position", "Direction in which the valve is open: E extends a cylinder, W retracts it",
      kPositionNames, [this](Position) { return PositionAt(Deflection(SpoolPosition())); }};
  Mode<Sensing> sensing{this, "sensing", "Which port the compensator supplies", kSensingNames,
                        [this](Sensing) { return SensingAt(PositionAt(Deflection(SpoolPosition()))); }};
  Mode<Regulation> regulation{
      this, "regulation", "Whether the supply suffices for the compensator", kRegulationNames,
      [this](Regulation now) { return RegulationAt(Deflection(SpoolPosition()), now); }};

  Mode<EdgeRegime> inlet_regime{this, "inlet_regime", "Flow regime from P to the actuator", kEdgeRegimeNames,
                                [this](EdgeRegime now) { return InletRegime(now); }};
  Mode<EdgeRegime> outlet_regime{this, "outlet_regime", "Flow regime from the actuator to T",
                                 kEdgeRegimeNames, [this](EdgeRegime now) { return OutletRegime(now); }};
  Mode<LeakageRegime> leakage_regime{this, "leakage_regime", "Flow regime in the gap around the spool",
                                     kLeakageRegimeNames,
                                     [this](LeakageRegime) { return LeakageRegimeNow(); }};
  Mode<PowerLimit> power_limit{this, "power_limit", "Whether the actuator can hold and move the spool",
                               SpoolDrive::kPowerLimitNames,
                               [this](PowerLimit now) { return PowerLimitAt(now); }};

  /// What the options of the indicators neglect: shares of the opening, of the flow of the compensator, of
  /// the nominal flow.
  double NeglectedOpening() const;
  double NeglectedCompensation() const;
  double NeglectedLaminarLoss() const;
  /// Of a conductance [m3/s/Pa] past an edge, over the nominal flow.
  double LeakageShare(double conductance) const;
  AnnularGap SpoolGap() const;
  double GapConductance() const { return SpoolGap().LaminarConductance(density * kinematic_viscosity); }

  Indicator partial_opening{
      this, "partial_opening", "Share that a spool short of its stop leaves shut; at neutral all",
      opening_law.Is(SpoolOpeningLaw::kSwitching), [this] { return NeglectedOpening(); }};
  Indicator compensation{this, "compensation", "Share of the flow that the compensator takes away",
                         compensator.Is(Compensator::kOff), [this] { return NeglectedCompensation(); }};
  Indicator laminar_edge{this, "laminar_edge", "Flow that the laminar loss takes away over the nominal one",
                         flow_law.Is(FlowLaw::kTurbulent), [this] { return NeglectedLaminarLoss(); }};
  Indicator leakage_flow{this, "leakage_flow", "Leakage over the flow through the valve",
                         leakage.Is(Leakage::kNone),
                         [this] { return LeakageShare(std::max(+leakage_conductance, GapConductance())); }};
  Indicator gap_leakage{this, "gap_leakage", "Difference that the gap makes to the leakage, over the flow",
                        leakage.Is(Leakage::kNone, Leakage::kConstant),
                        [this] { return LeakageShare(GapConductance() - leakage_conductance); }};

  OilAlarms alarms{this, compensator.Is(Compensator::kOn)};

  SpoolOpening shares_;
  double K_ = 0;              // of a fully open edge [m3/s/sqrt(Pa)]
  double K_compensator_ = 0;  // [m3/s/sqrt(Pa)]
  ValveEdgeLaw edge_;
  bool has_b_ = true;
  bool has_two_positions_ = false;
  double volume_ = 0;  // behind the compensator; 0 before the first ParametersChanged
};

}  // namespace davit
