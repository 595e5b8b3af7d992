#pragma once

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/jet_limit.h"
#include "components/hydraulic/laws/orifice_batch.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/stuck_at.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// 2/2 valve: one restriction whose opening a signal sets.
class DirectionalValve22 final : public BatchedOrifice<DirectionalValve22>, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.DirectionalValve22",
      .text = "2/2 directional valve: a restriction opened by a signal",
      .equations = R"(
q = r*K*dp/(dp^2 + d^2)^(1/4),  r = clip(opening),  dp = p_a - p_b,  d = 1e4 Pa
K = nominal_flow/sqrt(nominal_pressure_drop). clip limits to 0 .. 1. q is positive from a to b.
A valve that is stuck has r = clip(stuck_at).
Between waves p = c + Zc*q is solved along with the law.
## Cavitation
cavitation None:    the flow grows with the pressure drop without limit
cavitation Nurick:  |q| <= 0.61/Cd*r*K*sqrt(P1 - Pv)  [Nurick 1976],  P1 the absolute pressure upstream: the jet
  cavitates, and a lower pressure downstream does not increase the flow.
# Assumptions and limits
- The opening follows its signal immediately: use signal.LowPass or signal.RateLimiter for the spool or poppet.
- Flow area and opening are proportional. Shut means tight, without leakage.
- The flow is turbulent at every Reynolds number.
)",
  };

  void ParametersChanged() override;

  /// Flow [m3/s] from a to b at the port pressures [Pa].
  double Flow(double p_a, double p_b) const { return OrificeFlow(K_ * Clip(stuck.Or(opening)), p_a - p_b); }

  void EvaluateDiffEquations(double /*t*/) override {
    const double K = K_ * Clip(stuck.Or(opening));
    TakeFlow(LawFlow(K, {a->c, a->Zc}, {b->c, b->Zc}));
  }

  // For BatchedOrifice.
  void AddFlow(OrificeBatch& batch, std::size_t number) const {
    const double K = K_ * Clip(stuck.Or(opening));
    if (K > 0) {
      batch.Add(number, K, a->c - b->c, a->Zc + b->Zc);
    } else {
      batch.Set(number, 0);
    }
  }
  void TakeFlow(double q_without_cavitation) {
    const auto limited = [this](double q_law, const PortWave& at_a, const PortWave& at_b) {
      return jet_.is_present() ? jet_.Limit(q_law, K_ * Clip(stuck.Or(opening)), at_a, at_b) : q_law;
    };
    const FlowAndDrop flow =
        LimitByCavitation(*a, *b, limited(q_without_cavitation, {a->c, a->Zc}, {b->c, b->Zc}),
                          [&](const PortWave& at_a, const PortWave& at_b) {
                            const double K = K_ * Clip(stuck.Or(opening));
                            return limited(LawFlow(K, at_a, at_b), at_a, at_b);
                          });
    q = flow.q;
    dp = flow.dp;
    a->q = -flow.q;
    b->q = flow.q;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", dp * q); }

 private:
  static double LawFlow(double K, const PortWave& at_a, const PortWave& at_b) {
    return K > 0 ? OrificeFlow(K, at_a.c - at_b.c, at_a.Zc + at_b.Zc) : 0;
  }

  HydraulicPort a{this, "a", Role::kQ, "Side the flow comes from when positive"};
  HydraulicPort b{this, "b", Role::kQ, "Side the flow goes to when positive"};
  Input opening{this, "opening", "", "Opening: 0 shut, 1 full", 0.0, kUnitInterval};
  Parameter nominal_flow{this, "nominal_flow", "m3/s",
                         "Flow through the open valve at the nominal pressure drop",
                         Number{.value = 100 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 5e5, .range = kPositive}};
  Property<JetCavitation> cavitation{this, "cavitation", "Whether the jet cavitates", kJetCavitationNames,
                                     Choice{.value = JetCavitation::kNone}};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Contraction and loss of the opening (0.611 sharp, 1 rounded)",
      Number{.value = 0.611, .range = kPositive, .when = cavitation.Is(JetCavitation::kNurick)}};
  VapourParameters vapour{this, cavitation.Is(JetCavitation::kNurick)};
  StuckAt stuck{this, "Opening at which the valve is stuck; infinite: it moves", 0};
  FaultMode stuck_shut{this, "stuck_shut", "stuck_at", 0, "The valve does not open"};
  FaultMode stuck_open{this, "stuck_open", "stuck_at", 1, "The valve does not close"};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};

  double K_ = 0;  // fully open [m3/s/sqrt(Pa)]
  JetLimit jet_;
};

}  // namespace davit
