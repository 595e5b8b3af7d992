#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/annular_gap.h"
#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/jet_limit.h"
#include "components/hydraulic/laws/laminar_turbulent_orifice.h"
#include "components/hydraulic/laws/short_tube.h"
#include "components/hydraulic/laws/solve_restriction.h"
#include "framework/fault_mode.h"
#include "framework/indicator.h"
#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Restriction between two ports, given by its shape, with a choice of flow laws.
class Restriction : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Restriction",
      .text = "Hole, tube or gap between two ports, with a choice of flow laws",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
dp = p_a - p_b,  A = pi/4*diameter^2,  K = discharge_coefficient*A*sqrt(2/density)
law Turbulent (Ideal, Standard):  q = K*dp/(dp^2 + d^2)^(1/4),  d = 1e4 Pa
law LaminarTurbulent (Advanced):  dp = a*q + q*|q|/K^2,  a = K1*pi*diameter*nu*density/(8*A^2)
law ShortTube [Merritt 1967], D = diameter, L = length, Re = 4*q/(pi*D*nu):  q = Cd*A*sqrt(2*dp/density),
  D*Re/L < 50:  Cd = (2.163 + 64*L/(D*Re))^(-1/2)
  above:        Cd = (1.5 + 13.74*(L/(D*Re))^(1/2))^(-1/2)
law AnnularGap, of the clearance c round a piston of the diameter, e = eccentricity:  the smaller of
  laminar    q = pi*diameter*c^3/(12*nu*density*L)*(1 + 1.5*(e/c)^2)*dp
  turbulent  dp = density/2*(q/A_c)^2*(xi*L/(2*c) + 1.5),  xi = 0.316*Re^(-0.21)/(1 + 0.2*e/c),
             Re = 2*c*q/(A_c*nu)  [Bell 1957]; losses in series, 1.5 = 0.5 + 1 of a sharp
             inlet and of the outlet. [Li 2016] prints 2*c/(xi*L) + 1/1.5^2 in the place of
             1/(xi*L/(2*c) + 1.5): with it, an additional loss would increase the flow
q is positive from a to b. All laws are odd and have a finite slope at dp = 0. Between waves p = c + Zc*q
is solved along with the law. hydraulic.Orifice is the first two laws for an opening given by its area.
## Cavitation
cavitation None (all levels);  [Nurick 1976]:  |q| <= 0.61*A*sqrt(2*(P1 - Pv)/density), P1 the absolute
  pressure upstream: the jet cavitates, and a lower pressure downstream does not increase the flow.
  mode regime: Turbulent with law Turbulent; else Laminar as long as, with Re = 4*q/(pi*diameter*nu),
    LaminarTurbulent: Re < K1*discharge_coefficient^2, where both losses are equal;  ShortTube: D*Re/L < 50;
    AnnularGap: the laminar flow is the smaller one.  Cavitating where the jet is at its limit.
  The critical pressure drop after [Riedel 1973] is not used: its coefficients cannot be verified.
# Assumptions and limits
- Quasi-static: the inertia of the oil in the opening is neglected, and no oil is stored.
- Turbulent and LaminarTurbulent have a constant discharge coefficient; with Turbulent the viscosity does not
  enter. ShortTube and AnnularGap follow the Reynolds number.
