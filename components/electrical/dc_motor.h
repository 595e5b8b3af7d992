#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "framework/indicator.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// Direct current motor with a permanent magnet, or a generator when the shaft drives it.
class DcMotor : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.DcMotor",
      .text = "Direct current motor with a permanent magnet, friction and heating",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
T = k*i - T_friction,  u = u_a - u_b,  omega the speed in the direction in which i > 0 turns the shaft
armature Resistive:  i = (u - k*omega)/R
armature Inductive:  L*i' = u - R*i - k*omega
friction None:  T_friction = 0
friction ViscousAndDry:  T_friction = viscous_friction*omega + dry_friction*tanh(omega/dry_speed)
windings Constant:  R = resistance;  all losses R*i^2 + T_friction*omega go into heat
windings Warming:  R = resistance*(1 + temperature_coefficient*(T_w - reference_temperature))
  C_w*T_w' = R*i^2 - Q_w,  Q_w = (T_w - T_heat)/winding_resistance;  Q_w + T_friction*omega go into heat
  T_heat is the temperature of the case at heat, ambient_temperature if nothing is connected there.
Ideal: Resistive, None, Constant.  Standard: Inductive, None, Constant.
Advanced: Inductive, ViscousAndDry, Warming.
Energy: u*i = T*omega + (L*i^2/2)' + C_w*T_w' + the power into heat.
## Signs and waves
The shaft is a C port, T = c + Zc*w with w = -omega (w is positive into the motor): the inertia of the rotor
belongs to the component connected there. Connected to the port a of mechanical.Inertia, i > 0 turns it forwards.
With armature Resistive and u = c + Zc*i at a and b:  c = k*(c_a - c_b)/(R + Zs),  Zc = k^2/(R + Zs).
# Assumptions and limits
- The field is constant: no saturation, no armature reaction, no field weakening. The magnet does not weaken when it
  is hot.
