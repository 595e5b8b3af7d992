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

/// Cartridge whose poppet the pressures at its three faces open and shut.
class LogicElement final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.LogicElement",
      .text = "2/2 cartridge (logic element): a poppet between a and b that the pressure at x holds shut",
      .equations = R"(
r = clip((area_ratio*p_a + (1 - area_ratio)*p_b - p_x - spring_pressure)/opening_range)
q = r*K*dp/(dp^2 + d^2)^(1/4),  dp = p_a - p_b,  K = nominal_flow/sqrt(nominal_pressure_drop),  d = 1e4 Pa
area_ratio is the area under a over that under x; the rest of it lies under b. clip limits to 0 .. 1. q is
positive from a to b. Between waves p = c + Zc*q is solved along with the law.
# Assumptions and limits
- Quasi-static: the poppet has no mass and no damping, and no oil moves with it: the pilot takes no flow.
- Opening and flow area are proportional. Flow forces are neglected. Shut means tight.
- If it is shut at the pressures without flow, it stays shut, though a flow might hold it open.
- The flow is turbulent at every Reynolds number and is not limited by cavitation.
)",
  };

  enum class Position : std::uint8_t { kClose, kPartial, kFully };
  static constexpr std::array<std::string_view, 3> kPositionNames{"Close", "Partial", "Fully"};

  void ParametersChanged() override { K_ = NominalOrificeCoefficient(nominal_flow, nominal_pressure_drop); }

  /// Opening, 0 .. 1, at the port pressures [Pa].
  double Opening(double p_a, double p_b, double p_x) const {
    return Clip((area_ratio * p_a + (1 - area_ratio) * p_b - p_x - spring_pressure) / opening_range);
  }

  void EvaluateDiffEquations(double /*t*/) override {
    q = FlowBetween(*a, *b, [this](const PortWave& at_a, const PortWave& at_b) {
          return SelfPilotedFlow(K_, at_a, at_b,
                                 [this](double p_a, double p_b) { return Opening(p_a, p_b, x->p()); });
        }).q;
    a->q = -q;
    b->q = q;
    opening = Opening(a->p(), b->p(), x->p());
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", (a->p() - b->p()) * q); }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Side under the seat"};
  HydraulicPort b{this, "b", Role::kQ, "Side around the seat"};
  HydraulicPort x{this, "x", Role::kQ, "Pilot line above the poppet; takes no flow"};
  Parameter area_ratio{this, "area_ratio", "", "Area under a over that under x",
                       Number{.value = 0.5, .range = kUnitInterval}};
  Parameter spring_pressure{this, "spring_pressure", "Pa", "Force of the spring over the area under x",
                            Number{.value = 2e5, .range = kNonNegative}};
  Parameter opening_range{this, "opening_range", "Pa", "Rise of the opening pressure from shut to fully open",
                          Number{.value = 2e5, .range = kPositive}};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open valve at the nominal pressure drop",
                         Number{.value = 200 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output opening{this, "opening", "", "Opening, 0 shut to 1 full"};

  Mode<Position> position{
      this, "position", "State of the opening", kPositionNames, [this](Position) {
        return opening <= 0 ? Position::kClose : opening < 1 ? Position::kPartial : Position::kFully;
      }};

  double K_ = 0;  // fully open [m3/s/sqrt(Pa)]
};

}  // namespace davit