- The gap is fixed: neither pressure nor temperature widens it, and both of its walls are at rest.
- Without cavitation Nurick, the flow grows with the pressure drop without limit.
)",
  };

  enum class Law : std::uint8_t { kTurbulent, kLaminarTurbulent, kShortTube, kAnnularGap };
  static constexpr std::array<std::string_view, 4> kLawNames{"Turbulent", "LaminarTurbulent", "ShortTube",
                                                             "AnnularGap"};
  enum class Regime : std::uint8_t { kLaminar, kTurbulent, kCavitating };
  static constexpr std::array<std::string_view, 3> kRegimeNames{"Laminar", "Turbulent", "Cavitating"};

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;

  /// Flow [m3/s] from a to b between two waves, of the law alone: the difference dc of the waves [Pa] and the
  /// sum Zs of the impedances [Pa s/m3].
  double LawFlow(double dc, double Zs) const;
  /// The same with cavitation.
  double FlowBetweenWaves(const PortWave& at_a, const PortWave& at_b) const {
    const double q_law = LawFlow(at_a.c - at_b.c, at_a.Zc + at_b.Zc);
    if (!has_cavitation_) return q_law;
    return jet_.Limit(q_law, at_a, at_b);
  }

  void EvaluateDiffEquations(double /*t*/) override {
    const FlowAndDrop flow = FlowBetween(
        *a, *b, [this](const PortWave& at_a, const PortWave& at_b) { return FlowBetweenWaves(at_a, at_b); });
    q = flow.q;
    dp = flow.dp;
    a->q = -flow.q;
    b->q = flow.q;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", dp * q); }

 protected:
  /// How the oil flows, with a hysteresis against the one `now`.
  Regime RegimeAt(Regime now) const;

  HydraulicPort a{this, "a", Role::kQ, "Side the flow comes from when positive"};
  HydraulicPort b{this, "b", Role::kQ, "Side the flow goes to when positive"};
  Aspect<Law> law{
      this, "law", "Law of flow and pressure drop", kLawNames,
      Presets{.ideal = Law::kTurbulent, .standard = Law::kTurbulent, .advanced = Law::kLaminarTurbulent}};
  Aspect<JetCavitation> cavitation{
      this, "cavitation", "Whether the jet cavitates", kJetCavitationNames,
      Presets{
          .ideal = JetCavitation::kNone, .standard = JetCavitation::kNone, .advanced = JetCavitation::kNone}};
  Parameter diameter{this, "diameter", "m", "Diameter of the hole, or of the piston in the gap",
                     Number{.value = 3e-3, .range = kNonNegative}};
  FaultMode half_blocked{this, "half_blocked", "diameter", Multiple{0.7071}, "Half of the area is blocked"};
  Parameter length{
      this, "length", "m", "Length",
      Number{.value = 10e-3, .range = kPositive, .when = law.Is(Law::kShortTube, Law::kAnnularGap)}};
  Parameter discharge_coefficient{
      this, "discharge_coefficient", "", "Contraction and loss (0.611 sharp, 1 rounded)",
      Number{.value = 0.611, .range = kPositive, .when = law.Is(Law::kTurbulent, Law::kLaminarTurbulent)}};
  Parameter laminar_coefficient{
      this, "laminar_coefficient", "", "Loss coefficient K1 of laminar flow, 64*L/D of a tube",
      Number{.value = 32.0, .range = kNonNegative, .when = law.Is(Law::kLaminarTurbulent)}};
  Parameter clearance{this, "clearance", "m", "Radial gap c",
                      Number{.value = 10e-6, .range = kNonNegative, .when = law.Is(Law::kAnnularGap)}};
  Parameter eccentricity{this, "eccentricity", "m", "Offset of the piston from the centre, 0 to c",
                         Number{.value = 0.0, .range = kNonNegative, .when = law.Is(Law::kAnnularGap)}};
  Parameter density{this, "density", "kg/m3", "Density of the oil", 861.8, kPositive};
  Parameter kinematic_viscosity{this, "kinematic_viscosity", "m2/s",
                                "Kinematic viscosity of the oil, for all laws but Turbulent",
                                Number{.value = 32e-6, .range = kPositive}};
  VapourParameters vapour{this, cavitation.Is(JetCavitation::kNurick)};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};

  Mode<Regime> regime{this, "regime", "Flow regime", kRegimeNames,
                      [this](Regime now) { return RegimeAt(now); }};

  Indicator laminar_flow{this, "laminar_flow",
                         "Flow that the laminar loss takes away, over the turbulent one at 1 bar or more",
                         law.Is(Law::kTurbulent), [this] {
                           const double q_turbulent = OrificeFlow(K_, dp);
                           return Share(q_turbulent - orifice_.Flow(K_, dp),
                                        std::max(std::abs(q_turbulent), OrificeFlow(K_, 1e5)));
                         }};

  Law law_ = Law::kTurbulent;
  bool has_cavitation_ = false;
  double K_ = 0;  // [m3/s/sqrt(Pa)]
  CavitatingJet jet_;
  LaminarTurbulentOrifice orifice_;
  ShortTube tube_;
  AnnularGap gap_;
};

}  // namespace davit
