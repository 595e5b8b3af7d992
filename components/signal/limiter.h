#pragma once

#include "components/signal/limit.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = u, held between low and high.
class Limiter final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Limiter",
      .text = "Holds a signal between two limits",
      .equations = R"(
y = low    u < low
y = u      low <= u <= high
y = high   u > high
)",
  };

  void EvaluateDiffEquations(double /*t*/) override { y = Limit(u, low, high); }
  void Configure(Diagnostics& diagnostics) override { CheckLimits(*this, low, high, diagnostics); }

 private:
  Parameter low{this, "low", kAnyUnit, "Smallest value of y", -1.0};
  Parameter high{this, "high", kAnyUnit, "Largest value of y", 1.0};
  Input u{this, "u", kAnyUnit, "Input"};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
