#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = u_1 u_2 ...
class Product final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Product",
      .text = "Multiplies signals",
      .equations = "y = u_1 u_2 ...   one factor for each Route to u\n",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    double product = 1;
    for (std::size_t i = 0; i < u.size(); ++i) product *= u[i];
    y = product;
  }

 private:
  InputArray u{this, "u", kAnyUnit, "Factors, one for each route"};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
