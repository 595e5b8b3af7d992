#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/cavitating_jet.h"
#include "components/hydraulic/laws/cylinder_geometry.h"
#include "components/hydraulic/laws/end_stop.h"
#include "components/hydraulic/laws/flow_regime.h"
#include "components/hydraulic/laws/jet_limit.h"
#include "components/hydraulic/laws/laminar_turbulent_orifice.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/oil_state.h"
#include "components/hydraulic/laws/wall_compliance.h"
#include "components/mechanical/cylinder_travel.h"
#include "components/mechanical/lugre_law.h"
#include "framework/fault_mode.h"
#include "framework/indicator.h"
#include "framework/mode.h"
#include "framework/scene.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Double acting cylinder with one rod.
///
/// A derived model may add options to `friction` (Aspect::AddOption) and give their force by AddedFriction.
class Cylinder : public DynamicSimComponent,
                 public StepPointHooks,
                 public MechanismPart,
                 public CylinderTravel,
                 public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Cylinder",
      .text = "Double acting hydraulic cylinder",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
Ap = pi/4*bore^2,  Ar = Ap - pi/4*rod^2,  V_A = dead_volume + Ap*x,  V_B = dead_volume + Ar*(stroke - x)
F = p_a*Ap - p_b*Ar - F_friction - F_stop
## Compressibility
compressibility None:  the chambers are the volumes at the ports, q_a = Ap*v, q_b = Ar*v
  Constant:  V_A/beta*p_a' = q_a - Ap*v - q_li,  V_B/beta*p_b' = Ar*v - q_b + q_li - q_le
             (formulation pressure), or Q_a' = q_a - Ap*v - q_li, p_a = max(0, beta*Q_a/V_A), alike for B
             (formulation quantity); with free_air, as in hydraulic.Volume
  Dilation:  1/beta + 2/wall_modulus*((d2^2 + d1^2)/(d2^2 - d1^2) + wall_poisson_ratio) in place of 1/beta;
             with wall_law thin  1/beta + (d1 + d2)/(wall_modulus*(d2 - d1))
  Effective, Air:  as Constant, beta_e of hydraulic.Volume in place of beta
  EffectiveDilation:  the barrel of Dilation around the oil of Effective or, with free_air above 0, of Constant:
             1/beta_e + wall in place of 1/beta
## Ports
ports Turbulent:  q = K*dp/(dp^2 + d^2)^(1/4), K = port_discharge_coefficient*pi/4*d_port^2*sqrt(2/density)
  LaminarTurbulent:  dp = (K1/Re + K2)*rho*q^2/(2*A^2), K1 = 32, Cd = 0.611, A that of K with this Cd,
             but laminar at least up to 0.02 Pa: a wider port would bend in less than pressures resolve;
             Re by port_a_hydraulic_diameter = 4*A/S of a port with the circumference S, 0: round
cushion None (all levels);  Throttle:  for oil that leaves A, K times cushion_opening +
             (1 - cushion_opening)*x/cushion_length where x < cushion_length, for oil that leaves B the same by
             stroke - x; oil flows in through the whole port, past a check valve. Without compressibility
             there is no port to throttle
port_cavitation None (all levels);  [Nurick 1976]:  |q| <= 0.61*pi/4*d_port^2*sqrt(2*(P1 - Pv)/density), P1 the
             absolute pressure upstream: the jet of the port cavitates
## Friction
friction None:  0;  Viscous:  viscous_friction*v
  Coulomb:  friction_ratio*nominal_pressure*Ap*tanh(v/stick_velocity): a fraction of the nominal force, the same
             at all loads and speeds
  LuGre:  z' = v - |v|/g(v)*z,  F = s0*z + s1*z' + s2*v,  g(v) = (Fc + (Fs - Fc)*exp(-(v/vs)^2))/s0
## Leakage
leakage None:  0;  Constant:  q_li = leakage_conductance*(p_a - p_b)
  Gap:  q_li = pi*bore*c^3/(12*mu*piston_land)*E*(p_a - p_b),  q_le = pi*rod*c^3/(12*mu*rod_land)*E*p_b,
        c = seal_gap,  E = 1 + 1.5*seal_eccentricity^2
