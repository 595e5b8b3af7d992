#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/displacement_machines.h"
#include "components/hydraulic/laws/pump_law.h"
#include "framework/fault_mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Pump at a given speed, with leakage back to the inlet and, from efficiencies, a torque loss.
///
/// Source of the equations: the pump of Hopsan's tutorial "Writing Advanced Components" (2021). There the
/// last printed formula, q2 = (eps*D*w - C_leak*(c1 - c2))/(1 - C_leak*(Zc1 - Zc2)), has wrong signs: with it
/// leakage would flow to the higher pressure. The program code beside it follows from the equations and is
/// used here.
class FixedDisplacementPump final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.FixedDisplacementPump",
      .text = "Pump at a given speed, with linear leakage; gear and vane pumps",
      .equations = R"(
q = eps*D*omega + C_leak*(p_in - p_out),  positive from in to out
With p = c + Zc*q_port at both ports, q_port the flow out of the pump, this is
  q = (eps*D*omega + C_leak*(c_in - c_out))/(1 + C_leak*(Zc_in + Zc_out)).
These are the equations of Hopsan's tutorial "Writing Advanced Components"; the last formula printed
there has C_leak with the opposite signs, so that leakage would flow to the higher pressure.
T = eps*D*(p_out - p_in) is the torque required at the shaft; the shaft has no port.
kind own:  C_leak = leakage
kind rated:  C_leak = D*rated_speed*(1 - volumetric_efficiency)/rated_pressure,  so that the pump has this
efficiency at the rated point,  T = eps*D*(p_out - p_in) + |eps*D*(p_out - p_in)|*(1/hydromechanical_efficiency
- 1)*sign(omega), where the sign goes from -1 to 1 over 2 rad/s
kind gear, vane, piston:  as rated, with usual efficiencies: volumetric 0.85, 0.87, 0.94, hydromechanical 0.925,
the middle of the ranges in A. Esposito, Fluid Power with Applications (not verified in the book). Data of
the actual pump are better: give them with kind rated.
## Cavitation
cavitation none:  pressures may fall to the vapour pressure of the line or volume.
cavitation gauge_zero:  a port with p < 0 gets c = 0 and Zc = 0 and the flow is computed once more; the
line or volume there still uses its own c and Zc, and cavitates at its own vapour pressure.
# Assumptions and limits
- Flow and torque are means over a revolution, without ripple.
- The speed is an input: the torque does not slow down the drive.
- Leakage is laminar, with one conductance for all speeds, settings and viscosities, so the volumetric
  efficiency is poor at low speed. The hydromechanical efficiency is the same at all loads.
