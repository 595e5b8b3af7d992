#pragma once

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/poppet_law.h"
#include "framework/fault_mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Oil filter whose element clogs, with a bypass valve.
class Filter final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Filter",
      .text = "Oil filter with an element that clogs and a bypass valve",
      .equations = R"(
q = q_element + q_bypass,  dp = p_a - p_b
element:  dp = a*q/o + b*q*|q|/o^2,  o = 1 - clogging, the fraction of its area that is still open
  a = laminar_share*dp_n/q_n,  b = (1 - laminar_share)*dp_n/q_n^2,  q_n = nominal_flow,
  dp_n = nominal_pressure_drop: as in the data sheet of the clean filter
bypass:   q = r*K*dp/(dp^2 + d^2)^(1/4),  r = clip((dp - bypass_pressure)/bypass_range),  d = 1e4 Pa,
  K = q_n/sqrt(bypass_pressure + bypass_range): there the open bypass alone passes q_n
q is positive from a to b; backwards only the element lets oil pass. clip limits to 0 .. 1.
Between waves p = c + Zc*q is solved along with the law.
# Assumptions and limits
- The element is a fibre mat with laminar flow (Darcy) in a housing with turbulent flow; o scales the mean
  velocity to the open area.
- Both losses are those of the data sheet at its viscosity: the drop does not rise when the oil is cold.
- Dirt is not modelled: clogging is an input. At clogging 1 only the bypass lets oil pass.
- The bypass valve is quasi-static and tight below bypass_pressure. The filter stores no oil.
)",
  };

  void ParametersChanged() override;

  /// Flow [m3/s] through the element between two waves, whose difference is dc [Pa] with the sum Zs of the
  /// impedances [Pa s/m3].
  double ElementFlow(double dc, double Zs) const;
  /// Flow through element and bypass.
  double Flow(double dc, double Zs) const;

  void EvaluateDiffEquations(double /*t*/) override {
    const FlowAndDrop flow = FlowBetween(*a, *b, [this](const PortWave& at_a, const PortWave& at_b) {
      return Flow(at_a.c - at_b.c, at_a.Zc + at_b.Zc);
    });
    q = flow.q;
    dp = flow.dp;
    q_bypass = BypassFlow(flow.dp);
    a->q = -flow.q;
    b->q = flow.q;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", dp * q); }

 private:
  double BypassFlow(double drop) const { return PoppetFlow(K_bypass_, drop, bypass_pressure, bypass_range); }

  HydraulicPort a{this, "a", Role::kQ, "Dirty side"};
  HydraulicPort b{this, "b", Role::kQ, "Clean side"};
  Input clogging{this, "clogging", "", "Blocked fraction of the element", 0.0, kUnitInterval};
  FaultMode clogged{this, "clogged", "clogging", 1, "Dirt fills the element: only the bypass lets oil pass"};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the clean element at the nominal pressure drop",
                         Number{.value = 100 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the clean filter",
                                  Number{.value = 0.5e5, .range = kPositive}};
  Parameter laminar_share{this, "laminar_share", "", "Laminar fraction of that drop: that of the element",
                          Number{.value = 0.7, .range = kUnitInterval}};
  Parameter bypass_pressure{this, "bypass_pressure", "Pa", "Pressure drop at which the bypass begins to open",
                            Number{.value = 2.5e5, .range = kNonNegative}};
  Parameter bypass_range{this, "bypass_range", "Pa", "Rise of the drop from shut to fully open bypass",
                         Number{.value = 0.5e5, .range = kPositive}};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output q_bypass{this, "q_bypass", "m3/s", "Unfiltered part of the flow"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};

  double laminar_loss_ = 0;    // a [Pa s/m3]
  double turbulent_loss_ = 0;  // b [Pa s2/m6]
  double K_bypass_ = 0;        // [m3/s/sqrt(Pa)]
};

}  // namespace davit
