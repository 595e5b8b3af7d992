#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/counterbalance_law.h"
#include "components/hydraulic/laws/edge_leak.h"
#include "components/hydraulic/laws/flow_regime.h"
#include "components/hydraulic/laws/jet_limit.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/seat_flow.h"
#include "components/hydraulic/laws/seat_geometry.h"
#include "components/hydraulic/laws/stuck_at.h"
#include "framework/indicator.h"
#include "framework/mode.h"
#include "simulator/building_blocks/laminar_turbulent_flow.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Holds a load: free flow towards the cylinder, back only when the pilot pressure opens it.
class CounterbalanceValve : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.CounterbalanceValve",
      .text = "Counterbalance valve: check valve and piloted return",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
dp = p_a - p_c,  q positive from a (valve side) to c (cylinder side)
q = K(r)*dp/(dp^2 + d^2)^(1/4),  d = 1e4 Pa;  dp > 0 is the check valve, dp <= 0 the return.
K(r) = r*nominal_flow/sqrt(nominal_pressure_drop), except with opening Seat and SeatByLoad:
K(r) = A_f*sqrt(2/density) of a seat lifted by the share r of its full lift, A_p = pi/4*D^2, D = disc_diameter;
  seat_type disc    A_x = pi*D*x, full at x = D/4:       A_f = A_p*r^2/sqrt(1.3*r^2 + 0.2)  [Lyon 1982]
  seat_type ball    A_x = 0.75*pi*D*x, full at x = D/3:  A_f = A_p*r^2/sqrt(0.5*r^2 + 0.15)  (the same)
  seat_type needle  A_x = pi*t*(D - t), t = x*tan(cone_angle/2), full at t = D/2, s = r*(2 - r):
                    A_f = A_p*s^2/sqrt(0.5*s^2 + 0.15)  (the same, for A_x from A_p/10 on)
  seat_type poppet  full at x = D/4, h = r/4:  A_f = A_p*h/sqrt(2.65*h^2 - 0.8*h + 0.14)  [Chaimowitsch 1961]
                    (for h from 0.1 on; with D/x in place of the printed x/D: not verified)
clip limits to 0 .. 1. Between waves p = c + Zc*q is solved along with the law.
## Flow law
flow_law Turbulent (Ideal, Standard):  as above
flow_law LaminarTurbulent (Advanced):  dp = (K1/Re + K)*density*u^2/2,  K1 = laminar_coefficient
  with a seat u = q/A_x,  Re = u*D_h/nu,  D_h = 4*A_x/L_w, K the loss that A_f has:  A_f = A_x/sqrt(K);
    wetted length L_w = 2*pi*D, of a needle 2*pi*(D - t); for the poppet A_x = pi*D*x
  else of a round opening A = K(r)/(0.611*sqrt(2/density)):  u = q/A, D_h = sqrt(4*A/pi), K = 1/0.611^2
## Cavitation
cavitation None (all levels);  Nurick:  |q| <= 0.61/Cd*K(r)*sqrt(P1 - Pv)  [Nurick 1976],  P1 the absolute pressure
  upstream, Cd = discharge_coefficient: the jet cavitates, and a lower pressure downstream does not increase the
  flow through the opening. The leakage is not limited.
## Opening
opening Ramp (Ideal):  check r = 1;  return r = clip((p_pilot - pilot_open_pressure)/pilot_range)
All others filter the pilot pressure by a low-pass:  xf' = 2*pi*pilot_frequency*(p_pilot - xf)
opening PilotLinear (Standard):  check r = 1;
  return r = clip((xf - pilot_open_pressure)/(pilot_full_pressure - pilot_open_pressure))
opening Seat:  check r = clip((dp - check_cracking_pressure)/check_full_pressure);  return as PilotLinear
opening SeatByLoad (Advanced):  check as Seat;  return opened by the load, once the pilot allows it,
  r = clip((xf - pilot_open_pressure)/pilot_range)*clip(p_c/load_full_pressure)
  Fig. 3.27 and appendix C of [Li 2016], with a ramp of the pilot in place of a jump. The more
  the load weighs, the further it opens; above pilot_open_pressure + pilot_range the pilot does not meter.
