#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = gain u.
class Gain final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Gain",
      .text = "Multiplies a signal by a number",
      .equations = "y = gain u\n",
  };

  void EvaluateDiffEquations(double /*t*/) override { y = gain * u; }

 private:
  Parameter gain{this, "gain", kAnyUnit, "Factor; its unit turns that of u into that of y", 1.0};
  Input u{this, "u", kAnyUnit, "Input"};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