- Torque and current are means: no cogging, no ripple of commutation, no voltage drop at the brushes.
- Iron losses are neglected; viscous_friction may include them.
- Dry friction fades to 0 around dry_speed: a loaded motor without current creeps.
- One temperature for all windings. Currents and temperatures have no limit: nothing burns.
# Changes of options
An armature that becomes Inductive starts with the current that flows, windings that become Warming start
at the temperature of the case. An armature that becomes Resistive releases the energy L*i^2/2, windings
that become Constant the heat C_w*(T_w - T_heat).
)",
  };

  enum class Armature : std::uint8_t { kResistive, kInductive };
  static constexpr std::array<std::string_view, 2> kArmatureNames{"Resistive", "Inductive"};
  enum class Friction : std::uint8_t { kNone, kViscousAndDry };
  static constexpr std::array<std::string_view, 2> kFrictionNames{"None", "ViscousAndDry"};
  enum class Windings : std::uint8_t { kConstant, kWarming };
  static constexpr std::array<std::string_view, 2> kWindingsNames{"Constant", "Warming"};
  enum class Operation : std::uint8_t { kDriving, kBraking };
  static constexpr std::array<std::string_view, 2> kOperationNames{"Driving", "Braking"};

  DcMotor();

  void Reset() override;
  void AspectsChanged(AspectSwitch& change) override;

  void EvaluateEfforts(double /*t*/) override;
  void EvaluateDiffEquations(double /*t*/) override;
  void AccountEnergy(EnergyTerms& terms) const override {
    if (armature == Armature::kInductive) terms.Stored("magnetic", L * i * i / 2);
    terms.Lost("resistance", Resistance() * i * i);
    terms.Lost("friction", FrictionTorque(speed) * speed);
  }

 protected:
  static constexpr double kLeastPower = 1e-3;  ///< that counts as driving or braking [W]

  double Resistance() const;
  /// Of the armature Resistive.
  double QuasiSteadyCurrent() const;
  double Current() const { return armature == Armature::kInductive ? current : QuasiSteadyCurrent(); }
  double FrictionTorque(double omega) const;
  /// Wave and impedance of the case, where nothing is connected the surroundings.
  double CaseWave() const { return heat.is_connected() ? heat->c : ambient_temperature; }
  /// From the windings into the case, with `friction_loss` [W] beside it.
  double WindingHeat(double friction_loss) const;

  ElectricalPort a{this, "a", Role::kQ, "Terminal the current comes from when positive"};
  ElectricalPort b{this, "b", Role::kQ, "Terminal the current goes to when positive"};
  RotationalPort shaft{this, "shaft", Role::kC, "Driven component"};
  ThermalPort heat{this, "heat", Role::kQ, "Case heated by the losses", Connecting::kOptional};
  Aspect<Armature> armature{
      this, "armature", "Whether the current takes time to build up", kArmatureNames,
      Presets{
          .ideal = Armature::kResistive, .standard = Armature::kInductive, .advanced = Armature::kInductive}};
  Aspect<Friction> friction{
      this, "friction", "Friction of bearings and brushes", kFrictionNames,
      Presets{.ideal = Friction::kNone, .standard = Friction::kNone, .advanced = Friction::kViscousAndDry}};
  Aspect<Windings> windings{
      this, "windings", "Whether the resistance follows the temperature of the windings", kWindingsNames,
      Presets{.ideal = Windings::kConstant, .standard = Windings::kConstant, .advanced = Windings::kWarming}};
  Parameter R{this, "resistance", "ohm", "Resistance of the windings", 0.2, kPositive};
  Parameter k{this, "torque_constant", "N.m/A", "Torque per ampere, in V.s/rad as well", 0.15, kPositive};
  Parameter L{this, "inductance", "H", "Inductance of the windings",
              Number{.value = 1e-3, .range = kPositive, .when = armature.Is(Armature::kInductive)}};
  Parameter viscous_friction{
      this, "viscous_friction", "N.m.s/rad", "Viscous friction",
      Number{.value = 1e-3, .range = kNonNegative, .when = friction.Is(Friction::kViscousAndDry)}};
  Parameter dry_friction{
      this, "dry_friction", "N.m", "Dry friction",
      Number{.value = 0.1, .range = kNonNegative, .when = friction.Is(Friction::kViscousAndDry)}};
  Parameter dry_speed{
      this, "dry_speed", "rad/s", "Speed below which dry friction fades",
      Number{.value = 0.1, .range = kPositive, .when = friction.Is(Friction::kViscousAndDry)}};
  Parameter temperature_coefficient{
      this, "temperature_coefficient", "1/K", "Coefficient of the resistance; copper 0.0039",
      Number{.value = 0.0039, .range = kNonNegative, .when = windings.Is(Windings::kWarming)}};
  Parameter reference_temperature{
      this, "reference_temperature", "K", "Temperature at which the windings have their resistance",
      Number{.value = 293.15, .range = kPositive, .when = windings.Is(Windings::kWarming)}};
  Parameter C_w{this, "winding_capacity", "J/K", "Heat capacity of the windings",
                Number{.value = 400, .range = kPositive, .when = windings.Is(Windings::kWarming)}};
  Parameter R_w{this, "winding_resistance", "K/W", "Thermal resistance from the windings to the case",
                Number{.value = 0.5, .range = kPositive, .when = windings.Is(Windings::kWarming)}};
  Parameter ambient_temperature{
      this, "ambient_temperature", "K", "Temperature of the case if nothing is connected at heat",
      Number{.value = 293.15, .range = kPositive, .when = windings.Is(Windings::kWarming)}};
  StateVariable current{this, "current", "A", "Current",
                        Start{.value = 0, .nominal = 10, .when = armature.Is(Armature::kInductive)}};
  StateVariable T_w{this, "winding_temperature", "K", "Temperature of the windings",
                    Start{.value = 293.15, .nominal = 10, .when = windings.Is(Windings::kWarming)}};
  Output i{this, "i", "A", "Current from a to b"};
  Output u{this, "u", "V", "Voltage from a to b"};
  Output torque{this, "torque", "N.m", "Torque on the driven component"};
  Output speed{this, "speed", "rad/s", "Speed, positive where i > 0 turns it"};
  Output losses{this, "losses", "W", "Power lost in windings and friction"};
  Mode<Operation> operation{this, "operation", "Whether power goes to the shaft or comes from it",
                            kOperationNames, [this](Operation now) {
                              const double power = k * i * speed;
                              if (std::abs(power) < kLeastPower) return now;
                              return power < 0 ? Operation::kBraking : Operation::kDriving;
                            }};

  // Scales of the indicators: the voltage and the torque of 1 A at least.
  ObservedRate current_rate{this, [this] { return +i; }};
  Indicator induced_voltage{this, "induced_voltage", "Voltage of the inductance over that of the terminals",
                            armature.Is(Armature::kResistive),
                            [this] { return Share(L * current_rate, std::max(std::abs(u), R * 1.0)); }};
  Indicator lost_torque{this, "lost_torque", "Torque of friction over that of the current",
                        friction.Is(Friction::kNone), [this] {
                          const double lost =
                              viscous_friction * speed + dry_friction * std::tanh(speed / dry_speed);
                          return Share(lost, k * std::max(std::abs(i), 1.0));
                        }};
  Indicator warming{this, "warming", "Change of the resistance by the heat of the present current",
                    windings.Is(Windings::kConstant), [this] {
                      const double T_steady = CaseWave() + R * i * i * R_w;
                      return temperature_coefficient * std::abs(T_steady - reference_temperature);
                    }};
};

}  // namespace davit::electrical
