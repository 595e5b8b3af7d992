#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = offset + amplitude sin(frequency t + phase) from start_time on; t is absolute.
class Sine final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Sine",
      .text = "Sine wave",
      .equations = R"(
y = offset                                        t <  start_time
y = offset + amplitude sin(frequency t + phase)   t >= start_time
# Assumptions and limits
- Solvers take no step longer than a quarter of the period, so even a small fast sine slows a run down.
- With fixed steps (TLM) it has one value per TimeStep: a period must be many TimeSteps.
)",
  };

  static constexpr bool kValuesShareUnit = true;

  void EvaluateDiffEquations(double t) override {
    y = t < start_time ? offset : offset + amplitude * std::sin(frequency * t + phase);
  }
  double NextBreakTime(double t) const override {
    return t < start_time ? start_time : std::numeric_limits<double>::infinity();
  }
  double LongestStep(double t) const override {
    if (t < start_time || amplitude == 0) return std::numeric_limits<double>::infinity();
    return std::numbers::pi / 2 / std::abs(frequency);
  }

 private:
  Parameter amplitude{this, "amplitude", kAnyUnit, "Largest distance from the offset", 1.0};
  Parameter frequency{this, "frequency", "rad/s", "Angular frequency", 1.0};
  Parameter phase{this, "phase", "rad", "Angle at t = 0", 0.0};
  Parameter offset{this, "offset", kAnyUnit, "Mean value, and the value before start_time", 0.0};
  Parameter start_time{this, "start_time", "s", "Start time of the wave", 0.0};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
