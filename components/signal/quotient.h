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
  Input numerator{this, "numerator", kAnyUnit, "Dividend", 0.0};
  Input denominator{this, "denominator", kAnyUnit, "Divisor", 1.0};
  Parameter smallest{this, "smallest", kAnyUnit, "Magnitude of the denominator below which y = otherwise",
                     Number{.value = 1e-12, .range = kPositive}};
  Parameter otherwise{this, "otherwise", kAnyUnit, "Value of y below that magnitude", 0.0};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
