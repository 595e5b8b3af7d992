#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// First-order lag:  T y' = gain u - y.
class LowPass final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{"signal.LowPass",
                                   "First-order lag",
                                   {},
                                   "T y' = gain u - y,   T = time_constant\n"
                                   "<Start y=.../> sets the first value.\n"};

  void EvaluateDiffEquations(double /*t*/) override { y.ddt = (gain * u - y) / T; }

 private:
  Parameter T{this, "time_constant", "s", "Time constant", 1.0, kPositive};
  Parameter gain{this, "gain", kAnyUnit, "Stationary gain", 1.0};
  Input u{this, "u", kAnyUnit, "Input"};
  StateVariable y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
