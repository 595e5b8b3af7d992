#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/annular_gap.h"
#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/cavitation_alarm.h"
#include "components/hydraulic/laws/laminar_turbulent_orifice.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/oil_state.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/pressure_compensator.h"
#include "components/hydraulic/laws/spool_opening.h"
#include "components/hydraulic/laws/spool_type.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// 4/3 directional control valve: six edges between the ports P, A, B and T.
class DirectionalControlValve final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.DirectionalControlValve",
      .text = "4/3 directional control valve with a choice of spools",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
Each of the six edges PA, PB, AT, BT, PT, AB is an orifice with K_edge = share*K,
K = nominal_flow/sqrt(nominal_pressure_drop). Shares at the spool position u, -1 .. 1:
opening_law Switching (Ideal), db = 0:  u > 0: PA = BT = 1 (extends a cylinder);
  u < 0: PB = AT = 1 (retracts it)
opening_law Linear (Standard, Advanced), db = deadband:  s = (|u| - db)/(1 - db) in place of 1
opening_law Nonlinear:  s*(first_slope + (1 - first_slope)*s)
|u| <= db, neutral:  C_edge*neutral_opening, C of PA PB AT BT PT AB by spool_type:
  O 000000 all shut         B 111111 all open        Y 001100 A and B to T     K 101010 B shut
  M 000010 P to T           X 111111 all half open   P 110001 T shut
  Usual neutral_opening: 0.01 for Y, 1 for B, K, M and P, 0.5 for X.
neutral_law Jump (all levels):  the shares of neutral end at |u| = db
neutral_law Smooth:  they fade over neutral_fade of |u| beyond; the larger share applies
flow_law Turbulent (Ideal, Standard):  q = K_edge*dp/(dp^2 + d^2)^(1/4),  d = 1e4 Pa
flow_law LaminarTurbulent (Advanced):  dp = a*q + q*|q|/K_edge^2,  a = K1*pi*D*nu*rho/(8*A^2),
  A = K_edge/(Cd*sqrt(2/rho)),  D = sqrt(4*A/pi)
leakage None (Ideal);  Constant (Standard):  + leakage_conductance*dp at each edge;  Gap (Advanced):
  the same with the conductance of the gap round the spool, pi*d*c^3/(12*mu*L)*(1 + 1.5*e^2), e =
  spool_eccentricity, which is laminar: at c = 5 um, e = 0 and 350 bar the Reynolds number is below 1
compensator Off (Ideal):  the edges are fed from P
compensator On (Standard, Advanced):  they are fed from an inner volume V at p_inner,
  q_p = max(0, r*K_comp*orifice(p_p - p_inner)),  orifice as Turbulent,
  r = clip((dp0 - max(p_inner - p_LS, 0))/dp0),  dp0 = compensator_pressure
  load_sensing shuttle:  p_LS = max(p_a, p_b), of a shuttle valve: under an overrunning load it senses
    the wrong side, and the flow is larger than the spool commands
  load_sensing fed_port:  p_LS = p_a for u > db, p_b for u < -db, 0 in neutral
  mode regulation: Regulating while p_p - p_LS >= dp0, Saturated where the supply is too low for that,
    NoReverse where it is not above the load: then nothing flows
  formulation pressure:  V/beta*p_inner' = q_p - q_pa - q_pb - q_pt
  formulation quantity:  Q' = q_p - q_pa - q_pb - q_pt,  p_inner = max(0, beta*Q/V)
  with cavitation, free_air and compressibility as in hydraulic.Volume
spool_dynamics None (all levels):  u is the input spool
spool_dynamics SecondOrder:  x' = v,  v' = 2*zeta*w*(v_r - v),  v_r = w*(spool - x)/(2*zeta) limited
  to +-spool_speed;  u = x. That is x'' + 2*zeta*w*x' + w^2*x = w^2*spool below the limit.
