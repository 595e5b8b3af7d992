#pragma once

#include <vector>

#include "framework/domains/thermal.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

class Fluid;

/// The temperature of the oil of a circuit, which its hydraulic.Fluid follows.
class OilHeat final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.OilHeat",
      .text = "Temperature of the oil of a circuit: losses heat it, the air cools it",
      .equations = R"(
oil_mass*specific_heat*T' = losses + heat + sum(Q) - cooling - natural_cooling
natural_cooling = area*heat_transfer*(T - ambient_temperature),  of tank, pipes and housings, flow or not
Q flows in at every port, from a thermal network. heat and cooling come from other components, such as the
power of a hydraulic.Cooler with balance Circuit.
# Assumptions and limits
- T is one temperature for all the oil, well mixed. T begins at the temperature of the hydraulic.Fluid of this
  system or sub-system, which follows it; so do viscosity, density and gas of all components that use this Fluid.
- losses is the balance of energy round all components with hydraulic ports that take their oil from this
  Fluid: the power p*q, F*v, T*omega that enters through their connections with others, and that of shafts and
  sources whose speed, pressure or flow is a signal, less the power into the gas of accumulators. So everything
  between shaft and piston rod counts: valves, pipes, leakage, friction of seals and bearings. Energy that
  oil, walls and moving parts store also counts as heat until they release it.
- losses has its value at the last communication point, held for one TimeStep. In the steady state (--steady)
  T is the temperature at which the air and the coolers remove the losses.
- Only the mass of the oil stores heat. Walls that do need a thermal.Capacity at a port.
)",
  };

  OilHeat();

  void Link(System& system, Diagnostics& diagnostics) override;
  void Reset() override;
  void PreIntegrate() override;
  bool SampleInSteadyState() override;
  void ArchiveMemory(Archive& archive) override;
  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t j = 0; j < port.size(); ++j) port[j].c = T;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    double into = 0;
    for (std::size_t j = 0; j < port.size(); ++j) into += port[j].Q;
    losses = held_losses_;
    natural_cooling = area * heat_transfer * (T - ambient_temperature);
    T.ddt = (losses + heat + into - cooling - natural_cooling) / (oil_mass * specific_heat);
  }

 private:
  /// A connection between a component of the circuit and another one.
  struct Crossing {
    const Domain* domain;
    Bond* bond;
    double sign;  ///< 1 where the flow of the bond enters the circuit, -1 where it leaves
  };
  /// Power [W] that stays in the circuit, at the present values.
  double Losses() const;

  ThermalPortArray port{this, "port", Role::kC, "Where heat flows in and out", Connecting::kOptional};
  Input heat{this, "heat", "W", "Heat flow into the oil from elsewhere", 0.0};
  Input cooling{this, "cooling", "W", "Heat flow removed by coolers", 0.0};
  Parameter oil_mass{this, "oil_mass", "kg", "Mass of the oil of the circuit", 200.0, kPositive};
  Parameter specific_heat{this, "specific_heat", "J/kg/K", "Specific heat of the oil (mineral oil: 1900)",
                          Number{.value = 1900.0, .range = kPositive}};
  Parameter area{this, "area", "m2", "Area A of natural cooling", 2.0, kNonNegative};
  Parameter heat_transfer{this, "heat_transfer", "W/m2/K",
                          "Heat transfer coefficient K (steel in air at rest: 10 to 15)",
                          Number{.value = 12.0, .range = kNonNegative}};
  Parameter ambient_temperature{this, "ambient_temperature", "K", "Temperature of the air",
                                Number{.value = 293.15, .range = kPositive}};
  StateVariable T{this, "T", "K", "Temperature of the oil", 313.15, 10};
  Output losses{this, "losses", "W", "Power that the circuit turns into heat"};
  Output natural_cooling{this, "natural_cooling", "W", "Heat flow to the air"};

  Fluid* fluid_ = nullptr;
  std::vector<Crossing> crossings_;
  std::vector<const DynamicSimComponent*> members_;  // that have power beside their ports, perhaps
  double held_losses_ = 0;                           // [W]
  // Of the search for the steady state: what was held before, and how much more was lost then [W].
  double tried_losses_ = 0;
  double tried_excess_ = 0;
  bool has_tried_ = false;
};

}  // namespace davit
