#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/orifice_law.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Keeps a set flow, whatever the load: throttles it, or lets the surplus of a pump bypass the load.
class FlowControlValve final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.FlowControlValve",
      .text = "Flow control valve with pressure compensator; with a bypass line, of three ways",
      .equations = R"(
metering edge from in to out:  q_m = K*dp/(dp^2 + d^2)^(1/4),  K = flow/sqrt(control_pressure),  d = 1e4 Pa
y = clip((dp_m - control_pressure)/opening_range), dp_m the drop across the edge; clip limits to 0 .. 1
Without bypass the compensator is in series with the edge and shuts with y:
  1/K_s^2 = 1/K^2 + 1/((1 - y)*K_c)^2,  q = K_s*dp/(dp^2 + d^2)^(1/4),  dp = p_in - p_out,  dp_m = dp*(K_s/K)^2
  K_c = nominal_flow/sqrt(nominal_pressure_drop)
With bypass the compensator opens the way from in to bypass with y, and the edge is alone between in and out:
  q = K*dp/(dp^2 + d^2)^(1/4),  dp_m = p_in - p_out,  q_b = y*K_c*dp_b/(dp_b^2 + d^2)^(1/4),  dp_b = p_in - p_bypass
Between waves p = c + Zc*q is solved along with the laws.
# Assumptions and limits
- Quasi-static: the compensator has no mass, so the flow does not overshoot when the load changes.
- The set flow passes where the compensator begins to move. From there to the end of its travel, the flow
  rises by the factor sqrt(1 + opening_range/control_pressure) at most. Flow forces are neglected.
- Below control_pressure, or with a nearly shut way, the valve is an orifice. Back, it is an open orifice.
- Viscosity does not enter: the edge is sharp. Shut means tight.
)",
  };

  enum class Control : std::uint8_t { kOpen, kControls, kEnd };
  static constexpr std::array<std::string_view, 3> kControlNames{"Open", "Controls", "End"};

  void ParametersChanged() override;

  /// Travel of the compensator, 0 .. 1, at a pressure drop [Pa] across the metering edge.
  double Travel(double dp_m) const { return Clip((dp_m - control_pressure) / opening_range); }

  void EvaluateDiffEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("throttling"); }

 private:
  void EvaluateSeries(double t, double K);
  void EvaluateBypass(double t, double K);

  HydraulicPort in{this, "in", Role::kQ, "Side the oil comes from"};
  HydraulicPort out{this, "out", Role::kQ, "Side the set flow goes to"};
  HydraulicPort bypass{this, "bypass", Role::kQ, "Where the surplus of the pump goes to; none: two ways",
                       Connecting::kOptional};
  Input flow{this, "flow", "m3/s", "Set flow", 20 / 6e4, kNonNegative};
  Parameter control_pressure{this, "control_pressure", "Pa",
                             "Pressure drop across the metering edge that the compensator keeps",
                             Number{.value = 8e5, .range = kPositive}};
  Parameter opening_range{this, "opening_range", "Pa",
                          "Rise of that pressure drop over the travel of the compensator",
                          Number{.value = 1e5, .range = kPositive}};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open compensator at the nominal pressure drop",
                         Number{.value = 100 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Output q{this, "q", "m3/s", "Flow from in to out"};
  Output q_bypass{this, "q_bypass", "m3/s", "Flow from in to bypass"};
  Output travel{this, "travel", "", "Travel of the compensator, 0 rest to 1 end"};

  Mode<Control> control{
      this, "control", "What the compensator does", kControlNames, [this](Control) {
        return travel <= 0 ? Control::kOpen : travel < 1 ? Control::kControls : Control::kEnd;
      }};

  double K_c_ = 0;         // compensator fully open [m3/s/sqrt(Pa)]
  double K_per_flow_ = 0;  // of the metering edge [1/sqrt(Pa)]
};

}  // namespace davit
