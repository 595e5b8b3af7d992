#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/orifice_batch.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "framework/fault_mode.h"
#include "simulator/building_blocks/laminar_turbulent_flow.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Fixed restriction between two ports.
class Orifice final : public BatchedOrifice<Orifice>, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Orifice",
      .text = "Fixed restriction with turbulent flow",
      .levels = {Level::kIdeal},
      .equations = R"(
law smooth:             q = K*dp/(dp^2 + d^2)^(1/4),  K = Cd*A*sqrt(2/rho),  d = 1e4 Pa
law laminar_turbulent:  dp = a*q + b*q*|q|,  a = K1*nu*rho/(2*A*D),  b = 1/K^2
D = hydraulic_diameter, 4*A/S of an opening with the circumference S; if that is 0, sqrt(4*A/pi) of a round one
dp = p_a - p_b; q is positive from a to b. Both laws tend to q = K*sqrt(dp): smooth for |dp| >> d,
laminar_turbulent for large Reynolds numbers. At dp = 0 the slopes are K/sqrt(d) and 1/a.
Cd: 0.611 for a sharp edge in a thin wall [Mises 1917], up to 1 for a rounded inlet.
K1: 64*L/D for a round tube of length L, 96*L/D for a slot. Between waves p = c + Zc*q is solved along with the law.
Tubes, gaps and cavitating jets: hydraulic.Restriction.
# Assumptions and limits
- Quasi-static: the inertia of the oil in the opening is neglected, and no oil is stored.
- law smooth is turbulent down to some 1e4 Pa, below which the flow becomes proportional to dp; the viscosity
  does not enter.
- The discharge coefficient is constant, and cavitation does not limit the flow: hydraulic.Restriction has
  both.
- The density is that of the oil at gauge pressure 0.
)",
  };

  enum class Law : std::uint8_t { kSmooth, kLaminarTurbulent };
  static constexpr std::array<std::string_view, 2> kLawNames{"smooth", "laminar_turbulent"};

  void ParametersChanged() override;

  /// Flow [m3/s] from a to b at the port pressures [Pa].
  double Flow(double p_a, double p_b) const { return FlowBetweenWaves(p_a - p_b, 0); }
  /// Flow [m3/s] from a to b at the difference dc of the waves [Pa] and the sum Zs of the impedances [Pa
  /// s/m3].
  double FlowBetweenWaves(double dc, double Zs) const {
    return is_smooth_ ? OrificeFlow(K_, dc, Zs)
                      : building_blocks::LaminarTurbulentFlow(laminar_loss_, turbulent_loss_, dc, Zs);
  }

  void EvaluateDiffEquations(double /*t*/) override {
    TakeFlow(FlowBetweenWaves(a->c - b->c, a->Zc + b->Zc));
  }

  // For BatchedOrifice.
  void AddFlow(OrificeBatch& batch, std::size_t number) const {
    const double dc = a->c - b->c, Zs = a->Zc + b->Zc;
    if (is_smooth_) {
      batch.Add(number, K_, dc, Zs);
    } else {
      batch.Set(number, FlowBetweenWaves(dc, Zs));
    }
  }
  void TakeFlow(double q_without_cavitation) {
    const FlowAndDrop flow =
        LimitByCavitation(*a, *b, q_without_cavitation, [this](const PortWave& at_a, const PortWave& at_b) {
          return FlowBetweenWaves(at_a.c - at_b.c, at_a.Zc + at_b.Zc);
        });
    q = flow.q;
    dp = flow.dp;
    a->q = -flow.q;
    b->q = flow.q;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", dp * q); }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Side the flow comes from when positive"};
  HydraulicPort b{this, "b", Role::kQ, "Side the flow goes to when positive"};
  Parameter area{this, "area", "m2", "Area of the opening", 7.854e-5, kNonNegative};
  FaultMode blocked{this, "blocked", "area", 0, "Something blocks the opening"};
  FaultMode half_blocked{this, "half_blocked", "area", Multiple{0.5}, "Something blocks half of the opening"};
  Parameter discharge_coefficient{this, "discharge_coefficient", "", "Contraction and loss of the opening",
                                  Number{.value = 0.611, .range = kPositive}};
  Parameter density{this, "density", "kg/m3", "Density of the oil", 861.8, kPositive};
  Property<Law> law{this, "law", "Law of flow and pressure drop", Law::kSmooth, kLawNames};
  Parameter laminar_coefficient{
      this, "laminar_coefficient", "", "Loss coefficient K1 of laminar flow",
      Number{.value = 32.0, .range = kNonNegative, .when = law.Is(Law::kLaminarTurbulent)}};
  Parameter kinematic_viscosity{
      this, "kinematic_viscosity", "m2/s", "Kinematic viscosity of the oil",
      Number{.value = 32e-6, .range = kPositive, .when = law.Is(Law::kLaminarTurbulent)}};
  Parameter hydraulic_diameter{
      this, "hydraulic_diameter", "m", "4*A/S of an opening that is not round, S its circumference; 0: round",
      Number{.value = 0.0, .range = kNonNegative, .when = law.Is(Law::kLaminarTurbulent)}};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};

  double K_ = 0;  // [m3/s/sqrt(Pa)]
  bool is_smooth_ = true;
  double laminar_loss_ = 0;    // a [Pa.s/m3]
  double turbulent_loss_ = 0;  // b [Pa.s2/m6]
};

}  // namespace davit