opening ForceBalance, with relief function:  check r = 1;
  return r = clip((pilot_ratio*xf + p_c - back_pressure_share*p_a - set_pressure)/balance_range)
## Leakage
leakage None (Ideal);  Constant (Standard):  + leakage_conductance*dp;  Gap (Advanced):  the same with the
  conductance of the gap round the piston, pi*d*c^3/(12*mu*L)*(1 + 1.5*e^2), e = piston_eccentricity, up to
  the critical |dp| at which the turbulent flow of hydraulic.Restriction, law AnnularGap, is the smaller one;
  with c = 10 um, e = 0 and 350 bar the Reynolds number is below 10
## Piston
piston Massless (all levels):  the return has the opening r
piston SecondOrder:  m*x'' + c*x' + k*x + F_0 = F with the stops as spring-loaded seats, over m:
  x'' + 2*zeta*w*x' + w^2*x = w^2*r,  w^2 = k/m = (2*pi*piston_frequency)^2;  the return has the opening
  clip(x): if the piston overshoots its ends the valve stays shut, or fully open. The check valve is
  a separate poppet, which follows its r.
  mode seat_flow:  Turbulent with flow_law Turbulent; else Laminar as long as K1/Re > K
  mode leakage_flow:  Turbulent above the critical |dp| of leakage Gap
  With stuck_at the return has the opening clip(stuck_at), whatever the pressures; the check valve still moves.
