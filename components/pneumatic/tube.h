#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/pneumatic/laws/gas_flow.h"
#include "components/pneumatic/laws/gas_state.h"
#include "components/pneumatic/laws/tube_law.h"
#include "framework/domains/pneumatic.h"
#include "framework/fault_mode.h"
#include "framework/indicator.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::pneumatic {

/// Tube: half of its volume at each end, its resistance and the inertia of its air between them.
class Tube final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "pneumatic.Tube",
      .text = "Tube or hose for air: volume, resistance and inertia",
      .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced},
      .equations = R"(
Half of the volume V = A*length, A = pi/4*diameter^2, is at each end, as a pneumatic.Chamber with the options of heat:
  m' = G_in -+ G,  p = m*R*T/(V/2);  the wall of each half has the area pi*diameter*length/2
Between them a restriction after ISO 6358, by isothermal flow with friction:
  1/b^2 - 1 + 2*ln(b) = friction_factor*length/diameter + inlet_loss,  C = A*b/(rho0*(R*T0)^(1/2))
inertia None (Ideal, Standard):  G is the flow of the restriction at p_a and p_b
inertia Column (Advanced):  length/A*G' = p_a - p_b - dp - 128*mu*length/(pi*diameter^4*rho)*G, dp that of the
  restriction at G, mu = 18.2e-6 Pa.s: pressure takes about length/(speed of sound) from end to end
a and b are C ports: c = p of their half, Zc = 0. G is positive from a to b.
# Assumptions and limits
- The friction factor is constant: 0.02 suits Reynolds numbers about 1e5. inlet_loss is 1 for the speed of
  the air from rest plus that of the inlet, 0.5 if it is sharp.
- The tube has one wave: for a quarter of its length or less per wave, divide it, with a wide pneumatic.Orifice
  between the parts.
- Its volume does not grow with the pressure.
- The kinetic energy of the column is not part of the energy account: it counts as lost until it is given back.
# Changes of options
A change of options keeps masses, temperatures, pressures and, from Column to Column, G. The column starts with the
flow of the restriction.
)",
  };

  enum class Inertia : std::uint8_t { kNone, kColumn };
  static constexpr std::array<std::string_view, 2> kInertiaNames{"None", "Column"};

  Tube() { EffortsRead({}); }

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;
  void ArchiveMemory(Archive& archive) override {
    gas_a.ArchiveMemory(archive);
    gas_b.ArchiveMemory(archive);
  }
  void AspectsChanged(AspectSwitch& change) override;

  void EvaluateEfforts(double /*t*/) override {
    p_a = gas_a.p(half_volume_);
    p_b = gas_b.p(half_volume_);
    a->c = p_a;
    a->T = gas_a.T();
    b->c = p_b;
    b->T = gas_b.T();
  }
  void EvaluateDiffEquations(double /*t*/) override {
    if (inertia == Inertia::kColumn) {
      G = G_state;
      G_state.ddt = (p_a - p_b - Loss(G)) * area_ / length;
    } else {
      G = RestrictionFlow();
      G_state.ShowValue(G);
    }
    const double H = Carried();
    gas_a.SetRates(heat, half_volume_, 0, half_wall_, a->G - G, a->H - H);
    gas_b.SetRates(heat, half_volume_, 0, half_wall_, b->G + G, b->H + H);
  }
  void AccountEnergy(EnergyTerms& terms) const override;

 private:
  double RestrictionFlow() const { return MassFlow(law_, law_, {p_a, gas_a.T()}, {p_b, gas_b.T()}); }
  double Carried() const { return G * Air::kCp * (G >= 0 ? gas_a.T() : gas_b.T()); }
  /// Pressure loss [Pa] of a flow [kg/s], with its sign.
  double Loss(double flow) const;

  PneumaticPort a{this, "a", Role::kC, "One end"};
  PneumaticPort b{this, "b", Role::kC, "Other end"};
  Parameter length{this, "length", "m", "Length",
                   Number{.value = 1, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter diameter{this, "diameter", "m", "Inner diameter",
                     Number{.value = 4e-3, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter friction_factor{this, "friction_factor", "", "Friction factor of Darcy and Weisbach",
                            Number{.value = 0.02, .range = kPositive}};
  FaultMode kinked{this, "kinked", "friction_factor", Multiple{10}, "The tube is kinked"};
  Parameter inlet_loss{this, "inlet_loss", "",
                       "Loss at the inlet and of the speed, over the dynamic pressure",
                       Number{.value = 1.5, .range = Range{.low = 1}}};
  HeatParameters heat{this};
  Aspect<Inertia> inertia{
      this, "inertia", "Inertia of the air", kInertiaNames,
      Presets{.ideal = Inertia::kNone, .standard = Inertia::kNone, .advanced = Inertia::kColumn}};
  GasState gas_a{this, {"m_a", "T_a", "Air in the half at a"}};
  GasState gas_b{this, {"m_b", "T_b", "Air in the half at b"}};
  StateVariable G_state{this, "G_state", "kg/s", "Mass flow of the column, as a state",
                        Start{.value = 0, .nominal = 1e-3, .when = inertia.Is(Inertia::kColumn)}};
  StartValue p_start{this, "p", "Pa", "Start pressure (absolute)",
                     Number{.value = Air::kReferencePressure, .range = kNonNegative}};
  Output p_a{this, "p_a", "Pa", "Pressure at a (absolute)", WrittenBy::kEfforts};
  Output p_b{this, "p_b", "Pa", "Pressure at b (absolute)", WrittenBy::kEfforts};
  Output G{this, "G", "kg/s", "Mass flow from a to b"};

  ObservedRate flow_rate{this, [this] { return +G; }};
  Indicator heated_air{this, "heated_air", "Change of the temperature by compression and inflow, over it",
                       heat.heat.Is(Heat::kIsothermal, Heat::kPolytropic), [this] {
                         return std::max(gas_a.HeatingShare(heat, half_wall_),
                                         gas_b.HeatingShare(heat, half_wall_));
                       }};
  Indicator air_inertia{this, "air_inertia", "Pressure that accelerates the air, over the pressure",
                        inertia.Is(Inertia::kNone),
                        [this] { return Share(length / area_ * flow_rate, std::max(1.0, +p_a)); }};

  SonicConductance law_;
  double area_ = 0, half_wall_ = 0, half_volume_ = 0;
};

}  // namespace davit::pneumatic
