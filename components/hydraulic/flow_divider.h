#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Divides a flow between two loads in a fixed ratio, whatever their pressures.
class FlowDivider final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.FlowDivider",
      .text = "Flow divider: two loads get their shares of a flow at any pressures",
      .equations = R"(
q_a = K_a*dp/(dp^2 + d^2)^(1/4),  dp = p_in - p_a,  d = 1e4 Pa;  q_b the same with K_b and p_b
1/K_a^2 = 1/K_ma^2 + 1/((1 + y)*K_ma)^2,  1/K_b^2 = 1/K_mb^2 + 1/((1 - y)*K_mb)^2
y = clip((drop_b - drop_a)/control_range),  drop_a = max(q_a, 0)^2/K_ma^2,  drop_b the same; clip limits to -1 .. 1
K_ma = share*nominal_flow/sqrt(nominal_pressure_drop),  K_mb the same with 1 - share
Each side has a metering orifice and an edge of the spool in series, alike while the spool is in the middle. The spool compares the drops across
the metering orifices: the side that gets too much is throttled by the spool.
Between waves p = c + Zc*q is solved along with the laws at all three ports.
# Assumptions and limits
- Quasi-static: the spool has no mass, and flow forces are neglected.
- The ratio is exact while both loads are equal. Otherwise the drops differ by y*control_range, so at small flows,
  where the drops are not much larger than control_range, the division becomes inaccurate.
- If one side is shut, the spool shuts the other side but for the flow whose drop is control_range.
- Back through the valve the spool is in the middle: the sides join without being kept in their ratio.
)",
  };

  enum class Position : std::uint8_t { kDividing, kShutA, kShutB };
  static constexpr std::array<std::string_view, 3> kPositionNames{"Dividing", "ShutA", "ShutB"};

  void ParametersChanged() override;
  void EvaluateDiffEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("throttling"); }

 private:
  HydraulicPort in{this, "in", Role::kQ, "Flow to be divided"};
  HydraulicPort a{this, "a", Role::kQ, "One load"};
  HydraulicPort b{this, "b", Role::kQ, "Other load"};
  Parameter share{this, "share", "", "Share of a in the flow",
                  Number{.value = 0.5, .range = {.low = 0, .high = 1, .low_open = true, .high_open = true}}};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow of both sides at the nominal pressure drop across the metering orifices",
                         Number{.value = 40 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Parameter control_range{this, "control_range", "Pa",
                          "Difference of the drops that moves the spool from the middle to its end",
                          Number{.value = 0.2e5, .range = kPositive}};
  Output q_a{this, "q_a", "m3/s", "Flow to a"};
  Output q_b{this, "q_b", "m3/s", "Flow to b"};
  Output travel{this, "travel", "", "Travel of the spool, -1 a shut to 1 b shut"};
  Mode<Position> position{
      this, "position", "Whether the spool is at an end", kPositionNames, [this](Position) {
        return travel <= -1 ? Position::kShutA : travel >= 1 ? Position::kShutB : Position::kDividing;
      }};

  double K_ma_ = 0;  ///< metering orifices [m3/s/sqrt(Pa)]
  double K_mb_ = 0;
};

}  // namespace davit