# Assumptions and limits
- The pilot takes no flow. Only with ForceBalance does the load alone open the valve, from set_pressure on.
- The check poppet has no mass, the piston only with SecondOrder. Flow forces are neglected.
- Without cavitation Nurick, the flow grows with the pressure drop without limit.
- The seat formulas are for fully turbulent flow. Channels of the body add no loss.
- A switch that adds the low-pass starts it at the pilot pressure, one that adds the piston starts it at
  rest at its opening.
)",
  };

  enum class OpeningLaw : std::uint8_t { kRamp, kPilotLinear, kSeat, kForceBalance, kSeatByLoad };
  static constexpr std::array<std::string_view, 5> kOpeningLawNames{"Ramp", "PilotLinear", "Seat",
                                                                    "ForceBalance", "SeatByLoad"};
  enum class Leakage : std::uint8_t { kNone, kConstant, kGap };
  static constexpr std::array<std::string_view, 3> kLeakageNames{"None", "Constant", "Gap"};
  enum class Piston : std::uint8_t { kMassless, kSecondOrder };
  static constexpr std::array<std::string_view, 2> kPistonNames{"Massless", "SecondOrder"};
  enum class FlowLaw : std::uint8_t { kTurbulent, kLaminarTurbulent };
  static constexpr std::array<std::string_view, 2> kFlowLawNames{"Turbulent", "LaminarTurbulent"};
  enum class Path : std::uint8_t { kClose, kPartial, kFully };
  static constexpr std::array<std::string_view, 3> kPathNames{"Close", "Partial", "Fully"};

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void AspectsChanged(AspectSwitch& change) override;

  /// Opening of the return path, 0 .. 1; p_pilot [Pa] as the valve sees it: behind the low-pass, if there is
  /// one.
  double ReturnOpening(double p_a, double p_c, double p_pilot) const {
    if (stuck.is_stuck()) return Clip(stuck.position());
    if (law_ == OpeningLaw::kRamp) return Clip((p_pilot - pilot_open_pressure) * per_pilot_range_);
    if (law_ == OpeningLaw::kForceBalance) return forces_.Opening(p_pilot, p_c, p_a);
    if (law_ == OpeningLaw::kSeatByLoad) return LoadOpening(p_c, p_pilot);
    return PilotOpening(p_pilot, pilot_open_pressure, full_pressure_);
  }
  /// The same by the law SeatByLoad.
  double LoadOpening(double p_c, double p_pilot) const {
    return Clip((p_pilot - pilot_open_pressure) * per_pilot_range_) * Clip(p_c * per_load_range_);
  }
  /// Opening at the port pressures [Pa].
  double Opening(double p_a, double p_c, double p_pilot) const {
    if (!(p_a > p_c)) return ReturnOpening(p_a, p_c, p_pilot);
    return has_seat() ? Clip((p_a - p_c - check_cracking_pressure) * per_check_range_) : 1.0;
  }
  /// K of an opening r [m3/s/sqrt(Pa)].
  double Coefficient(double r) const {
    return has_seat() ? flow_per_area_ * seat_.FlowArea(r * full_lift_) : K_ * r;
  }
  /// Flow [m3/s] from a to c through an opening r at the port pressures [Pa].
  double Flow(double r, double p_a, double p_c) const {
    const double dp = p_a - p_c;
    return (r > 0 ? Limited(r, SeatFlow(r, dp), {p_a, 0}, {p_c, 0}) : 0) + leak_.Flow(dp);
  }

  bool WritePartials(PartialDerivatives& partials) const override;

  void EvaluateDiffEquations(double /*t*/) override {
    // The pilot takes no flow.
    const double p_pilot = std::max(pilot->p_min, pilot->c);
    double seen = p_pilot;
    if (law_ == OpeningLaw::kRamp) {
      xf.ShowValue(p_pilot);
    } else {
      seen = xf;
      xf.ddt = 2 * std::numbers::pi * pilot_frequency * (p_pilot - xf);
    }
    double r = 0;
    const double q_ac = FlowBetween(*a, *c, [&](const PortWave& at_a, const PortWave& at_c) {
                          return FlowBetweenWaves(at_a, at_c, seen, r);
                        }).q;
    opening = r;
    q = q_ac;
    a->q = -q_ac;
    c->q = q_ac;
    if (has_piston_) {
      MovePiston(ReturnOpening(a->p(), c->p(), seen));
    } else {
      x.ShowValue(r);
      v.ShowValue(0);
    }
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", (a->p() - c->p()) * q); }

 protected:
  bool has_seat() const { return law_ == OpeningLaw::kSeat || law_ == OpeningLaw::kSeatByLoad; }
  /// Whether the pressures at a and c open the return.
  bool is_opened_by_load() const {
    return law_ == OpeningLaw::kForceBalance || law_ == OpeningLaw::kSeatByLoad;
  }
  bool has_laminar_flow() const { return flow_law_ == FlowLaw::kLaminarTurbulent; }
  /// Of an opening r > 0 with flow_law LaminarTurbulent.
  SeatLosses Losses(double r) const;
  /// Flow [m3/s] through an opening r > 0, between two waves of the difference dc [Pa] and the impedances Zs.
  double SeatFlow(double r, double dc, double Zs) const {
    if (!has_laminar_flow()) return OrificeFlow(Coefficient(r), dc, Zs);
    const SeatLosses losses = Losses(r);
    return building_blocks::LaminarTurbulentFlow(losses.a, losses.b, dc, Zs);
  }
  double SeatFlow(double r, double dp) const {
    return has_laminar_flow() ? SeatFlow(r, dp, 0) : OrificeFlow(Coefficient(r), dp);
  }
  /// What a cavitating jet leaves of the flow through an opening r > 0.
  double Limited(double r, double q_seat, const PortWave& at_a, const PortWave& at_c) const {
    return jet_.is_present() ? jet_.Limit(q_seat, Coefficient(r), at_a, at_c) : q_seat;
  }
  FlowRegime SeatRegime(FlowRegime now) const;
  /// The return's opening at these pressures, or that of the piston on its way there.
  double ReturnInForce(double p_a, double p_c, double p_pilot) const {
    return has_piston_ && !stuck.is_stuck() ? Clip(x) : ReturnOpening(p_a, p_c, p_pilot);
  }
  double OpeningInForce(double p_a, double p_c, double p_pilot) const {
    return p_a > p_c ? Opening(p_a, p_c, p_pilot) : ReturnInForce(p_a, p_c, p_pilot);
  }
  /// Towards the opening r.
  void MovePiston(double r) {
    const double w = 2 * std::numbers::pi * piston_frequency;
    x.ddt = v;
    v.ddt = w * w * (r - x) - 2 * piston_damping * w * v;
  }
  /// Flow [m3/s] from a to c; `r` is the opening then.
  double FlowBetweenWaves(const PortWave& at_a, const PortWave& at_c, double p_pilot, double& r) const {
    const double Zs = at_a.Zc + at_c.Zc;
    // dp = dc - Zs*q has the sign of dc = c_a - c_c; often the opening depends on nothing else of a and c.
    const bool is_fixed = at_a.c > at_c.c ? !has_seat() : !is_opened_by_load() || has_piston_;
    if (Zs > 0 && (!is_fixed || leak_.is_present())) return SolveFlow(at_a, at_c, p_pilot, r);
    r = OpeningInForce(at_a.c, at_c.c, p_pilot);
    if (Zs > 0) return r > 0 ? Limited(r, SeatFlow(r, at_a.c - at_c.c, Zs), at_a, at_c) : 0;
    return Flow(r, at_a.c, at_c.c);
  }
  static Path PathAt(double r) { return r >= 1 ? Path::kFully : r > 0 ? Path::kPartial : Path::kClose; }
  Path CheckValveAt(double dp, Path now) const {
    // Rounding must not decide between equal pressures.
    constexpr double kLeastDifference = 1e3;  // [Pa]
    return dp > (now == Path::kClose ? kLeastDifference : 0) ? PathAt(opening) : Path::kClose;
  }
  double SolveFlow(const PortWave& at_a, const PortWave& at_c, double p_pilot, double& r) const;

  OptionCondition WhereFiltered() const {
    return opening_law.Is(OpeningLaw::kPilotLinear, OpeningLaw::kSeat, OpeningLaw::kForceBalance,
                          OpeningLaw::kSeatByLoad);
  }
  OptionCondition WhereSeat() const { return opening_law.Is(OpeningLaw::kSeat, OpeningLaw::kSeatByLoad); }

  HydraulicPort a{this, "a", Role::kQ, "Valve side"};
  HydraulicPort c{this, "c", Role::kQ, "Cylinder side"};
  HydraulicPort pilot{this, "pilot", Role::kQ, "Pilot line; takes no flow"};
  Aspect<OpeningLaw> opening_law{this, "opening_law", "Law of the opening of check valve and return",
                                 kOpeningLawNames,
                                 Presets{.ideal = OpeningLaw::kRamp,
                                         .standard = OpeningLaw::kPilotLinear,
                                         .advanced = OpeningLaw::kSeatByLoad}};
  Aspect<FlowLaw> flow_law{this, "flow_law", "Law of flow and pressure drop", kFlowLawNames,
                           Presets{.ideal = FlowLaw::kTurbulent,
                                   .standard = FlowLaw::kTurbulent,
                                   .advanced = FlowLaw::kLaminarTurbulent}};
  Aspect<Leakage> leakage{
      this, "leakage", "Flow past the shut valve", kLeakageNames,
      Presets{.ideal = Leakage::kNone, .standard = Leakage::kConstant, .advanced = Leakage::kGap}};
  Aspect<JetCavitation> cavitation{
      this, "cavitation", "Whether the jet cavitates", kJetCavitationNames,
      Presets{
          .ideal = JetCavitation::kNone, .standard = JetCavitation::kNone, .advanced = JetCavitation::kNone}};
  Aspect<Piston> piston{
      this, "piston", "Dynamics of the return piston", kPistonNames,
      Presets{.ideal = Piston::kMassless, .standard = Piston::kMassless, .advanced = Piston::kMassless}};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open valve at the nominal pressure drop",
                         Number{.value = 140 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Parameter pilot_open_pressure{this, "pilot_open_pressure", "Pa",
                                "Pilot pressure at which the return begins to open",
                                Number{.value = 25e5, .range = kNonNegative}};
  Parameter pilot_range{this, "pilot_range", "Pa", "Rise of the pilot pressure from shut to fully open",
                        Number{.value = 5e5,
                               .range = kPositive,
                               .when = opening_law.Is(OpeningLaw::kRamp, OpeningLaw::kSeatByLoad)}};
  Parameter pilot_full_pressure{this, "pilot_full_pressure", "Pa",
                                "Pilot pressure at which the return is fully open",
                                Number{.value = 250e5,
                                       .range = kPositive,
                                       .when = opening_law.Is(OpeningLaw::kPilotLinear, OpeningLaw::kSeat)}};
  Parameter pilot_frequency{this, "pilot_frequency", "Hz",
                            "Corner frequency of the pilot stage (real spools: 5 to 50 Hz)",
                            Number{.value = 0.4, .range = kPositive, .when = WhereFiltered()}};
  Parameter leakage_conductance{
      this, "leakage_conductance", "m3/s/Pa", "Conductance of the shut valve",
      Number{.value = 1e-16, .range = kNonNegative, .when = leakage.Is(Leakage::kConstant)}};
  Property<SeatType> seat_type{this, "seat_type", "Closing element of opening_law Seat and SeatByLoad",
                               kSeatTypeNames, Choice{.value = SeatType::kDisc}};
  Parameter disc_diameter{this, "disc_diameter", "m", "Diameter of the valve disc or other seat",
                          Number{.value = 0.025, .range = kPositive, .when = WhereSeat()}};
  Parameter cone_angle{this, "cone_angle", "rad", "Angle of the cone of seat_type needle",
                       Number{.value = 1.05, .range = Range{.low = 0.1, .high = 3}}};
  Parameter check_full_pressure{this, "check_full_pressure", "Pa",
                                "Rise of the pressure drop from shut to the fully open check valve",
                                Number{.value = 5e5, .range = kPositive, .when = WhereSeat()}};
  Parameter check_cracking_pressure{
      this, "check_cracking_pressure", "Pa",
      "Pressure drop at which the check valve begins to open: the preload of its spring",
      Number{.value = 0.0, .range = kNonNegative, .when = WhereSeat()}};
  Parameter density{
      this, "density", "kg/m3", "Density of the oil",
      Number{.value = 861.8,
             .range = kPositive,
             .when = WhereSeat() || leakage.Is(Leakage::kGap) || flow_law.Is(FlowLaw::kLaminarTurbulent)}};
  Parameter kinematic_viscosity{
      this, "kinematic_viscosity", "m2/s", "Kinematic viscosity of the oil",
      Number{.value = 32e-6,
             .range = kPositive,
             .when = leakage.Is(Leakage::kGap) || flow_law.Is(FlowLaw::kLaminarTurbulent)}};
  Parameter laminar_coefficient{this, "laminar_coefficient", "", "Loss coefficient K1 of laminar flow",
                                Number{.value = kValveEdgeLaminarLoss,
                                       .range = kPositive,
                                       .when = flow_law.Is(FlowLaw::kLaminarTurbulent)}};
  Parameter piston_diameter{this, "piston_diameter", "m", "Diameter of the piston",
                            Number{.value = 0.02, .range = kPositive, .when = leakage.Is(Leakage::kGap)}};
  Parameter piston_clearance{this, "piston_clearance", "m", "Radial gap round the piston",
                             Number{.value = 5e-6, .range = kNonNegative, .when = leakage.Is(Leakage::kGap)}};
  Parameter piston_eccentricity{
      this, "piston_eccentricity", "",
      "Offset of the piston from the centre over the clearance: 0 concentric, 1 touching",
      Number{.value = 0.0, .range = kUnitInterval, .when = leakage.Is(Leakage::kGap)}};
  Parameter piston_land{this, "piston_land", "m", "Length of the gap",
                        Number{.value = 0.01, .range = kPositive, .when = leakage.Is(Leakage::kGap)}};
  Parameter piston_frequency{
      this, "piston_frequency", "Hz", "Natural frequency of the piston",
      Number{.value = 40.0, .range = kPositive, .when = piston.Is(Piston::kSecondOrder)}};
  Parameter piston_damping{
      this, "piston_damping", "", "Damping ratio of the piston",
      Number{.value = 0.8, .range = kNonNegative, .when = piston.Is(Piston::kSecondOrder)}};
  Parameter set_pressure{
      this, "set_pressure", "Pa", "Load pressure that opens without pilot; only ForceBalance has a setting",
      Number{.value = 250e5, .range = kNonNegative, .when = opening_law.Is(OpeningLaw::kForceBalance)}};
  Parameter load_full_pressure{
      this, "load_full_pressure", "Pa", "Pressure at c at which the return of SeatByLoad is fully open",
      Number{.value = 200e5, .range = kPositive, .when = opening_law.Is(OpeningLaw::kSeatByLoad)}};
  Parameter pilot_ratio{this, "pilot_ratio", "",
                        "Pilot ratio: load pressure over pilot pressure with the same force (3 to 4 usual)",
                        Number{.value = 3.0, .range = kNonNegative}};
  Parameter back_pressure_share{this, "back_pressure_share", "",
                                "Fraction of the pressure at a that holds the return shut",
                                Number{.value = 1.0, .range = kNonNegative}};
  Parameter balance_range{this, "balance_range", "Pa",
                          "Rise of the opening force, as a load pressure, from shut to fully open",
                          Number{.value = 50e5, .range = kPositive}};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Contraction and loss of the opening (0.611 sharp, 1 rounded)",
      Number{.value = 0.611, .range = kPositive, .when = cavitation.Is(JetCavitation::kNurick)}};
  VapourParameters vapour{this, cavitation.Is(JetCavitation::kNurick)};
  StuckAt stuck{this, "Opening at which the return is stuck; infinite: it moves", 0};
  FaultMode stuck_shut{this, "stuck_shut", "stuck_at", 0, "The return does not open"};
  FaultMode stuck_open{this, "stuck_open", "stuck_at", 1, "The return does not close"};
  FaultMode internal_leak{this, "internal_leak", "leakage_conductance", 1e-11,
                          "The seat is worn: 6 l/min at 100 bar"};
  StateVariable xf{this, "xf", "Pa", "Pilot pressure behind the low-pass",
                   Start{.value = 0.0, .nominal = 1e5, .when = WhereFiltered()}};
  StateVariable x{this, "x", "", "Lift of the piston, 0 shut to 1 full",
                  Start{.value = 0.0, .nominal = 1.0, .when = piston.Is(Piston::kSecondOrder)}};
  StateVariable v{this, "v", "1/s", "Speed of the piston", 0.0, 100.0, piston.Is(Piston::kSecondOrder)};
  Output q{this, "q", "m3/s", "Flow from a to c"};
  Output opening{this, "opening", "", "Opening, 0 shut to 1 full"};

  Mode<Path> check_valve{this, "check_valve", "State of the path from a to c", kPathNames,
                         [this](Path now) { return CheckValveAt(a->p() - c->p(), now); }};
  Mode<Path> relief_valve{this, "relief_valve", "State of the return opened by the pilot", kPathNames,
                          [this](Path) { return PathAt(ReturnInForce(a->p(), c->p(), xf)); }};
  Mode<FlowRegime> seat_flow{this, "seat_flow", "Flow regime in the opening", kTwoFlowRegimeNames,
                             [this](FlowRegime now) { return SeatRegime(now); }};
  Mode<FlowRegime> leakage_flow{this, "leakage_flow", "Flow regime of the leakage of the shut valve",
                                kTwoFlowRegimeNames, [this](FlowRegime now) {
                                  return FlowRegimeOf(std::abs(a->p() - c->p()), leak_.critical(), kNever,
                                                      now);
                                }};

  static constexpr double kNever = std::numeric_limits<double>::infinity();

  OpeningLaw law_ = OpeningLaw::kRamp;
  FlowLaw flow_law_ = FlowLaw::kTurbulent;
  bool has_piston_ = false;
  JetLimit jet_;
  double PilotPressure() const { return std::max(pilot->p_min, pilot->c); }
  /// Of the return at a pilot pressure [Pa], by the levels Standard and Advanced.
  double MeteredOpening(double p_pilot) const {
    return PilotOpening(p_pilot, pilot_open_pressure,
                        std::max<double>(pilot_full_pressure, pilot_open_pressure + 1));
  }
  /// Of the return, while the load presses on it: the difference that spring and low-pass of the pilot make,
  /// from a fifth below the opening pressure on, because the simple law opens fully over its short range.
  double NeglectedMetering() const {
    if (a->p() > c->p()) return 0;
    const double delay = std::abs(pilot_rate) / (2 * std::numbers::pi * pilot_frequency);
    const double p_pilot = PilotPressure() + delay + 0.2 * pilot_open_pressure;
    return Clip((p_pilot - pilot_open_pressure) * per_pilot_range_) - MeteredOpening(PilotPressure() - delay);
  }

  ObservedRate pilot_rate{this, [this] { return PilotPressure(); }};
  Indicator pilot_metering{this, "pilot_metering", "Opening that spring and low-pass of the pilot change",
                           opening_law.Is(OpeningLaw::kRamp), [this] { return NeglectedMetering(); }};
  Indicator seat_opening{
      this, "seat_opening", "Difference that the area of the seat makes",
      opening_law.Is(OpeningLaw::kRamp, OpeningLaw::kPilotLinear), [this] {
        const auto of_seat = [this](double r) { return flow_per_area_ * seat_.FlowArea(r * full_lift_); };
        if (!(a->p() > c->p())) {
          const double r = LoadOpening(c->p(), PilotPressure());
          return std::abs(of_seat(r) - K_ * MeteredOpening(PilotPressure())) / K_;
        }
        const double simple = q / K_, full = q / of_seat(1);
        return Share(check_cracking_pressure + full * full - simple * simple,
                     q == 0 ? std::numeric_limits<double>::infinity() : std::max({a->p(), c->p(), 10e5}));
      }};
  Indicator laminar_flow{this, "laminar_flow",
                         "Flow that the laminar part of the loss takes away, over the nominal flow",
                         flow_law.Is(FlowLaw::kTurbulent), [this] {
                           if (!(opening > 0)) return 0.0;
                           const SeatLosses losses = Losses(opening);
                           const double dp = a->p() - c->p();
                           return Share(OrificeFlow(Coefficient(opening), dp) -
                                            building_blocks::LaminarTurbulentFlow(losses.a, losses.b, dp, 0),
                                        nominal_flow);
                         }};
  Indicator neglected_leakage{this, "leakage_flow", "Leakage over the nominal flow",
                              leakage.Is(Leakage::kNone, Leakage::kConstant), [this] {
                                const double G = leakage == Leakage::kNone
                                                     ? std::max<double>(leakage_conductance, gap_conductance_)
                                                     : gap_conductance_ - leakage_conductance;
                                return Share(G * (a->p() - c->p()), nominal_flow);
                              }};

  double K_ = 0;                // fully open [m3/s/sqrt(Pa)]
  double per_pilot_range_ = 0;  // [1/Pa]
  double full_pressure_ = 0;    // pilot_full_pressure, above pilot_open_pressure [Pa]
  double per_check_range_ = 0;  // [1/Pa]
  double per_load_range_ = 0;   // [1/Pa]
  EdgeLeak leak_;
  double gap_conductance_ = 0;  // of leakage Gap, whether it is in use or not [m3/s/Pa]
  CounterbalanceForces forces_;
  Seat seat_;
  double full_lift_ = 0;      // of the seat [m]
  double flow_per_area_ = 0;  // K over A_f [m/s/sqrt(Pa)]
  LaminarTurbulentOrifice round_opening_;
};

}  // namespace davit
