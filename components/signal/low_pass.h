#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// First-order lag:  T y' = gain u - y.
class LowPass final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.LowPass",
      .text = "First-order lag",
      .equations = R"(
T y' = gain u - y,   T = time_constant
<Start y=.../> sets the first value.
# Assumptions and limits
- Linear: the signal has no limits, and the lag is the same up and down.
- With fixed steps (TLM) it is a trapezoidal rule: time constants below half a TimeStep overshoot.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override { y.ddt = (gain * u - y) / T; }
  /// The trapezoidal rule solved for y:  y1 = y + (h/2T) (T y' + gain u1 - y)/(1 + h/2T).
  void SimulateOneTimestep(double /*t*/) override {
    const double goal = gain * u;
    const double reached = y + share_ * (T * y.ddt + goal - y) / (1 + share_);
    y.AdvanceTo(reached, (goal - reached) / T);
  }
  void ParametersChanged() override { share_ = GetSimulatorTimestep() / (2 * T); }
  void Reset() override {
    DynamicSimComponent::Reset();
    ParametersChanged();
  }

 private:
  Parameter T{this, "time_constant", "s", "Time constant", 1.0, kPositive};
  Parameter gain{this, "gain", kAnyUnit, "Stationary gain", 1.0};
  Input u{this, "u", kAnyUnit, "Input"};
  StateVariable y{this, "y", kAnyUnit, "Output"};

  double share_ = 0;  // h/2T
};

}  // namespace davit