## Levels
Ideal: None, None, None.  Standard: Constant, Turbulent, Viscous.  Advanced: EffectiveDilation,
LaminarTurbulent, LuGre, Gap.
## Cavitation
Cavitation, as in hydraulic.Volume: if a chamber takes more oil than flows in, p stays at the vapour pressure
(formulation quantity: at 0) and a cavity void_a, void_b opens, void_a' = Ap*v + q_li - q_a.
## Signs
x = 0 fully retracted, x = stroke fully extended, v = x'. q_a is positive into A, q_b out of B,
F pushes.
## End stops
Stops elastic:  x > stroke: F_stop = k*(x - stroke) + c*max(0, v);  x < 0: F_stop = k*x + c*min(0, v)
                k = max_pressure*Ap/stop_deflection,  g = 9.81 m/s2
                c = 2*stop_damping_ratio*sqrt(max_pressure*Ap/g*k)
so a stop deflects by stop_deflection under the force of max_pressure on the piston.
With stop_law hunt_crossley [Hunt 1975] the damping grows with the deflection, so that the
                force does not jump: F_stop = max(0, k*d + c/stop_deflection*d*d') at the depth d
A run ends if the piston is so far beyond a stop that V_A or V_B is not positive.
Stops constant:  as elastic, but |F_stop| <= max_pressure*Ap: with more force the stop yields.
Stops rigid:  F_stop = 0; 0 <= x <= stroke are travel limits of the component at the rod, which finds
the impact inside the step and continues with v = -stop_restitution*v. If they become rigid during a run, an
impact is dealt with at the end of the TimeStep, and a piston beyond a stop returns to it then.
## Rod
The rod is a C port: c = F, Zc = 0; its x and v are positive into the cylinder, that is against
extension. The component at the rod owns x and v and moves rod_mass along.
# Assumptions and limits
- One pressure in each chamber: waves in the oil and the inertia of the oil are neglected.
- Piston and rod are rigid, without side load. The weight of the rod is not considered.
- Friction does not depend on the pressures. Real seals rub more at high pressure.
- Oil and barrel have one temperature; leakage is laminar at every pressure difference.
- Without compressibility, a and b must be connected to volumes.
# Changes of options
A change of options keeps x, v and, if there are chambers before and after, p_a and p_b. New
chambers start with the pressures of the ports. The bristles of LuGre start with the deflection that keeps
the force or, if that is too large, with that of steady sliding. Adding or removing friction makes
the force jump, and so does a change of the stops while the piston is beyond one.
# Flow regimes of the ports
  mode port_a_regime, port_b_regime:  Turbulent with ports Turbulent; else Laminar as long as both losses of
    the port are less than equal, K1/Re > K2.  Cavitating where the jet is at its limit.
)",
  };

  enum class Stops : std::uint8_t { kElastic, kRigid, kConstant };
  static constexpr std::array<std::string_view, 3> kStopsNames{"elastic", "rigid", "constant"};
  enum class Compressibility : std::uint8_t {
    kNone,
    kConstant,
    kDilation,
    kEffective,
    kAir,
    kEffectiveDilation
  };
  static constexpr std::array<std::string_view, 6> kCompressibilityNames{
      "None", "Constant", "Dilation", "Effective", "Air", "EffectiveDilation"};
  enum class Ports : std::uint8_t { kTurbulent, kLaminarTurbulent };
  static constexpr std::array<std::string_view, 2> kPortsNames{"Turbulent", "LaminarTurbulent"};
  enum class Cushion : std::uint8_t { kNone, kThrottle };
  static constexpr std::array<std::string_view, 2> kCushionNames{"None", "Throttle"};
  enum class Friction : std::uint8_t { kNone, kViscous, kLuGre, kCoulomb };
  static constexpr std::array<std::string_view, 4> kFrictionNames{"None", "Viscous", "LuGre", "Coulomb"};
  enum class Leakage : std::uint8_t { kNone, kConstant, kGap };
  static constexpr std::array<std::string_view, 3> kLeakageNames{"None", "Constant", "Gap"};
  enum class Piston : std::uint8_t { kNormal, kStopLeft, kStopRight };
  static constexpr std::array<std::string_view, 3> kPistonNames{"Normal", "StopLeft", "StopRight"};

  Cylinder();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;
  void PreIntegrate() override;

  Travel travel() const override;
  /// Force [N] of the elastic end stops, positive against extension; 0 where they are rigid.
  double StopForce(double displacement, double velocity) const {
    return stops_.Force(displacement, velocity);
  }

  void EvaluateEfforts(double /*t*/) override {
    x = -rod->x;
    v = -rod->v;
    rod_end = stroke + x;
    const bool has_chambers = compressibility != Compressibility::kNone;
    p_a = has_chambers ? chamber_a.p(VolumeA()) : std::max(a->p_min, a->c);
    p_b = has_chambers ? chamber_b.p(VolumeB()) : std::max(b->p_min, b->c);
    force = p_a * piston_area_ - p_b * ring_area_ - FrictionForce(friction) - StopForce(x, v);
    rod->c = force;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    if (compressibility == Compressibility::kNone) {
      q_a = piston_area_ * v;
      q_b = ring_area_ * v;
      chamber_a.Show(p_a, VolumeA());
      chamber_b.Show(p_b, VolumeB());
      void_a = 0;
      void_b = 0;
    } else {
      EvaluateChambers();
    }
    a->q = -q_a;
    b->q = q_b;
    if (friction == Friction::kLuGre) {
      z.ddt = lugre_.DeflectionRate(v, z);
    } else {
      z.ShowValue(0);
    }
  }

  bool WritePartials(PartialDerivatives& partials) const override;
  /// Upright, with the bottom of the barrel at the origin; nothing where what is at the rod shows it.
  void DescribeScene(SceneBuilder& scene) const override;

  void PostIntegrate() override {
    if (!HasChambers()) return;  // the pressures are those of the volumes at the ports
    alarms.Look(std::max<double>(p_a, p_b),
                OilAlarms::IsVoid(void_a, VolumeA()) || OilAlarms::IsVoid(void_b, VolumeB()));
  }
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double friction_force = FrictionForce(friction);
    terms.Stored("stops", stops_.Energy(x));
    terms.Lost("stops", (StopForce(x, v) - StopForce(x, 0)) * v);
    if (friction == Friction::kLuGre) {
      terms.Stored("friction", lugre_.s0 * z * z / 2);
      terms.Lost("friction", friction_force * v - lugre_.s0 * z * lugre_.DeflectionRate(v, z));
    } else {
      terms.Lost("friction", friction_force * v);
    }
    if (!HasChambers()) return;
    const double V_a = VolumeA(), V_b = VolumeB();
    terms.Stored("oil", chamber_a.StoredEnergy(V_a) + chamber_b.StoredEnergy(V_b));
    terms.In("compressed oil",
             chamber_a.CarriedEnergy(V_a) * piston_area_ * v - chamber_b.CarriedEnergy(V_b) * ring_area_ * v);
    terms.Lost("throttling", (a->p() - p_a) * q_a + (p_b - b->p()) * q_b);
    terms.Lost("leakage", G_internal_ * (p_a - p_b) * (p_a - p_b) + G_external_ * p_b * p_b);
  }

 protected:
  /// Force [N], against extension, of an option of `friction` that a derived model has added, at the present
  /// x, v, p_a and p_b. It must be continuous, and push against v.
  virtual double AddedFriction(Friction /*option*/) const { return 0; }

  /// What a port of the barrel opens to the oil.
  struct Opening {
    double K = 0;  ///< [m3/s/sqrt(Pa)]
    CavitatingJet jet;
    LaminarTurbulentOrifice law;
  };

  HydraulicPort a{this, "a", Role::kQ, "Piston side"};
  HydraulicPort b{this, "b", Role::kQ, "Rod side"};
  TranslationalPort rod{this, "rod", Role::kC, "End of the rod"};
  Parameter bore{this, "bore", "m", "Diameter of the piston", 0.283, kPositive, Tunability::kStructural};
  Parameter rod_diameter{this, "rod", "m", "Diameter of the rod", 0.141, kPositive, Tunability::kStructural};
  Parameter stroke{this, "stroke", "m", "Distance between the stops",
                   Number{.value = 2.0, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter rod_mass{this, "rod_mass", "kg", "Mass of piston and rod", 500.0, kNonNegative};
  Aspect<Stops> stops{
      this, "stops", "Law of the end stops", kStopsNames,
      Presets{.ideal = Stops::kElastic, .standard = Stops::kElastic, .advanced = Stops::kElastic}};
  Property<EndStopModel> stop_law{
      this, "stop_law", "Law of the elastic stops", kEndStopModelNames,
      Choice{.value = EndStopModel::kSpringDamper, .when = stops.Is(Stops::kElastic, Stops::kConstant)}};
  Parameter stop_restitution{this, "stop_restitution", "", "Coefficient of restitution of a stop",
                             Number{.value = 0.0, .range = kUnitInterval, .when = stops.Is(Stops::kRigid)}};
  Parameter max_pressure{this, "max_pressure", "Pa", "Design pressure of the end stops", 350e5, kPositive};
  Parameter stop_deflection{this, "stop_deflection", "m", "Deflection of a stop under the maximum pressure",
                            Number{.value = 1e-3, .range = kPositive}};
  Parameter stop_damping_ratio{
      this, "stop_damping_ratio", "",
      "Damping ratio of a stop, for the mass whose weight the maximum pressure carries",
      Number{.value = 0.1, .range = kNonNegative}};
  Aspect<Compressibility> compressibility{this, "compressibility", "Oil, gas and barrel",
                                          kCompressibilityNames,
                                          Presets{.ideal = Compressibility::kNone,
                                                  .standard = Compressibility::kConstant,
                                                  .advanced = Compressibility::kEffectiveDilation}};
  Aspect<Ports> ports{
      this, "ports", "Law of the ports", kPortsNames,
      Presets{
          .ideal = Ports::kTurbulent, .standard = Ports::kTurbulent, .advanced = Ports::kLaminarTurbulent}};
  Aspect<JetCavitation> port_cavitation{
      this, "port_cavitation", "Cavitating port jets", kJetCavitationNames,
      Presets{
          .ideal = JetCavitation::kNone, .standard = JetCavitation::kNone, .advanced = JetCavitation::kNone}};
  Aspect<Cushion> cushion{
      this, "cushion", "End cushions", kCushionNames,
      Presets{.ideal = Cushion::kNone, .standard = Cushion::kNone, .advanced = Cushion::kNone}};
  Aspect<Friction> friction{
      this, "friction", "Friction of the seals", kFrictionNames,
      Presets{.ideal = Friction::kNone, .standard = Friction::kViscous, .advanced = Friction::kLuGre}};
  Aspect<Leakage> leakage{
      this, "leakage", "Leakage at the seals", kLeakageNames,
      Presets{.ideal = Leakage::kNone, .standard = Leakage::kNone, .advanced = Leakage::kGap}};
  Parameter port_a_diameter{this, "port_a_diameter", "m",
                            "Diameter of the port of A (32 to 40 mm suit 500 l/min)",
                            Number{.value = 0.010, .range = kPositive, .when = WhereChambers()}};
  Parameter port_b_diameter{this, "port_b_diameter", "m",
                            "Diameter of the port of B (32 to 40 mm suit 500 l/min)",
                            Number{.value = 0.010, .range = kPositive, .when = WhereChambers()}};
  Parameter port_a_hydraulic_diameter{
      this, "port_a_hydraulic_diameter", "m",
      "4*A/S of a port of A that is not round, S its circumference, A that of port_a_diameter; 0: round",
      Number{.value = 0.0, .range = kNonNegative, .when = ports.Is(Ports::kLaminarTurbulent)}};
  Parameter port_b_hydraulic_diameter{
      this, "port_b_hydraulic_diameter", "m",
      "4*A/S of a port of B that is not round, S its circumference, A that of port_b_diameter; 0: round",
      Number{.value = 0.0, .range = kNonNegative, .when = ports.Is(Ports::kLaminarTurbulent)}};
  Parameter port_discharge_coefficient{this, "port_discharge_coefficient", "",
                                       "Discharge coefficient of the ports (0.611 sharp, 1 rounded)",
                                       Number{.value = 1.0, .range = kPositive, .when = WhereChambers()}};
  Parameter cushion_length{this, "cushion_length", "m", "Way before a stop over which the cushion throttles",
                           Number{.value = 0.03, .range = kPositive, .when = cushion.Is(Cushion::kThrottle)}};
  Parameter cushion_opening{this, "cushion_opening", "",
                            "Share of the port that the cushion leaves open at the stop",
                            Number{.value = 0.02,
                                   .range = Range{.low = 0, .high = 1, .low_open = true},
                                   .when = cushion.Is(Cushion::kThrottle)}};
  Parameter dead_volume{this, "dead_volume", "m3", "Dead volume at each end of the stroke",
                        Number{.value = 1e-3, .range = kPositive, .when = WhereChambers()}};
  Property<Formulation> formulation{this, "formulation",
                                    "State of each chamber: the pressure, or the quantity of oil",
                                    kFormulationNames, Choice{.value = Formulation::kPressure}};
  OilParameters oil{this, WhereChambers()};
  Parameter density{this, "density", "kg/m3", "Density of the oil",
                    Number{.value = 861.8, .range = kPositive, .when = WhereChambers()}};
  Parameter viscous_friction{
      this, "viscous_friction", "N.s/m", "Viscous friction of the seals",
      Number{.value = 49050.0, .range = kNonNegative, .when = friction.Is(Friction::kViscous)}};
  Parameter friction_ratio{
      this, "friction_ratio", "", "Friction of the seals over the nominal force",
      Number{.value = 0.05, .range = kUnitInterval, .when = friction.Is(Friction::kCoulomb)}};
  Parameter nominal_pressure{
      this, "nominal_pressure", "Pa", "Pressure at the nominal force of the piston",
      Number{.value = 280e5, .range = kPositive, .when = friction.Is(Friction::kCoulomb)}};
  Parameter stick_velocity{
      this, "stick_velocity", "m/s", "Speed below which the friction fades",
      Number{.value = 0.01, .range = kPositive, .when = friction.Is(Friction::kCoulomb)}};
  Property<WallLaw> wall_law{this, "wall_law", "Law of the barrel's expansion", kWallLawNames,
                             Choice{.value = WallLaw::kThick, .when = WhereDilation()}};
  Parameter outer_diameter{this, "outer_diameter", "m", "Outer diameter of the barrel",
                           Number{.value = 0.343,
                                  .range = kPositive,
                                  .tunability = Tunability::kStructural,
                                  .when = WhereDilation()}};
  Parameter wall_modulus{this, "wall_modulus", "Pa", "Modulus of elasticity of the barrel",
                         Number{.value = 180e9, .range = kPositive, .when = WhereDilation()}};
  Parameter wall_poisson_ratio{
      this, "wall_poisson_ratio", "", "Poisson's ratio of the barrel",
      Number{.value = 0.3, .range = Range{.low = 0, .high = 0.5}, .when = WhereDilation()}};
  Parameter seal_gap{this, "seal_gap", "m", "Clearance of the sealing gaps",
                     Number{.value = 1e-5, .range = kNonNegative, .when = leakage.Is(Leakage::kGap)}};
  Parameter seal_eccentricity{
      this, "seal_eccentricity", "",
      "Offset of piston and rod from the centre over the clearance: 0 concentric, 1 touching",
      Number{.value = 0.0, .range = kUnitInterval, .when = leakage.Is(Leakage::kGap)}};
  Parameter piston_land{this, "piston_land", "m", "Length of the gap at the piston",
                        Number{.value = 0.2, .range = kPositive, .when = leakage.Is(Leakage::kGap)}};
  Parameter rod_land{this, "rod_land", "m", "Length of the gap at the rod",
                     Number{.value = 0.1, .range = kPositive, .when = leakage.Is(Leakage::kGap)}};
  Parameter leakage_conductance{
      this, "leakage_conductance", "m3/s/Pa", "Leakage at the piston",
      Number{.value = 0.0, .range = kNonNegative, .when = leakage.Is(Leakage::kConstant)}};
  Parameter internal_leak{this, "internal_leak", "m3/s/Pa",
                          "Leakage past a worn piston seal, besides that of leakage",
                          Number{.value = 0.0, .range = kNonNegative, .when = WhereChambers()}};
  Parameter external_leak{this, "external_leak", "m3/s/Pa",
                          "Leakage past a worn rod seal to the outside, besides that of leakage",
                          Number{.value = 0.0, .range = kNonNegative, .when = WhereChambers()}};
  FaultMode internally_leaking{this, "internal_leak", "internal_leak", 1e-11,
                               "The piston seal is worn: 6 l/min at 100 bar"};
  FaultMode externally_leaking{this, "external_leak", "external_leak", 1e-11,
                               "The rod seal is worn: 6 l/min at 100 bar"};
  FaultMode trapped_air{this, "trapped_air", "free_air", 0.05, "Air is in the oil"};
  FaultMode blocked_a{this, "blocked_a", "port_a_diameter", Multiple{0.01}, "The port of A is blocked"};
  FaultMode blocked_b{this, "blocked_b", "port_b_diameter", Multiple{0.01}, "The port of B is blocked"};
  Parameter kinematic_viscosity{this, "kinematic_viscosity", "m2/s",
                                "Kinematic viscosity of the oil, for gaps and LaminarTurbulent ports",
                                Number{.value = 32e-6, .range = kPositive}};
  Parameter coulomb_friction{
      this, "coulomb_friction", "N", "Sliding friction of the seals",
      Number{.value = 3000.0, .range = kPositive, .when = friction.Is(Friction::kLuGre)}};
  Parameter static_friction{
      this, "static_friction", "N", "Break-away friction of the seals",
      Number{.value = 4500.0, .range = kNonNegative, .when = friction.Is(Friction::kLuGre)}};
  Parameter stribeck_velocity{
      this, "stribeck_velocity", "m/s", "Velocity over which friction falls from static to sliding",
      Number{.value = 0.01, .range = kPositive, .when = friction.Is(Friction::kLuGre)}};
  Parameter bristle_stiffness{
      this, "bristle_stiffness", "N/m", "Bristle stiffness of the seals",
      Number{.value = 1e7, .range = kPositive, .when = friction.Is(Friction::kLuGre)}};
  Parameter bristle_damping{
      this, "bristle_damping", "N.s/m", "Bristle damping of the seals",
      Number{.value = 1e5, .range = kNonNegative, .when = friction.Is(Friction::kLuGre)}};
  Parameter lugre_viscous_friction{
      this, "lugre_viscous_friction", "N.s/m", "Viscous part of the LuGre friction",
      Number{.value = 2e4, .range = kNonNegative, .when = friction.Is(Friction::kLuGre)}};
  StartValue x_start{
      this, "x", "m",
      "Start displacement, handed to the component at the rod; without it that component sets its own",
      Number{.value = 0.0}};
  StartValue p_a_start{this, "p_a", "Pa", "Start pressure of chamber A",
                       Number{.value = 5e5, .when = WhereChambers()}};
  StartValue p_b_start{this, "p_b", "Pa", "Start pressure of chamber B",
                       Number{.value = 1e5, .when = WhereChambers()}};
  Output p_a{this, "p_a", "Pa", "Pressure in chamber A", WrittenBy::kEfforts};
  Output p_b{this, "p_b", "Pa", "Pressure in chamber B", WrittenBy::kEfforts};
  Output void_a{this, "void_a", "m3", "Cavity (vapour) volume in chamber A"};
  Output void_b{this, "void_b", "m3", "Cavity (vapour) volume in chamber B"};
  Output q_a{this, "q_a", "m3/s", "Flow into A"};
  Output q_b{this, "q_b", "m3/s", "Flow out of B"};
  Output x{this, "x", "m", "Displacement, 0 fully retracted", WrittenBy::kEfforts};
  Output v{this, "v", "m/s", "Velocity, positive in extension", WrittenBy::kEfforts};
  Output force{this, "force", "N", "Force of the rod, positive in pushing", WrittenBy::kEfforts};
  Output rod_end{this,
                 "rod_end",
                 "m",
                 "End of the rod, from the bottom of the barrel",
                 WrittenBy::kEfforts,
                 OutputUse::kDrawing};

  bool HasChambers() const { return compressibility != Compressibility::kNone; }
  double VolumeA() const { return geometry_.VolumeA(x); }
  double VolumeB() const { return geometry_.VolumeB(x); }
  /// Against extension [N], at the present v and z.
  double FrictionForce(Friction option) const {
    switch (option) {
      case Friction::kNone: return 0;
      case Friction::kViscous: return viscous_friction * v;
      case Friction::kLuGre: return lugre_.Force(v, z);
      case Friction::kCoulomb: return coulomb_force_ * std::tanh(v / stick_velocity);
    }
    return AddedFriction(option);
  }
  void EvaluateChambers();
  /// Where no end cavitates; over c at the line, and over the pressure in the chamber with the other sign.
  Opening OpeningOf(double diameter, double hydraulic_diameter) const;
  double PortSlope(const Opening& opening, const HydraulicBond& line, double p, double q) const;
  /// Share of a port that is open to oil that leaves, at a distance [m] from the stop at its end.
  double CushionShare(double distance) const {
    if (cushion == Cushion::kNone || distance >= cushion_length) return 1;
    return cushion_opening + (1 - cushion_opening) * std::max(0.0, distance) / cushion_length;
  }
  double CushionShareA() const { return CushionShare(x); }
  double CushionShareB() const { return CushionShare(stroke - x); }
  /// Flow [m3/s] from the bond into a chamber at p; `share` of the opening counts for oil that leaves it.
  double PortFlow(const Opening& opening, const HydraulicBond& line, double p, double share) const;
  /// How the oil flows through a port, with a hysteresis against the regime `now`.
  FlowRegime PortRegime(const Opening& opening, const HydraulicBond& line, double p, double q, double share,
                        FlowRegime now) const;
  /// With chambers.
  OptionCondition WhereChambers() const {
    return compressibility.Is(Compressibility::kConstant, Compressibility::kDilation,
                              Compressibility::kEffective, Compressibility::kAir,
                              Compressibility::kEffectiveDilation);
  }
  OptionCondition WhereDilation() const {
    return compressibility.Is(Compressibility::kDilation, Compressibility::kEffectiveDilation);
  }
  /// Of the oil, or of oil and barrel.
  OilCompression CompressionOf(Compressibility option) const;
  /// Of the option; stops that the component at the rod cannot make rigid stay elastic.
  EndStops StopsOf(Stops option) const;
  bool IsRigid(Stops option) const { return option == Stops::kRigid && can_be_rigid_; }
  /// z [m] at which LuGre friction makes the force F [N].
  double DeflectionFor(double F) const;

  OilState chamber_a{this, {"pressure_a", "quantity_a", "Oil in chamber A"}, WhereChambers()};
  OilState chamber_b{this, {"pressure_b", "quantity_b", "Oil in chamber B"}, WhereChambers()};
  StateVariable z{this, "z", "m", "Bristle deflection", 0.0, 1e-4, friction.Is(Friction::kLuGre)};

  Mode<Piston> piston{
      this, "piston", "Whether the piston is at a stop", kPistonNames, [this](Piston) {
        return x <= 0 ? Piston::kStopLeft : x >= stroke ? Piston::kStopRight : Piston::kNormal;
      }};

  Mode<FlowRegime> port_a_regime{
      this, "port_a_regime", "Flow regime in the port of A", kFlowRegimeNames,
      [this](FlowRegime now) { return PortRegime(opening_a_, *a, p_a, q_a, CushionShareA(), now); }};
  Mode<FlowRegime> port_b_regime{
      this, "port_b_regime", "Flow regime in the port of B", kFlowRegimeNames,
      [this](FlowRegime now) { return PortRegime(opening_b_, *b, p_b, -q_b, CushionShareB(), now); }};

  // Scales of the indicators: a slow motion, a hundredth of the design pressure at least.
  double FlowScale() const { return piston_area_ * std::max(std::abs(v), 0.01 * stroke); }
  double PressureScale() const { return std::max({+p_a, +p_b, 0.01 * max_pressure}); }
  double ForceScale() const { return piston_area_ * PressureScale(); }
  /// What the chambers take in [m3/s] by a compressibility [1/Pa] as their pressures change.
  double CompressionFlow(double compliance) const {
    return compliance * std::max(VolumeA() * std::abs(rate_a), VolumeB() * std::abs(rate_b));
  }
  double WallCompliance() const;
  /// LuGre friction at the present speed [N], as if it were steady; at rest the most that the bristles hold.
  double SteadySeals() const {
    return lugre_.SteadyForce(std::max(std::abs(v), std::numeric_limits<double>::min()));
  }

  ObservedRate rate_a{this, [this] { return +p_a; }}, rate_b{this, [this] { return +p_b; }};
  Indicator compressible_flow{this, "compressible_flow", "Flow into compression over that of the piston",
                              compressibility.Is(Compressibility::kNone),
                              [this] { return Share(CompressionFlow(1 / oil.bulk_modulus), FlowScale()); }};
  Indicator port_loss{this, "port_loss", "Pressure lost in a port over the pressure",
                      compressibility.Is(Compressibility::kNone), [this] {
                        const double a_root = piston_area_ * v / opening_a_.K;
                        const double b_root = ring_area_ * v / opening_b_.K;
                        return Share(std::max(a_root * a_root, b_root * b_root), PressureScale());
                      }};
  Indicator wall_dilation{this, "wall_dilation",
                          "Flow into the dilation of the barrel over that of the piston",
                          compressibility.Is(Compressibility::kNone, Compressibility::kConstant,
                                             Compressibility::kEffective, Compressibility::kAir),
                          [this] { return Share(CompressionFlow(WallCompliance()), FlowScale()); }};
  Indicator gas_compression{
      this, "gas_compression", "Flow into the compression of gas over that of the piston",
      compressibility.Is(Compressibility::kNone, Compressibility::kConstant, Compressibility::kDilation),
      [this] {
        return Share(std::max(VolumeA() * std::abs(rate_a) * oil.GasCompliance(p_a),
                              VolumeB() * std::abs(rate_b) * oil.GasCompliance(p_b)),
                     FlowScale());
      }};
  Indicator laminar_port{this, "laminar_port", "Laminar part of the loss in a port over the pressure",
                         ports.Is(Ports::kTurbulent), [this] {
                           const auto loss = [](const Opening& opening, double q) {
                             return opening.law.LaminarResistance(opening.K) * std::abs(q);
                           };
                           return Share(std::max(loss(opening_a_, q_a), loss(opening_b_, q_b)),
                                        PressureScale());
                         }};
  Indicator viscous_seals{this, "viscous_seals", "Viscous friction over the force of the pressure",
                          friction.Is(Friction::kNone),
                          [this] { return Share(viscous_friction * v, ForceScale()); }};
  Indicator dry_seals{this, "dry_seals", "Friction of LuGre beyond the viscous one over the force",
                      friction.Is(Friction::kNone, Friction::kViscous, Friction::kCoulomb),
                      [this] { return Share(SteadySeals() - viscous_friction * std::abs(v), ForceScale()); }};
  Indicator leakage_flow{this, "leakage_flow", "Leakage of the gaps over the flow of the piston",
                         leakage.Is(Leakage::kNone), [this] {
                           return Share(std::max(std::abs(gap_internal_ * (p_a - p_b)), gap_external_ * p_b),
                                        FlowScale());
                         }};

  OilAlarms alarms{this, WhereChambers()};

  CylinderGeometry geometry_;
  double piston_area_ = 0;  // Ap [m2]
  double ring_area_ = 0;    // Ar [m2]
  EndStops stops_;          // no stiffness where they are rigid
  bool can_be_rigid_ = true;
  Opening opening_a_, opening_b_;
  bool has_port_cavitation_ = false;
  double coulomb_force_ = 0;  // [N]
  double G_internal_ = 0;     // past the piston [m3/s/Pa]
  double G_external_ = 0;     // past the rod
  double gap_internal_ = 0;   // the same of leakage Gap, whether it is in use or not
  double gap_external_ = 0;
  LuGreLaw lugre_;
};

}  // namespace davit