Flows are positive in the direction of their name: q_pa from P to A, q_p from P into the valve.
Between waves p = c + Zc*q is solved along with the laws of all open edges.
A switch to compensator On fills the inner volume at the pressure of P, one to Off releases its
oil and energy, as the run log records; a switch to SecondOrder starts at rest at the input.
)",
  };

  enum class Leakage : std::uint8_t { kNone, kConstant, kGap };
  static constexpr std::array<std::string_view, 3> kLeakageNames{"None", "Constant", "Gap"};
  enum class Compensator : std::uint8_t { kOff, kOn };
  static constexpr std::array<std::string_view, 2> kCompensatorNames{"Off", "On"};
  enum class FlowLaw : std::uint8_t { kTurbulent, kLaminarTurbulent };
  static constexpr std::array<std::string_view, 2> kFlowLawNames{"Turbulent", "LaminarTurbulent"};
  enum class SpoolDynamics : std::uint8_t { kNone, kSecondOrder };
  static constexpr std::array<std::string_view, 2> kSpoolDynamicsNames{"None", "SecondOrder"};
  enum class Position : std::uint8_t { kNeutral, kPositionE, kPositionW };
  static constexpr std::array<std::string_view, 3> kPositionNames{"Neutral", "PositionE", "PositionW"};
  enum class Sensing : std::uint8_t { kOff, kSenseA, kSenseB };
  static constexpr std::array<std::string_view, 3> kSensingNames{"Off", "SenseA", "SenseB"};
  enum class Regulation : std::uint8_t { kOff, kRegulating, kSaturated, kNoReverse };
  static constexpr std::array<std::string_view, 4> kRegulationNames{"Off", "Regulating", "Saturated",
                                                                    "NoReverse"};

  enum class LoadSensing : std::uint8_t { kShuttle, kFedPort };
  static constexpr std::array<std::string_view, 2> kLoadSensingNames{"shuttle", "fed_port"};

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;

  /// K of each edge [m3/s/sqrt(Pa)] at the spool position u.
  ValveEdges Opening(double u) const;
  /// Flow through each edge [m3/s] at the openings K, the pressure p_p before the edges and the other port
  /// pressures [Pa].
  ValveEdges Flow(const ValveEdges& K, double p_p, double p_a, double p_b, double p_t) const {
    return {.pa = EdgeFlow(K.pa, p_p - p_a),
            .pb = EdgeFlow(K.pb, p_p - p_b),
            .at = EdgeFlow(K.at, p_a - p_t),
            .bt = EdgeFlow(K.bt, p_b - p_t),
            .pt = EdgeFlow(K.pt, p_p - p_t),
            .ab = EdgeFlow(K.ab, p_a - p_b)};
  }

  void EvaluateDiffEquations(double time) override {
    const bool is_compensated = compensator == Compensator::kOn;
    HydraulicBond before_edges = *p;
    if (is_compensated) before_edges = HydraulicBond{{.c = inner.p(volume_)}};
    const bool has_waves = before_edges.Zc + a->Zc + b->Zc + t->Zc > 0;
    const double u = MoveSpool();
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
  }

  void PostIntegrate() override { cavitation.Look(void_volume, volume_); }

 private:
  /// The spool position in force.
  double SpoolPosition() const {
    return spool_dynamics == SpoolDynamics::kNone ? static_cast<double>(spool) : static_cast<double>(spool_x);
  }
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
  /// The spool position in force; with its dynamics, their derivatives.
  double MoveSpool();
  /// Flow through each edge [m3/s] with p = c + Zc*q at the ports.
  ValveEdges FlowBetweenWaves(double time, const ValveEdges& K, const HydraulicBond& before_edges) const;
  ValveEdges SolveEdges(double time, const ValveEdges& K, const HydraulicBond& before_edges) const;
  /// The load pressure [Pa] that the compensator sees at the spool position u.
  double LoadPressure(double u) const {
    if (load_sensing == LoadSensing::kShuttle) return std::max(a->p(), b->p());
    const double db = shares_.NeutralEnd();
    return u > db ? a->p() : u < -db ? b->p() : 0;
  }
  /// The compensator at the spool position u and the inner pressure p_1 [Pa], while the edges take q_taken
  /// [m3/s].
  void Supply(double u, double p_1, double q_taken);

  /// Most edges are shut at any time; they cost no root.
  double EdgeFlow(double K, double dp) const {
    const double q = K > 0 ? (is_laminar_ ? edge_law_.Flow(K, dp) : OrificeFlow(K, dp)) : 0;
    return leakage_ > 0 ? q + leakage_ * dp : q;
  }
  /// The same between waves, of an edge without leakage.
  double EdgeFlow(double K, const HydraulicBond& from, const HydraulicBond& to) const {
    return FlowBetween(from, to,
                       [&](const PortWave& at_from, const PortWave& at_to) {
                         const double dc = at_from.c - at_to.c, Zs = at_from.Zc + at_to.Zc;
                         return is_laminar_ ? edge_law_.Flow(K, dc, Zs) : OrificeFlow(K, dc, Zs);
                       })
        .q;
  }

  HydraulicPort p{this, "p", Role::kQ, "Pump"};
  HydraulicPort a{this, "a", Role::kQ, "First consumer port"};
  HydraulicPort b{this, "b", Role::kQ, "Second consumer port"};
  HydraulicPort t{this, "t", Role::kQ, "Tank"};
  Aspect<SpoolOpeningLaw> opening_law{this, "opening_law", "How the edges open with the spool",
                                      kSpoolOpeningLawNames,
                                      Presets{.ideal = SpoolOpeningLaw::kSwitching,
                                              .standard = SpoolOpeningLaw::kLinear,
                                              .advanced = SpoolOpeningLaw::kLinear}};
  Aspect<SpoolNeutralLaw> neutral_law{this, "neutral_law", "How the edges open in neutral shut beyond it",
                                      kSpoolNeutralLawNames,
                                      Presets{.ideal = SpoolNeutralLaw::kJump,
                                              .standard = SpoolNeutralLaw::kJump,
                                              .advanced = SpoolNeutralLaw::kJump}};
  Aspect<FlowLaw> flow_law{this, "flow_law", "Flow over the pressure difference of an edge", kFlowLawNames,
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
      this, "spool_dynamics", "How the spool follows its input", kSpoolDynamicsNames,
      Presets{
          .ideal = SpoolDynamics::kNone, .standard = SpoolDynamics::kNone, .advanced = SpoolDynamics::kNone}};
  Input spool{this, "spool", "",
              "Position of the spool: 1 fully P to A and B to T, -1 fully P to B and A to T",
              Number{.value = 0.0, .range = kPlusMinusOne}};
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
                            .when = opening_law.Is(SpoolOpeningLaw::kLinear, SpoolOpeningLaw::kNonlinear)}};
  Parameter first_slope{this, "first_slope", "",
                        "Slope of opening_law Nonlinear at the deadband, over the mean one",
                        Number{.value = 0.3, .range = kUnitInterval}};
  Parameter neutral_fade{
      this, "neutral_fade", "", "Spool travel over which neutral fades",
      Number{.value = 0.05, .range = kPositive, .when = neutral_law.Is(SpoolNeutralLaw::kSmooth)}};
  Parameter leakage_conductance{
      this, "leakage_conductance", "m3/s/Pa", "Conductance past each edge",
      Number{.value = 0.0, .range = kNonNegative, .when = leakage.Is(Leakage::kConstant)}};
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
      this, "load_sensing", "Where the compensator senses the load", kLoadSensingNames,
      Choice{.value = LoadSensing::kShuttle, .when = compensator.Is(Compensator::kOn)}};
  Parameter inner_volume{this, "inner_volume", "m3", "Volume behind the compensator",
                         Number{.value = 0.01, .range = kPositive, .when = compensator.Is(Compensator::kOn)}};
  OilParameters oil{this, compensator.Is(Compensator::kOn)};
  Property<OilLaw> compressibility{this, "compressibility",
                                   "How the bulk modulus behind the compensator depends on the pressure",
                                   OilLaw::kConstant, kOilLawNames};
  Property<Formulation> formulation{
      this, "formulation", "What is integrated behind the compensator: the pressure, or the quantity of oil",
      kFormulationNames, Choice{.value = Formulation::kPressure}};
  StartValue p_start{this, "p_inner", "Pa", "Start pressure behind the compensator", 1e5};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Discharge coefficient Cd inside the nominal flow",
      Number{.value = 0.611, .range = kPositive, .when = flow_law.Is(FlowLaw::kLaminarTurbulent)}};
  Parameter laminar_coefficient{
      this, "laminar_coefficient", "", "Loss coefficient K1 of laminar flow",
      Number{.value = 32.0, .range = kNonNegative, .when = flow_law.Is(FlowLaw::kLaminarTurbulent)}};
  Parameter density{this, "density", "kg/m3", "Density of the oil",
                    Number{.value = 861.8,
                           .range = kPositive,
                           .when = flow_law.Is(FlowLaw::kLaminarTurbulent) || leakage.Is(Leakage::kGap)}};
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
      Start{.value = 0.0, .nominal = 1.0, .when = spool_dynamics.Is(SpoolDynamics::kSecondOrder)}};
  StateVariable spool_v{
      this, "spool_v", "1/s", "Speed of the spool",
      Start{.value = 0.0, .nominal = 10.0, .when = spool_dynamics.Is(SpoolDynamics::kSecondOrder)}};
  Output q_p{this, "q_p", "m3/s", "Flow from P into the valve"};
  Output q_pa{this, "q_pa", "m3/s", "Flow from P to A"};
  Output q_pb{this, "q_pb", "m3/s", "Flow from P to B"};
  Output q_at{this, "q_at", "m3/s", "Flow from A to T"};
  Output q_bt{this, "q_bt", "m3/s", "Flow from B to T"};
  Output q_pt{this, "q_pt", "m3/s", "Flow from P to T"};
  Output q_ab{this, "q_ab", "m3/s", "Flow from A to B"};
  Output p_inner{this, "p_inner", "Pa", "Pressure before the edges"};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume behind the compensator"};

  Mode<Position> position{this, "position",
                          "Which way the valve is open: E extends a cylinder, W retracts it", kPositionNames,
                          [this](Position) { return PositionAt(SpoolPosition()); }};
  Mode<Sensing> sensing{this, "sensing", "Which port the compensator supplies", kSensingNames,
                        [this](Sensing) { return SensingAt(PositionAt(SpoolPosition())); }};
  Mode<Regulation> regulation{this, "regulation", "Whether the supply suffices for the compensator",
                              kRegulationNames,
                              [this](Regulation now) { return RegulationAt(SpoolPosition(), now); }};

  CavitationAlarm cavitation{this};

  SpoolOpening shares_;
  double K_ = 0;              // of a fully open edge [m3/s/sqrt(Pa)]
  double K_compensator_ = 0;  // [m3/s/sqrt(Pa)]
  bool is_laminar_ = false;
  LaminarTurbulentOrifice edge_law_;
  double leakage_ = 0;  // past each edge [m3/s/Pa]
  double volume_ = 0;   // behind the compensator; 0 before the first ParametersChanged
};

}  // namespace davit
