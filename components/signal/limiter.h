#pragma once

#include "components/signal/limit.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = u, held between low and high.
class Limiter final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{"signal.Limiter",
                                   "Holds a signal between two limits",
                                   {},
                                   "y = low    u < low\n"
                                   "y = u      low <= u <= high\n"
                                   "y = high   u > high\n"};

  void EvaluateDiffEquations(double /*t*/) override { y = Limit(u, low, high); }
  void Configure(Diagnostics& diagnostics) override { CheckLimits(*this, low, high, diagnostics); }

 private:
  Parameter low{this, "low", kAnyUnit, "Smallest value of y", -1.0};
  Parameter high{this, "high", kAnyUnit, "Largest value of y", 1.0};
  Input u{this, "u", kAnyUnit, "Input"};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
