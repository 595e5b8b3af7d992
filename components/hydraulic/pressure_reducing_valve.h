#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/self_piloted_orifice.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Keeps the pressure at its outlet at a set pressure; with a tank line it relieves it, too.
class PressureReducingValve final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.PressureReducingValve",
      .text = "Pressure reducing valve, with a tank line also relieving",
      .equations = R"(
r_in = clip((set_pressure - p_out)/opening_range)
r_tank = clip((p_out - set_pressure - overlap)/opening_range)
q_in = r_in*K*dp/(dp^2 + d^2)^(1/4),  dp = p_in - p_out,  K = nominal_flow/sqrt(nominal_pressure_drop)
q_tank = r_tank*K*dp/(dp^2 + d^2)^(1/4),  dp = p_out - p_tank;  0 if tank is not connected
q_out = q_in - q_tank,  d = 1e4 Pa. clip limits to 0 .. 1. Between waves p = c + Zc*q is solved along with
the laws: of both ways at most one is open.
# Assumptions and limits
- Quasi-static: the spool has no mass and no friction and takes no flow.
- The spring chamber is drained to the atmosphere: the pressures at in and tank do not change the setting.
- It is shut without flow at set_pressure, and fully open opening_range below it: the pressure at out droops
  with the flow. Flow forces, which add to that, are neglected.
- Shut means tight, without leakage. The flow is turbulent and is not limited by cavitation.
)",
  };

  enum class Action : std::uint8_t { kShut, kReducing, kFullyOpen, kRelieving };
  static constexpr std::array<std::string_view, 4> kActionNames{"Shut", "Reducing", "FullyOpen", "Relieving"};

  void ParametersChanged() override;

  /// Opening, 0 .. 1, of the way from in to out and of that from out to tank, at a pressure [Pa] at out.
  double InletOpening(double p_out) const { return Clip((set_pressure - p_out) / opening_range); }
  double TankOpening(double p_out) const { return Clip((p_out - set_pressure - overlap) / opening_range); }

  void EvaluateDiffEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("throttling"); }

 private:
  Action ActionNow() const;

  HydraulicPort in{this, "in", Role::kQ, "Side of the higher pressure"};
  HydraulicPort out{this, "out", Role::kQ, "Side whose pressure is kept"};
  HydraulicPort tank{this, "tank", Role::kQ, "Where oil goes to when the pressure at out is too high",
                     Connecting::kOptional};
  Parameter set_pressure{this, "set_pressure", "Pa", "Pressure at out at which it is shut",
                         Number{.value = 100e5, .range = kNonNegative}};
  Parameter opening_range{this, "opening_range", "Pa", "Change of that pressure from shut to fully open",
                          Number{.value = 5e5, .range = kPositive}};
  Parameter overlap{this, "overlap", "Pa", "Pressure above the set one at which it begins to relieve",
                    Number{.value = 2e5, .range = kNonNegative}};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open valve at the nominal pressure drop",
                         Number{.value = 100 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Output q{this, "q", "m3/s", "Flow from the valve to out"};
  Output q_tank{this, "q_tank", "m3/s", "Flow from out to tank"};

  Mode<Action> action{this, "action", "What the valve does", kActionNames,
                      [this](Action) { return ActionNow(); }};

  double K_ = 0;  // fully open [m3/s/sqrt(Pa)]
};

}  // namespace davit
