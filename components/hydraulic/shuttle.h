#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/orifice_law.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Joins its outlet to the one of two ports that has the higher, or the lower, pressure.
class Shuttle final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Shuttle",
      .text = "Shuttle valve: joins the port of the higher, or lower, pressure to its outlet",
      .equations = R"(
r_a = clip((1 + (p_a - p_b)/switching_range)/2),  r_b = 1 - r_a;  with selects lower, r_a and r_b change places
q_a = r_a*K*dp/(dp^2 + d^2)^(1/4),  dp = p_a - p_out;  q_b the same with r_b and p_b - p_out;  q = q_a + q_b
K = nominal_flow/sqrt(nominal_pressure_drop),  d = 1e4 Pa. clip limits to 0 .. 1. Between waves
p = c + Zc*q is solved along with the laws at all three ports.
# Assumptions and limits
- Quasi-static: ball or spool have no mass. Between -switching_range and switching_range both ways are open, so
  some oil passes from the one side to the other, as while a ball is on its way (negative overlap).
- selects lower is the flushing valve of a closed circuit: without preload, for which a relief valve follows it.
- The shut way is tight. The flow is turbulent and is not limited by cavitation.
)",
  };

  enum class Selects : std::uint8_t { kHigher, kLower };
  static constexpr std::array<std::string_view, 2> kSelectsNames{"higher", "lower"};
  enum class Side : std::uint8_t { kA, kBoth, kB };
  static constexpr std::array<std::string_view, 3> kSideNames{"A", "Both", "B"};

  void ParametersChanged() override;

  /// Opening of the way from a, 0 .. 1, at the port pressures [Pa]; that from b is the rest to 1.
  double OpeningOfA(double p_a, double p_b) const {
    const double r = Clip((1 + (p_a - p_b) / switching_range) / 2);
    return selects == Selects::kLower ? 1 - r : r;
  }
  void EvaluateDiffEquations(double t) override;
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("throttling"); }

 private:
  HydraulicPort a{this, "a", Role::kQ, "One side"};
  HydraulicPort b{this, "b", Role::kQ, "The other side"};
  HydraulicPort out{this, "out", Role::kQ, "Joined to the side that is selected"};
  Property<Selects> selects{this, "selects", "Which pressure opens its way to out", kSelectsNames,
                            Choice{.value = Selects::kHigher}};
  Parameter switching_range{this, "switching_range", "Pa",
                            "Pressure difference between a and b beyond which one way is shut",
                            Number{.value = 0.5e5, .range = kPositive}};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open way at the nominal pressure drop",
                         Number{.value = 20 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Output q{this, "q", "m3/s", "Flow from the valve to out"};

  Mode<Side> side{this, "side", "Which ways are open", kSideNames, [this](Side) {
                    const double r_a = OpeningOfA(a->p(), b->p());
                    return r_a >= 1 ? Side::kA : r_a > 0 ? Side::kBoth : Side::kB;
                  }};

  double K_ = 0;  // of an open way [m3/s/sqrt(Pa)]
};

}  // namespace davit
