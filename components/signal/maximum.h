#pragma once

#include <algorithm>
#include <limits>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = max(u_1, u_2, ...)
class Maximum final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Maximum",
      .text = "Largest of several signals",
      .equations = R"(
y = max(u_1, u_2, ...),  u_i is the i-th Route to u
Routed to the load pressure of a pump, it acts as the chain of shuttle valves.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < u.size(); ++i) largest = std::max(largest, u[i]);
    y = largest;
  }

 private:
  InputArray u{this, "u", kAnyUnit, "Signals, one for each route"};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
