#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cylinder_geometry.h"
#include "components/hydraulic/laws/end_stop.h"
#include "components/mechanical/cylinder_travel.h"
#include "components/mechanical/lugre_law.h"
#include "components/pneumatic/laws/gas_flow.h"
#include "components/pneumatic/laws/gas_state.h"
#include "framework/domains/pneumatic.h"
#include "framework/fault_mode.h"
#include "framework/indicator.h"
#include "framework/scene.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// Double acting cylinder with one rod; with a vented port a single acting one.
class Cylinder final : public DynamicSimComponent,
                       public MechanismPart,
                       public CylinderTravel,
                       public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.Cylinder",
      .text = "Double acting pneumatic cylinder",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
Ap = pi/4*bore^2,  Ar = Ap - pi/4*rod^2,  V_A = dead_volume + Ap*x,  V_B = dead_volume + Ar*(stroke - x)
F = p_a*Ap - p_b*Ar - p_atm*(Ap - Ar) - F_friction - F_stop,  all pressures absolute
Each chamber:  m' = sum(G),  p = m*R*T/V
heat Isothermal (Ideal):       T' = 0
heat Polytropic (no level):    T' = (n - 1)*T*(m'/m - V'/V),  n = polytropic_exponent
heat HeatExchange (Standard, Advanced):  m*cv*T' = sum(H) - cv*T*m' - p*V' + heat_transfer*A*(wall_temperature - T),
  A = 2*Ap + pi*bore*s, s the length of the chamber
leak_conductance > 0: a leak past the piston after ISO 6358, as in pneumatic.Orifice with b = 0.2
## Friction
friction None (Ideal):       0
friction Coulomb (Standard): viscous_friction*v + coulomb_friction*tanh(v/stick_velocity)
friction LuGre (Advanced):   z' = v - |v|/g(v)*z,  F = s0*z + s1*z' + viscous_friction*v,
  g(v) = (coulomb_friction + (static_friction - coulomb_friction)*exp(-(v/stribeck_velocity)^2))/s0,
  s0 = bristle_stiffness,  s1 = bristle_damping
## End stops
stops elastic:  as in hydraulic.Cylinder with stop_law hunt_crossley: a bumper that deflects by stop_deflection
  under max_pressure on the piston, and does not jump on contact
stops rigid:    0 <= x <= stroke are travel limits of the component at the rod
## Ports and rod
a and b are C ports: c = p of the chamber, Zc = 0. A valve, a throttle or a fitting connects to them directly.
x = 0 fully retracted, v = x'. The rod is a C port, c = F: the component at the rod owns x and v.
# Assumptions and limits
- One pressure and one temperature in each chamber. Ports have no restriction: put the
  conductance of the fitting into a pneumatic.Orifice.
