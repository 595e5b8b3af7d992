#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = value.
class Constant final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Constant",
      .text = "Signal that does not change with time",
      .equations = "y = value\n",
  };

  static constexpr bool kValuesShareUnit = true;

  void EvaluateDiffEquations(double /*t*/) override { y = value; }

 private:
  Parameter value{this, "value", kAnyUnit, "Value of the signal", 0.0};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
