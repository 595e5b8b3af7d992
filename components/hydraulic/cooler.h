#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Oil cooler, with the temperature of the oil of its circuit.
class Cooler final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Cooler",
      .text = "Oil cooler, with the temperature of the oil of its circuit",
      .equations = R"(
q = K*dp/(dp^2 + d^2)^(1/4),  K = nominal_flow/sqrt(nominal_pressure_drop),  dp = p_a - p_b,  d = 1e4 Pa
oil_mass*specific_heat*T' = heat + q*dp - power
power = running*A*K*dT,  A = area,  K = heat_transfer,  dT the mean difference between the oil
  and ambient_temperature. For oil that enters with T and leaves with T_out = T - power/(C*|q|),
  C = density*specific_heat, dT is the logarithmic mean of T and T_out over the ambient:
  power = C*|q|*(1 - exp(-running*A*K/(C*|q|)))*(T - ambient_temperature)
  At high flow that is A*K*(T - ambient_temperature); at zero flow nothing is cooled.
heat is the loss of pumps, valves and motors, to be routed here (a signal.Product of q and dp, summed); the
loss q*dp in the cooler itself is included. Other models do not read T.
balance Own:  as above.
balance Circuit:  T is the input oil_temperature, from a hydraulic.OilHeat, which sums all losses and receives
  the power of the cooler: routes OilHeat.T to oil_temperature and power to OilHeat.cooling. There is no
  state then, and oil_mass, specific_heat and heat have no effect.
q is positive from a to b. Between waves p = c + Zc*q is solved along with the law.
# Assumptions and limits
- One temperature for the oil of the whole circuit, well mixed: that of the tank.
- Heat transfer is quasi-static: the cooler stores neither heat nor oil.
- heat_transfer is constant. In a real cooler it is lower at low flow and with cold oil.
- The ambient has a constant temperature: air or water is not heated on its way.
- The pressure drop is turbulent and does not rise when the oil is cold.
)",
  };

  enum class Balance : std::uint8_t { kOwn, kCircuit };
  static constexpr std::array<std::string_view, 2> kBalanceNames{"Own", "Circuit"};

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;

  /// Heat [W] that goes to the ambient at the flow q [m3/s] and oil of temperature T [K].
  double Power(double flow, double T) const;

  void EvaluateDiffEquations(double /*t*/) override {
    const FlowAndDrop flow = FlowBetween(*a, *b, [this](const PortWave& at_a, const PortWave& at_b) {
      return OrificeFlow(K_, at_a.c - at_b.c, at_a.Zc + at_b.Zc);
    });
    q = flow.q;
    dp = flow.dp;
    a->q = -flow.q;
    b->q = flow.q;
    const double T = balance == Balance::kCircuit ? oil_temperature : static_cast<double>(temperature);
    power = Power(flow.q, T);
    if (balance == Balance::kOwn)
      temperature.ddt = (heat + flow.q * flow.dp - power) / (oil_mass * specific_heat);
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("throttling", dp * q); }

 private:
  HydraulicPort a{this, "a", Role::kQ, "Inlet"};
  HydraulicPort b{this, "b", Role::kQ, "Outlet"};
  Input heat{this, "heat", "W", "Heat flow from the rest of the circuit into the oil", 0.0};
  Input oil_temperature{this, "oil_temperature", "K", "Temperature of the oil with balance Circuit",
                        Number{.value = 313.15, .range = kPositive}};
  Input running{this, "running", "", "Heat transfer in use, 0 to 1: fan or water", 1.0, kUnitInterval};
  Property<Balance> balance{this, "balance", "Source of the oil temperature", kBalanceNames,
                            Choice{.value = Balance::kOwn, .tunability = Tunability::kStructural}};
  Parameter area{this, "area", "m2", "Area A of the heat transfer", 2.0, kNonNegative};
  Parameter heat_transfer{this, "heat_transfer", "W/m2/K", "Heat transfer coefficient K from oil to ambient",
                          Number{.value = 150.0, .range = kNonNegative}};
  Parameter ambient_temperature{this, "ambient_temperature", "K", "Temperature of the cooling air or water",
                                Number{.value = 293.15, .range = kPositive}};
  Parameter oil_mass{this, "oil_mass", "kg", "Mass of the oil of the circuit", 200.0, kPositive};
  Parameter specific_heat{this, "specific_heat", "J/kg/K", "Specific heat of the oil (mineral oil: 1900)",
                          Number{.value = 1900.0, .range = kPositive}};
  Parameter density{this, "density", "kg/m3", "Density of the oil", 861.8, kPositive};
  Parameter nominal_flow{this, "nominal_flow", "m3/s", "Flow at the nominal pressure drop",
                         Number{.value = 100 / 6e4, .range = kPositive}};
  Parameter nominal_pressure_drop{this, "nominal_pressure_drop", "Pa", "Pressure drop of the nominal flow",
                                  Number{.value = 1e5, .range = kPositive}};
  StateVariable temperature{this, "temperature", "K", "Temperature of the oil", 313.15, 1.0};
  Output power{this, "power", "W", "Heat flow to the ambient"};
  Output q{this, "q", "m3/s", "Flow from a to b"};
  Output dp{this, "dp", "Pa", "Pressure drop from a to b"};

  double K_ = 0;  // [m3/s/sqrt(Pa)]
};

}  // namespace davit
