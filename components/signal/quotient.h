#pragma once

#include <cmath>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = numerator/denominator
class Quotient final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Quotient",
      .text = "Divides one signal by another",
      .equations = R"(
y = numerator/denominator   |denominator| >= smallest
y = otherwise               below
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    const double d = denominator;
    y = std::abs(d) >= smallest ? numerator / d : static_cast<double>(otherwise);
  }

 private:
  Input numerator{this, "numerator", kAnyUnit, "What is divided", 0.0};
  Input denominator{this, "denominator", kAnyUnit, "What it is divided by", 1.0};
  Parameter smallest{this, "smallest", kAnyUnit, "Size of the denominator below which nothing is divided",
                     Number{.value = 1e-12, .range = kPositive}};
  Parameter otherwise{this, "otherwise", kAnyUnit, "y there", 0.0};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
