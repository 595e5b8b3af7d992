#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "components/hydraulic/laws/end_stop.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/oil_state.h"
#include "components/hydraulic/laws/telescope_stages.h"
#include "components/mechanical/cylinder_travel.h"
#include "framework/fault_mode.h"
#include "framework/indicator.h"
#include "framework/scene.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// Cylinder that oil only extends.
class SingleActingCylinder final : public DynamicSimComponent,
                                   public StepPointHooks,
                                   public MechanismPart,
                                   public CylinderTravel,
                                   public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.SingleActingCylinder",
      .text = "Single acting cylinder: a plunger, or a telescope of several stages",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
V = dead_volume + sum(A_k*s_k),  A_k = pi/4*diameter_k^2,  s_k the way of stage k, 0 .. stroke_k
The stage of the largest diameter moves first in extension and last in retraction. A is the area of the one that
moves, the derivative of V by x. Over 2 % of the shorter stroke of two stages it changes smoothly to the next.
F = p*A - spring_force - spring_stiffness*x - F_friction - F_stop
compressibility None (Ideal):      the chamber is the volume at the port, q = A*v
  Constant (Standard):             V/beta*p' = q - A*v; with free_air, as in hydraulic.Volume
  Effective (Advanced), Air:       as Constant, beta_e of hydraulic.Volume in place of beta
  with a chamber  q = K*dp/(dp^2 + d^2)^(1/4),  K = port_discharge_coefficient*pi/4*port_diameter^2*sqrt(2/density)
friction None (Ideal):             0
  Coulomb (Standard, Advanced):    viscous_friction*v + coulomb_friction*tanh(v/stick_velocity)
