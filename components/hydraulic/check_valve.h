#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/poppet_law.h"
#include "components/hydraulic/laws/self_piloted_orifice.h"
#include "components/hydraulic/laws/stuck_at.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Lets oil pass from a to b, and back only while a pilot pressure holds it open.
class CheckValve final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.CheckValve",
      .text = "Check valve without dynamics, free or opened by a pilot",
      .equations = R"(
dp = p_a - p_b,  r = clip((dp + p_p - cracking_pressure)/opening_range)
q = r*K*dp/(dp^2 + d^2)^(1/4),  K = nominal_flow/sqrt(nominal_pressure_drop),  d = 1e4 Pa
p_p = 0 without pilot: q is never negative then, unless the valve is stuck.
p_p = max(pilot_ratio*(p_pilot - p_a), 0) with one: the pilot piston pushes the poppet open against p_b.
A valve that is stuck has r = clip(stuck_at), also backwards.
clip limits to 0 .. 1. q is positive from a to b. Between waves p = c + Zc*q is solved along with the law.
# Assumptions and limits
- The pilot takes no flow. The other side of its piston is at a; the piston does not hold the valve shut.
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

  /// Opening, 0 .. 1, at the port pressures [Pa].
  double Opening(double p_a, double p_b, double p_pilot) const {
    return Clip((p_a - p_b + std::max(pilot_ratio * (p_pilot - p_a), 0.0) - cracking_pressure) /
                opening_range);
  }

  void EvaluateDiffEquations(double /*t*/) override {
    const FlowAndDrop flow = FlowBetween(*a, *b, [this](const PortWave& at_a, const PortWave& at_b) {
      const double dc = at_a.c - at_b.c, Zs = at_a.Zc + at_b.Zc;
      if (stuck.is_stuck()) return OrificeFlow(K_ * Clip(stuck.position()), dc, Zs);
      if (pilot.is_connected()) {
        return SelfPilotedFlow(K_, at_a, at_b,
                               [this](double p_a, double p_b) { return Opening(p_a, p_b, pilot->p()); });
      }
      return PoppetFlow(K_, dc, Zs, cracking_pressure, opening_range);
    });
    q = flow.q;
    a->q = -flow.q;
    b->q = flow.q;
    opening = Clip(stuck.Or(pilot.is_connected() ? Opening(a->p(), b->p(), pilot->p())
                                                 : (flow.dp - cracking_pressure) / opening_range));
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", (a->p() - b->p()) * q); }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Side the oil comes from"};
  HydraulicPort b{this, "b", Role::kQ, "Side the oil goes to"};
  HydraulicPort pilot{this, "pilot", Role::kQ, "Pilot line that opens the way back; takes no flow",
                      Connecting::kOptional};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open valve at the nominal pressure drop",
                         Number{.value = 100 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Parameter cracking_pressure{this, "cracking_pressure", "Pa", "Pressure drop at which it begins to open",
                              Number{.value = 0.5e5, .range = kNonNegative}};
  Parameter opening_range{this, "opening_range", "Pa", "Rise of the pressure drop from shut to fully open",
                          Number{.value = 1e5, .range = kPositive}};
  Parameter pilot_ratio{this, "pilot_ratio", "", "Area of the pilot piston over that of the seat",
                        Number{.value = 3.0, .range = kPositive}};
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
