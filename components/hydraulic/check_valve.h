#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/poppet_law.h"
#include "components/hydraulic/laws/stuck_at.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Lets oil pass from a to b only.
class CheckValve final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.CheckValve",
      .text = "Check valve without dynamics",
      .equations = R"(
dp = p_a - p_b,  r = clip((dp - cracking_pressure)/opening_range)
q = r*K*dp/(dp^2 + d^2)^(1/4),  K = nominal_flow/sqrt(nominal_pressure_drop),  d = 1e4 Pa
A valve that is stuck has r = clip(stuck_at), also backwards. clip limits to 0 .. 1. q is positive from a
to b, never negative unless the valve is stuck. Between waves p = c + Zc*q is
solved along with the law.
# Assumptions and limits
- Quasi-static: the poppet has no mass and no damping, so the valve neither flutters nor closes late.
- Opening and flow area are proportional to the pressure drop above cracking_pressure. There is no
  hysteresis and no flow force.
- The seat is tight: the flow back is exactly 0.
- The flow is turbulent at every Reynolds number and is not limited by cavitation.
)",
  };

  enum class Position : std::uint8_t { kClose, kPartial, kFully };
  static constexpr std::array<std::string_view, 3> kPositionNames{"Close", "Partial", "Fully"};

  void ParametersChanged() override;

  /// Flow [m3/s] from a to b at the port pressures [Pa].
  double Flow(double p_a, double p_b) const {
    return stuck.is_stuck() ? OrificeFlow(K_ * Clip(stuck.position()), p_a - p_b)
                            : PoppetFlow(K_, p_a - p_b, cracking_pressure, opening_range);
  }

  void EvaluateDiffEquations(double /*t*/) override {
    const FlowAndDrop flow = FlowBetween(*a, *b, [this](const PortWave& at_a, const PortWave& at_b) {
      const double dc = at_a.c - at_b.c, Zs = at_a.Zc + at_b.Zc;
      return stuck.is_stuck() ? OrificeFlow(K_ * Clip(stuck.position()), dc, Zs)
                              : PoppetFlow(K_, dc, Zs, cracking_pressure, opening_range);
    });
    q = flow.q;
    opening = Clip(stuck.Or((flow.dp - cracking_pressure) / opening_range));
    a->q = -flow.q;
    b->q = flow.q;
  }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Side the oil comes from"};
  HydraulicPort b{this, "b", Role::kQ, "Side the oil goes to"};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open valve at the nominal pressure drop",
                         Number{.value = 100 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Parameter cracking_pressure{this, "cracking_pressure", "Pa", "Pressure drop at which it begins to open",
                              Number{.value = 0.5e5, .range = kNonNegative}};
  Parameter opening_range{this, "opening_range", "Pa", "Rise of the pressure drop from shut to fully open",
                          Number{.value = 1e5, .range = kPositive}};
  StuckAt stuck{this, "Opening at which the poppet is stuck; infinite: it moves", 0};
  FaultMode stuck_shut{this, "stuck_shut", "stuck_at", 0, "The poppet does not open"};
  FaultMode stuck_open{this, "stuck_open", "stuck_at", 0.2, "The poppet does not close"};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output opening{this, "opening", "", "Opening, 0 shut to 1 full"};

  Mode<Position> position{
      this, "position", "State of the opening", kPositionNames, [this](Position) {
        return opening <= 0 ? Position::kClose : opening < 1 ? Position::kPartial : Position::kFully;
      }};

  double K_ = 0;  // fully open [m3/s/sqrt(Pa)]
};

}  // namespace davit
