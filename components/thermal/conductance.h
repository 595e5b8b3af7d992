#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit::thermal {

/// Heat conduction between two bodies.
class Conductance final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "thermal.Conductance",
      .text = "Heat conduction between two bodies",
      .equations = R"(
Q = G*(T_a - T_b),  positive from a to b.  A wall: G = conductivity*area/thickness.
Between waves T = c + Zc*Q:  Q = G*(c_a - c_b)/(1 + G*(Zc_a + Zc_b)).
# Assumptions and limits
- Steady conduction: the wall stores no heat. For a wall that does, connect a thermal.Capacity between two halves.
- The conductivity is constant: it does not follow the temperature.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    const double flow = G * (a->c - b->c) / (1 + G * (a->Zc + b->Zc));
    Q = flow;
    a->Q = -flow;
    b->Q = flow;
  }

 private:
  ThermalPort a{this, "a", Role::kQ, "Side the heat comes from when positive"};
  ThermalPort b{this, "b", Role::kQ, "Side the heat goes to when positive"};
  Parameter G{this, "conductance", "W/K", "Conductance", 1.0, kNonNegative};
  Output Q{this, "Q", "W", "Heat flow from a to b"};
};

}  // namespace davit::thermal
