#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "framework/indicator.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// Induction motor at an inverter, which gives it voltage in proportion to the frequency.
class InductionMotor final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.InductionMotor",
      .text = "Induction motor at an inverter, from the data of its name plate",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
s = omega_0 - omega,  omega_0 = 2*pi*frequency/pole_pairs,  omega the speed of the shaft
law Linear:     T = 2*T_k*s/s_k
law Breakdown:  T = 2*T_k*s*s_k/(s^2 + s_k^2)  (Kloss)
law Transient:  T = -2*T_k*v
  u' = pole_pairs*(s_k*(1 - u) + s*v),  v' = -pole_pairs*(s_k*v + s*u)
  u and v are the flux of the rotor along and across that of the stator, over its value at no load.
s_k = s_n*(b + sqrt(b^2 - 1)),  b = breakdown_ratio,  s_n the slip at rated_speed and rated_frequency
T_k = b*rated_power/rated_speed; above rated_frequency the voltage is constant, T_k*(rated_frequency/frequency)^2
Ideal: Linear.  Standard: Breakdown.  Advanced: Transient, which has the torque of Breakdown in a steady state.
The shaft is a C port: at a of mechanical.Inertia a positive frequency turns it forwards. inertia turns with it.
power = T*omega_0 comes from the stator, losses = T*s heat the rotor.
# Assumptions and limits
- The resistance of the stator is neglected, or the inverter makes up for it. So the losses are those of the rotor
  alone: no copper of the stator, no iron, no friction.
- The magnetic circuit does not saturate.
- The inverter gives any frequency immediately and any current, also while braking. Limit the rate of the frequency by a
  signal.RateLimiter.
- Linear has no breakdown: under overload it slows down, but does not stall.
# Changes of options
A law that becomes Transient starts with the flux of the steady state. The torque is continuous between Breakdown and
Transient in a steady state, and jumps by the share (s/s_k)^2 to and from Linear.
)",
  };

  enum class Law : std::uint8_t { kLinear, kBreakdown, kTransient };
  static constexpr std::array<std::string_view, 3> kLawNames{"Linear", "Breakdown", "Transient"};
  enum class Operation : std::uint8_t { kDriving, kBraking, kStalling };
  static constexpr std::array<std::string_view, 3> kOperationNames{"Driving", "Braking", "Stalling"};

  InductionMotor();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void AspectsChanged(AspectSwitch& change) override;

  void EvaluateEfforts(double t) override;
  void EvaluateDiffEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.In("stator", power);
    terms.Lost("rotor", losses);
  }

 private:
  /// T_k at the present frequency.
  double BreakdownTorque() const;
  double SynchronousSpeed() const;
  /// s while the shaft turns at its speed.
  double SlipOf(double omega) const { return SynchronousSpeed() - omega; }
  Operation OperationNow() const;

  RotationalPort shaft{this, "shaft", Role::kC, "Driven component"};
  Aspect<Law> law{this, "law", "Torque by the slip", kLawNames,
                  Presets{.ideal = Law::kLinear, .standard = Law::kBreakdown, .advanced = Law::kTransient}};
  Parameter rated_power{this, "rated_power", "W", "Power at the shaft", 15e3, kPositive};
  Parameter rated_speed{this,  "rated_speed", "rad/s", "Speed with this power; 1460 rpm is 152.9 rad/s",
                        152.9, kPositive};
  Parameter rated_frequency{this, "rated_frequency", "Hz", "Frequency with this speed", 50, kPositive};
  Parameter pole_pairs{this, "pole_pairs", "", "Pairs of poles", 2, kPositive};
  Parameter breakdown_ratio{this, "breakdown_ratio", "", "Breakdown torque over rated torque",
                            Number{.value = 2.8, .range = {.low = 1, .low_open = true}}};
  Parameter inertia{this, "inertia", "kg.m2", "Inertia of the rotor", 0.1, kNonNegative};
  Input frequency{this, "frequency", "Hz", "Frequency of the inverter, negative for the other direction", 50};
  StateVariable u{this, "flux_along", "", "Flux of the rotor along that of the stator",
                  Start{.value = 1, .nominal = 1, .when = law.Is(Law::kTransient)}};
  StateVariable v{this, "flux_across", "", "Flux of the rotor across that of the stator",
                  Start{.value = 0, .nominal = 1, .when = law.Is(Law::kTransient)}};
  Output torque{this, "torque", "N.m", "Torque on the driven component"};
  Output speed{this, "speed", "rad/s", "Speed, positive if a positive frequency turns it"};
  Output slip{this, "slip", "rad/s", "Speed of the field over that of the rotor"};
  Output power{this, "power", "W", "Power from the stator"};
  Output losses{this, "losses", "W", "Power that heats the rotor"};
  Mode<Operation> operation{this, "operation", "Whether power goes to the shaft or comes from it",
                            kOperationNames, [this](Operation) { return OperationNow(); }};

  double s_k_ = 1;        ///< slip of the breakdown torque [rad/s]
  double T_k_rated_ = 1;  ///< up to the rated frequency [N m]

  ObservedRate slip_rate{this, [this] { return +slip; }};
  Indicator breakdown{this, "breakdown", "Shortfall of the torque by the breakdown", law.Is(Law::kLinear),
                      [this] { return Share(slip * slip, s_k_ * s_k_); }};
  Indicator transient{
      this, "transient", "Change of the slip while the flux follows, over that of the breakdown",
      law.Is(Law::kLinear, Law::kBreakdown), [this] { return Share(slip_rate, pole_pairs * s_k_ * s_k_); }};
};

}  // namespace davit::electrical
