#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = before for t < start_time, after from then on.
class Step final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Step",
      .text = "Signal that jumps once",
      .equations = R"(
y = before   t <  start_time
y = after    t >= start_time
)",
  };

  static constexpr bool kValuesShareUnit = true;

  void EvaluateDiffEquations(double t) override { y = t < start_time ? before : after; }
  double NextBreakTime(double t) const override {
    return t < start_time ? start_time : std::numeric_limits<double>::infinity();
  }

 private:
  Parameter start_time{this, "start_time", "s", "Time of the jump", 0.0};
  Parameter before{this, "before", kAnyUnit, "Value before the jump", 0.0};
  Parameter after{this, "after", kAnyUnit, "Value from the jump on", 1.0};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
