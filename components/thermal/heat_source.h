#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit::thermal {

/// Delivers heat that a signal sets, at any temperature.
class HeatSource final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "thermal.HeatSource",
      .text = "Heat flow set by a signal, at any temperature",
      .equations = R"(
Q = heat, positive out of the source.
# Assumptions and limits
- The heat flows at any temperature: a negative one may cool a body without limit.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    port->Q = heat;
    T = port->T();
  }

 private:
  ThermalPort port{this, "port", Role::kQ, "Heated body"};
  Input heat{this, "heat", "W", "Heat flow out of the source"};
  Output T{this, "T", "K", "Temperature at the port"};
};

}  // namespace davit::thermal