- Friction does not depend on the pressures. Real seals rub more at high pressure.
- The dead volume is part of the chamber. Add that of short lines to it.
- There is no pneumatic cushion: stops are elastic or rigid.
- Dry air as an ideal gas.
# Changes of options
A change of options keeps x, v, masses, temperatures and pressures. The bristles of LuGre start at rest, so
the friction force jumps when friction changes.
)",
  };

  enum class Friction : std::uint8_t { kNone, kCoulomb, kLuGre };
  static constexpr std::array<std::string_view, 3> kFrictionNames{"None", "Coulomb", "LuGre"};
  enum class Stops : std::uint8_t { kElastic, kRigid };
  static constexpr std::array<std::string_view, 2> kStopsNames{"elastic", "rigid"};

  Cylinder() { EffortsRead({rod}); }

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void ArchiveMemory(Archive& archive) override {
    gas_a.ArchiveMemory(archive);
    gas_b.ArchiveMemory(archive);
  }
  void AspectsChanged(AspectSwitch& change) override;
  void PreIntegrate() override;
  void DescribeScene(SceneBuilder& scene) const override;

  void EvaluateEfforts(double /*t*/) override {
    x = -rod->x;
    v = -rod->v;
    rod_end = stroke + x;
    p_a = gas_a.p(VolumeA());
    p_b = gas_b.p(VolumeB());
    force = p_a * piston_area_ - p_b * ring_area_ - atmospheric_pressure * (piston_area_ - ring_area_) -
            FrictionForce(friction) - stops_.Force(x, v);
    rod->c = force;
    a->c = p_a;
    a->T = gas_a.T();
    b->c = p_b;
    b->T = gas_b.T();
  }

  void EvaluateDiffEquations(double /*t*/) override {
    const Leak leak = LeakFlow();
    gas_a.SetRates(heat, VolumeA(), piston_area_ * v, WallArea(x), a->G - leak.G, a->H - leak.H);
    gas_b.SetRates(heat, VolumeB(), -ring_area_ * v, WallArea(stroke - x), b->G + leak.G, b->H + leak.H);
    G_a = a->G;
    G_b = b->G;
    if (friction == Friction::kLuGre) {
      z.ddt = lugre_.DeflectionRate(v, z);
    } else {
      z.ShowValue(0);
    }
  }

  Travel travel() const override { return {stroke, stops == Stops::kRigid ? 0.0 : +stop_deflection}; }
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  struct Leak {
    double G, H;
  };
  /// From A to B.
  Leak LeakFlow() const {
    if (!(leak_.C > 0)) return {0, 0};
    const double G = MassFlow(leak_, leak_, {p_a, gas_a.T()}, {p_b, gas_b.T()});
    return {G, G * Air::kCp * (G >= 0 ? gas_a.T() : gas_b.T())};
  }
  double VolumeA() const { return geometry_.VolumeA(x); }
  double VolumeB() const { return geometry_.VolumeB(x); }
  double WallArea(double length) const;
  double ForceScale() const { return Air::kReferencePressure * piston_area_; }
  /// Against extension [N].
  double FrictionForce(Friction option) const {
    switch (option) {
      case Friction::kNone: return 0;
      case Friction::kCoulomb: return viscous_friction * v + coulomb_friction * std::tanh(v / stick_velocity);
      case Friction::kLuGre: return lugre_.Force(v, z);
    }
    return 0;
  }

  PneumaticPort a{this, "a", Role::kC, "Piston side"};
  PneumaticPort b{this, "b", Role::kC, "Rod side"};
  TranslationalPort rod{this, "rod", Role::kC, "End of the rod"};
  Parameter bore{this, "bore", "m", "Diameter of the piston",
                 Number{.value = 0.032, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter rod_diameter{
      this, "rod", "m", "Diameter of the rod; 0: rodless",
      Number{.value = 0.012, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter stroke{this, "stroke", "m", "Distance between the stops",
                   Number{.value = 0.1, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter dead_volume{this, "dead_volume", "m3", "Dead volume at each end of the stroke, with the line",
                        Number{.value = 1e-5, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter rod_mass{this, "rod_mass", "kg", "Mass of piston and rod", 0.2, kNonNegative};
  Parameter atmospheric_pressure{this, "atmospheric_pressure", "Pa", "Absolute pressure around the rod",
                                 Number{.value = Air::kReferencePressure, .range = kNonNegative}};
  HeatParameters heat{this};
  Aspect<Friction> friction{
      this, "friction", "Friction of the seals", kFrictionNames,
      Presets{.ideal = Friction::kNone, .standard = Friction::kCoulomb, .advanced = Friction::kLuGre}};
  Parameter viscous_friction{
      this, "viscous_friction", "N.s/m", "Viscous friction of the seals",
      Number{.value = 30, .range = kNonNegative, .when = friction.Is(Friction::kCoulomb, Friction::kLuGre)}};
  Parameter coulomb_friction{
      this, "coulomb_friction", "N", "Sliding friction of the seals",
      Number{.value = 15, .range = kPositive, .when = friction.Is(Friction::kCoulomb, Friction::kLuGre)}};
  FaultMode dry_seal{this, "dry_seal", "coulomb_friction", Multiple{3}, "The seal has lost its grease"};
  Parameter stick_velocity{
      this, "stick_velocity", "m/s", "Speed below which the friction fades",
      Number{.value = 0.005, .range = kPositive, .when = friction.Is(Friction::kCoulomb)}};
  Parameter static_friction{this, "static_friction", "N", "Break-away friction of the seals",
                            Number{.value = 25, .range = kPositive, .when = friction.Is(Friction::kLuGre)}};
  Parameter stribeck_velocity{
      this, "stribeck_velocity", "m/s", "Velocity over which friction falls from static to sliding",
      Number{.value = 0.02, .range = kPositive, .when = friction.Is(Friction::kLuGre)}};
  Parameter bristle_stiffness{
      this, "bristle_stiffness", "N/m", "Bristle stiffness of the seals",
      Number{.value = 1e5, .range = kPositive, .when = friction.Is(Friction::kLuGre)}};
  Parameter bristle_damping{
      this, "bristle_damping", "N.s/m", "Bristle damping of the seals",
      Number{.value = 200, .range = kNonNegative, .when = friction.Is(Friction::kLuGre)}};
  Property<Stops> stops{this, "stops", "Law of the end stops", kStopsNames, Choice{.value = Stops::kElastic}};
  Parameter max_pressure{this, "max_pressure", "Pa", "Pressure difference for which the stops are designed",
                         Number{.value = 10e5, .range = kPositive}};
  Parameter stop_deflection{this, "stop_deflection", "m", "Deflection of a stop under the maximum pressure",
                            Number{.value = 1e-3, .range = kPositive}};
  Parameter stop_damping_ratio{
      this, "stop_damping_ratio", "",
      "Damping ratio of a stop, for the mass whose weight the maximum pressure carries",
      Number{.value = 0.2, .range = kNonNegative}};
  Parameter stop_restitution{this, "stop_restitution", "", "Coefficient of restitution of a rigid stop",
                             Number{.value = 0, .range = kUnitInterval, .when = stops.Is(Stops::kRigid)}};
  Parameter leak_conductance{this, "leak_conductance", "m3/s/Pa",
                             "Sonic conductance of a leak past the piston",
                             Number{.value = 0, .range = kNonNegative}};
  FaultMode worn_seal{this, "worn_seal", "leak_conductance", 1e-9, "The piston seal is worn: 0.1 l/s/bar"};
  GasState gas_a{this, {"m_a", "T_a", "Air in chamber A"}};
  GasState gas_b{this, {"m_b", "T_b", "Air in chamber B"}};
  StateVariable z{this, "z", "m", "Deflection of the bristles",
                  Start{.value = 0, .nominal = 1e-4, .when = friction.Is(Friction::kLuGre)}};
  StartValue x_start{
      this, "x", "m",
      "Start displacement, handed to the component at the rod; without it that component sets its own", 0.0};
  StartValue p_a_start{this, "p_a", "Pa", "Start pressure of chamber A (absolute)",
                       Number{.value = Air::kReferencePressure, .range = kNonNegative}};
  StartValue p_b_start{this, "p_b", "Pa", "Start pressure of chamber B (absolute)",
                       Number{.value = Air::kReferencePressure, .range = kNonNegative}};
  Output p_a{this, "p_a", "Pa", "Pressure in chamber A (absolute)", WrittenBy::kEfforts};
  Output p_b{this, "p_b", "Pa", "Pressure in chamber B (absolute)", WrittenBy::kEfforts};
  Output G_a{this, "G_a", "kg/s", "Mass flow into A"};
  Output G_b{this, "G_b", "kg/s", "Mass flow into B"};
  Output x{this, "x", "m", "Displacement, 0 fully retracted", WrittenBy::kEfforts};
  Output v{this, "v", "m/s", "Velocity, positive in extension", WrittenBy::kEfforts};
  Output force{this, "force", "N", "Force of the rod, positive in pushing", WrittenBy::kEfforts};
  Output rod_end{this,
                 "rod_end",
                 "m",
                 "End of the rod, from the bottom of the barrel",
                 WrittenBy::kEfforts,
                 OutputUse::kDrawing};

  Indicator heated_air{this, "heated_air", "Change of the temperature by compression and inflow, over it",
                       heat.heat.Is(Heat::kIsothermal, Heat::kPolytropic), [this] {
                         return std::max(gas_a.HeatingShare(heat, WallArea(x)),
                                         gas_b.HeatingShare(heat, WallArea(stroke - x)));
                       }};
  Indicator seal_friction{
      this, "seal_friction", "Friction of the seals over the force of 1 bar", friction.Is(Friction::kNone),
      [this] { return Share(viscous_friction * std::abs(v) + coulomb_friction, ForceScale()); }};
  Indicator break_away{this, "break_away",
                       "Friction near rest beyond that of sliding, over the force of 1 bar",
                       friction.Is(Friction::kNone, Friction::kCoulomb), [this] {
                         const double r = v / stribeck_velocity;
                         return Share((static_friction - coulomb_friction) * std::exp(-r * r), ForceScale());
                       }};

  CylinderGeometry geometry_;
  double piston_area_ = 0, ring_area_ = 0;  // [m2]
  EndStops stops_;
  LuGreLaw lugre_;
  SonicConductance leak_;
};

}  // namespace davit::pneumatic