- The pump draws its full flow at any inlet pressure, also if the oil there cavitates.
)",
  };

  enum class Cavitation : std::uint8_t { kNone, kGaugeZero };
  static constexpr std::array<std::string_view, 2> kCavitationNames{"none", "gauge_zero"};

  void EvaluateDiffEquations(double /*t*/) override {
    HydraulicBond inlet = *in;
    HydraulicBond outlet = *out;
    const double D = displacement_setting * displacement;
    const double q_ideal = D * speed;
    const auto law = [&](const PortWave& at_in, const PortWave& at_out) {
      return Flow(q_ideal, at_in, at_out);
    };
    double q = FlowBetween(inlet, outlet, law).q;
    double p_1 = std::max(inlet.p_min, inlet.c - inlet.Zc * q);
    double p_2 = std::max(outlet.p_min, outlet.c + outlet.Zc * q);
    if ((p_1 < 0 || p_2 < 0) && cavitation == Cavitation::kGaugeZero) {
      if (p_1 < 0) inlet.c = inlet.Zc = 0;
      if (p_2 < 0) outlet.c = outlet.Zc = 0;
      q = FlowBetween(inlet, outlet, law).q;
      p_1 = inlet.c - inlet.Zc * q;
      p_2 = outlet.c + outlet.Zc * q;
    }
    q_out = q;
    p_in = p_1;
    p_out = p_2;
    torque = D * (p_2 - p_1);
    if (kind != PumpKind::kOwn) {
      torque = torque + std::abs(torque) * (1 / Efficiency().hydromechanical - 1) * SmoothSign(speed, 1);
    }
    in->q = -q;
    out->q = q;
  }
  double PowerBesidePorts() const override { return torque * speed; }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double D = displacement_setting * displacement;
    terms.In("drive", torque * speed);
    terms.Lost("friction", (torque - D * (p_out - p_in)) * speed);
    terms.Lost("leakage", (p_out - p_in) * (D * speed - q_out));
  }

 private:
  /// Flow [m3/s] from in to out.
  double Flow(double q_ideal, const PortWave& inlet, const PortWave& outlet) const {
    const double C_leak = Leakage();
    return (q_ideal + C_leak * (inlet.c - outlet.c)) / (1 + C_leak * (inlet.Zc + outlet.Zc));
  }
  /// Pre: kind is not own.
  PumpEfficiency Efficiency() const {
    if (kind == PumpKind::kRated) return {volumetric_efficiency, hydromechanical_efficiency};
    return UsualEfficiency(kind);
  }
  double Leakage() const {
    if (kind == PumpKind::kOwn) return leakage;
    return LeakageForEfficiency(displacement, rated_speed, rated_pressure, Efficiency().volumetric);
  }

  HydraulicPort in{this, "in", Role::kQ, "Suction side"};
  HydraulicPort out{this, "out", Role::kQ, "Pressure side"};
  Input displacement_setting{this, "displacement_setting", "",
                             "Relative displacement (swash setting); negative pumps from out to in",
                             Number{.value = 1.0, .range = kPlusMinusOne}};
  Input speed{this, "speed", "rad/s", "Speed of the shaft", 250.0};
  FaultMode stops{this, "stop", "speed", 0, "The drive stops"};
  Parameter displacement{this, "displacement", "m3/rad", "Displacement",
                         Number{.value = 5e-5 / (2 * std::numbers::pi), .range = kNonNegative}};
  Parameter leakage{this, "leakage", "m3/s/Pa", "Conductance C_leak from the outlet back to the inlet",
                    Number{.value = 0.0, .range = kNonNegative}};
  FaultMode internal_leak{this, "internal_leak", "leakage", 2e-11, "The pump is worn: 12 l/min at 100 bar"};
  Property<PumpKind> kind{this, "kind", "Source of the losses: leakage, efficiencies, or usual efficiencies",
                          PumpKind::kOwn, kPumpKindNames};
  Parameter volumetric_efficiency{this, "volumetric_efficiency", "",
                                  "At the rated point; used only with kind rated",
                                  Number{.value = 0.9, .range = Range{.low = 0.1, .high = 1}}};
  Parameter hydromechanical_efficiency{this, "hydromechanical_efficiency", "",
                                       "At the rated point; used only with kind rated",
                                       Number{.value = 0.92, .range = Range{.low = 0.1, .high = 1}}};
  Parameter rated_pressure{this, "rated_pressure", "Pa",
                           "Pressure difference of the rated point; used only with another kind than own",
                           Number{.value = 200e5, .range = kPositive}};
  Parameter rated_speed{this, "rated_speed", "rad/s",
                        "Speed of the rated point; used only with another kind than own",
                        Number{.value = 1500 * 2 * std::numbers::pi / 60, .range = kPositive}};
  Property<Cavitation> cavitation{this, "cavitation", "Behaviour at pressures below zero", kCavitationNames,
                                  Choice{.value = Cavitation::kNone}};
  Output p_in{this, "p_in", "Pa", "Pressure at the inlet"};
  Output p_out{this, "p_out", "Pa", "Pressure at the outlet"};
  Output q_out{this, "q_out", "m3/s", "Flow out of the pump"};
  Output torque{this, "torque", "N.m", "Torque required at the shaft"};
};

}  // namespace davit
