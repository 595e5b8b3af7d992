#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit::thermal {

/// Heat transfer between a surface and the fluid around it.
class Convection final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "thermal.Convection",
      .text = "Heat transfer between a surface and a fluid",
      .equations = R"(
Q = alpha*A*(T_a - T_b),  positive from the surface a to the fluid b.
alpha is an input, since it follows the speed of the fluid: air at rest 5 to 10, a fan 20 to 100,
oil 100 to 500, water 500 to 5000 W/m2/K.  Below 0 it is taken as 0.
# Assumptions and limits
- Newton's law of cooling: the heat flow is proportional to the difference of temperatures. Radiation is
  neglected, and alpha must include what free convection adds.
- One temperature for the whole surface, and one for the fluid.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    const double G = alpha > 0 ? alpha * area : 0;
    const double flow = G * (a->c - b->c) / (1 + G * (a->Zc + b->Zc));
    Q = flow;
    a->Q = -flow;
    b->Q = flow;
  }

 private:
  ThermalPort a{this, "a", Role::kQ, "Surface"};
  ThermalPort b{this, "b", Role::kQ, "Fluid"};
  Parameter area{this, "area", "m2", "Area of the surface", 1.0, kNonNegative};
  Input alpha{this, "alpha", "W/m2/K", "Heat transfer coefficient", 10.0};
  Output Q{this, "Q", "W", "Heat flow from surface to fluid"};
};

}  // namespace davit::thermal
