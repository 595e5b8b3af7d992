#pragma once

#include <cmath>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y goes from `from` to `to` in a straight line, beginning at start_time and taking `duration`.
class Ramp final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Ramp",
      .text = "Signal that changes linearly from one value to another",
      .equations = R"(
end = start_time + duration
y = from                                              t <  start_time
y = from + (to - from) (t - start_time) / duration    start_time <= t < end
y = to                                                t >= end
)",
  };

  static constexpr bool kValuesShareUnit = true;

  void EvaluateDiffEquations(double t) override {
    // Dividing by the rounded length keeps the fraction below 1, so y stays between its ends.
    y = t < start_time ? from
        : t < end_     ? std::lerp(from, to, (t - start_time) / (end_ - start_time))
                       : static_cast<double>(to);
  }
  double NextBreakTime(double t) const override {
    return t < start_time ? start_time : t < end_ ? end_ : std::numeric_limits<double>::infinity();
  }
  void ParametersChanged() override { end_ = start_time + duration; }

 private:
  Parameter start_time{this, "start_time", "s", "Time at which y leaves `from`", 0.0};
  Parameter duration{this, "duration", "s", "Time from `from` to `to`; 0 is a jump", 1.0, kNonNegative};
  Parameter from{this, "from", kAnyUnit, "Value before the ramp", 0.0};
  Parameter to{this, "to", kAnyUnit, "Value after the ramp", 1.0};
  Output y{this, "y", kAnyUnit, "Output"};
  double end_ = 0;
};

}  // namespace davit