Stops and cavitation are those of hydraulic.Cylinder with stops elastic; max_pressure acts on the first stage.
x = 0 fully retracted, v = x', F pushes, q is positive into the cylinder. The rod is a C port, c = F: the
component at the rod owns x and v and moves moving_mass along.
Example: diameters="120 100 80 mm" strokes="1 1 1 m"
# Assumptions and limits
- Nothing but the load and the spring retracts it: its other side is open to the air.
- One pressure of the oil. The stages have no separate masses, and there is no shock when one stops.
- Friction depends neither on the pressure nor on the stage.
- The seals do not leak.
- Without compressibility, the port must be connected to a volume.
# Changes of options
A change of options keeps x, v and, if there is a chamber before and after, p. A new chamber starts with the
pressure of the port. The friction force jumps when friction changes.
)",
  };

  enum class Compressibility : std::uint8_t { kNone, kConstant, kEffective, kAir };
  static constexpr std::array<std::string_view, 4> kCompressibilityNames{"None", "Constant", "Effective",
                                                                         "Air"};
  enum class Friction : std::uint8_t { kNone, kCoulomb };
  static constexpr std::array<std::string_view, 2> kFrictionNames{"None", "Coulomb"};

  SingleActingCylinder();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;
  void PreIntegrate() override;
  void DescribeScene(SceneBuilder& scene) const override;

  void EvaluateEfforts(double /*t*/) override {
    x = -rod->x;
    v = -rod->v;
    rod_end = stages_.stroke() + x;
    area = stages_.Area(x);
    p = HasChamber() ? oil.p(Volume()) : std::max(a->p_min, a->c);
    force = p * area - spring_force - spring_stiffness * x - FrictionForce() - stops_.Force(x, v);
    rod->c = force;
  }

  void EvaluateDiffEquations(double /*t*/) override {
    if (HasChamber()) {
      q = PortFlow();
      oil.SetRate(Volume(), q, area * v);
      void_volume = oil.VoidVolume(Volume());
    } else {
      q = area * v;
      oil.Show(p, Volume());
      void_volume = 0;
    }
    a->q = -q;
  }

  Travel travel() const override { return {.stroke = stages_.stroke(), .deflection = stop_deflection}; }
  void PostIntegrate() override {
    if (HasChamber()) alarms.Look(p, OilAlarms::IsVoid(void_volume, Volume()));
  }
  StepPointUse step_point_use() const override { return StepPointUse::kLook; }
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  bool HasChamber() const { return compressibility != Compressibility::kNone; }
  OptionCondition WhereChamber() const {
    return compressibility.Is(Compressibility::kConstant, Compressibility::kEffective, Compressibility::kAir);
  }
  double Volume() const { return dead_volume_ + stages_.SweptVolume(x); }
  /// Against extension [N].
  double FrictionForce() const {
    if (friction == Friction::kNone) return 0;
    return viscous_friction * v + coulomb_friction * std::tanh(v / stick_velocity);
  }
  /// Into the chamber [m3/s].
  double PortFlow() const;
  OilCompression CompressionOf(Compressibility option) const;
  // Scales of the indicators, as in Cylinder.
  double FlowScale() const { return area * std::max(std::abs(v), 0.01 * stages_.stroke()); }
  double PressureScale() const { return std::max<double>(p, 0.01 * max_pressure); }

  HydraulicPort a{this, "a", Role::kQ, "Oil"};
  TranslationalPort rod{this, "rod", Role::kC, "End of the rod"};
  Property<std::string> diameters{
      this, "diameters", "Diameters of the stages, the largest first, the unit after the last one", "100 mm"};
  Property<std::string> strokes{this, "strokes", "Strokes of the stages, one per diameter", "1 m"};
  Parameter moving_mass{this, "moving_mass", "kg", "Mass of the stages that move", 100, kNonNegative};
  Parameter spring_force{this, "spring_force", "N", "Force of the return spring, retracted", 0, kNonNegative};
  Parameter spring_stiffness{this, "spring_stiffness", "N/m", "Stiffness of the return spring",
                             0,    kNonNegative};
  Aspect<Compressibility> compressibility{this, "compressibility", "Oil and gas", kCompressibilityNames,
                                          Presets{.ideal = Compressibility::kNone,
                                                  .standard = Compressibility::kConstant,
                                                  .advanced = Compressibility::kEffective}};
  Aspect<Friction> friction{
      this, "friction", "Friction of the seals", kFrictionNames,
      Presets{.ideal = Friction::kNone, .standard = Friction::kCoulomb, .advanced = Friction::kCoulomb}};
  Parameter max_pressure{this, "max_pressure", "Pa", "Design pressure of the end stops", 350e5, kPositive};
  Parameter stop_deflection{this, "stop_deflection", "m", "Deflection of a stop under the maximum pressure",
                            Number{.value = 1e-3, .range = kPositive}};
  Parameter stop_damping_ratio{
      this, "stop_damping_ratio", "",
      "Damping ratio of a stop, for the mass whose weight the maximum pressure carries",
      Number{.value = 0.1, .range = kNonNegative}};
  Parameter port_diameter{this, "port_diameter", "m", "Diameter of the port",
                          Number{.value = 0.02, .range = kPositive, .when = WhereChamber()}};
  Parameter port_discharge_coefficient{this, "port_discharge_coefficient", "",
                                       "Discharge coefficient of the port (0.611 sharp, 1 rounded)",
                                       Number{.value = 1.0, .range = kPositive, .when = WhereChamber()}};
  Parameter dead_volume{this, "dead_volume", "m3", "Volume of the oil, retracted",
                        Number{.value = 1e-3, .range = kPositive, .when = WhereChamber()}};
  Property<Formulation> formulation{this, "formulation",
                                    "State of the chamber: the pressure, or the quantity of oil",
                                    kFormulationNames, Choice{.value = Formulation::kPressure}};
  OilParameters oil_parameters{this, WhereChamber()};
  Parameter density{this, "density", "kg/m3", "Density of the oil",
                    Number{.value = 861.8, .range = kPositive, .when = WhereChamber()}};
  Parameter viscous_friction{
      this, "viscous_friction", "N.s/m", "Viscous friction of the seals",
      Number{.value = 5000.0, .range = kNonNegative, .when = friction.Is(Friction::kCoulomb)}};
  Parameter coulomb_friction{
      this, "coulomb_friction", "N", "Sliding friction of the seals",
      Number{.value = 1000.0, .range = kNonNegative, .when = friction.Is(Friction::kCoulomb)}};
  Parameter stick_velocity{
      this, "stick_velocity", "m/s", "Speed below which the friction fades",
      Number{.value = 0.01, .range = kPositive, .when = friction.Is(Friction::kCoulomb)}};
  FaultMode trapped_air{this, "trapped_air", "free_air", 0.05, "Air is in the oil"};
  FaultMode blocked{this, "blocked", "port_diameter", Multiple{0.01}, "The port is blocked"};
  StartValue x_start{
      this, "x", "m",
      "Start displacement, handed to the component at the rod; without it that component sets its own",
      Number{.value = 0.0}};
  StartValue p_start{this, "p", "Pa", "Start pressure", Number{.value = 5e5, .when = WhereChamber()}};
  OilState oil{this, {"pressure", "quantity", "Oil in the cylinder"}, WhereChamber()};
  Output p{this, "p", "Pa", "Pressure in the cylinder", WrittenBy::kEfforts};
  Output q{this, "q", "m3/s", "Flow into the cylinder"};
  Output x{this, "x", "m", "Displacement, 0 fully retracted", WrittenBy::kEfforts};
  Output v{this, "v", "m/s", "Velocity, positive in extension", WrittenBy::kEfforts};
  Output area{this, "area", "m2", "Area of the stage that moves", WrittenBy::kEfforts};
  Output force{this, "force", "N", "Force of the rod, positive in pushing", WrittenBy::kEfforts};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume"};
  Output stroke{this, "stroke", "m", "Distance between the stops: the sum of all strokes"};
  Output rod_end{this,
                 "rod_end",
                 "m",
                 "End of the rod, from the bottom of the barrel",
                 WrittenBy::kEfforts,
                 OutputUse::kDrawing};

  ObservedRate pressure_rate{this, [this] { return +p; }};
  Indicator compressible_flow{this, "compressible_flow", "Flow into compression over that of the stages",
                              compressibility.Is(Compressibility::kNone), [this] {
                                return Share(Volume() * std::abs(pressure_rate) / oil_parameters.bulk_modulus,
                                             FlowScale());
                              }};
  Indicator port_loss{this, "port_loss", "Pressure lost in the port over the pressure",
                      compressibility.Is(Compressibility::kNone), [this] {
                        const double root = area * v / K_;
                        return Share(root * root, PressureScale());
                      }};
  Indicator gas_compression{
      this, "gas_compression", "Flow into the compression of gas over that of the stages",
      compressibility.Is(Compressibility::kNone, Compressibility::kConstant), [this] {
        return Share(Volume() * std::abs(pressure_rate) * oil_parameters.GasCompliance(p), FlowScale());
      }};
  Indicator seals{
      this, "seals", "Friction over the force of the pressure", friction.Is(Friction::kNone),
      [this] { return Share(viscous_friction * std::abs(v) + coulomb_friction, area * PressureScale()); }};
  OilAlarms alarms{this, WhereChamber()};

  TelescopeStages stages_;
  EndStops stops_;
  double K_ = 0;            // of the port [m3/s/sqrt(Pa)]
  double dead_volume_ = 0;  // at the last ParametersChanged [m3]
};

}  // namespace davit
