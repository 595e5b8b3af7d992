#pragma once

#include "components/signal/limit.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Follows its input no faster than it may:  y' = (u - y)/T, limited to -fall .. rise.
class RateLimiter final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.RateLimiter",
      .text = "Follows a signal with limited speed",
      .equations = R"(
y' = (u - y)/T limited to -fall .. rise,  T = time_constant
A jump of u becomes a ramp of y that ends exponentially, with the time constant T, over the last rise*T.
Charts set levers by jumps. The ramp of a hand is part of the equations, so the solver does not restart
during it. <Start y=.../> sets the first value.
# Assumptions and limits
- It follows a ramp below its limits with a delay of T.
- A jump smaller than T times the limit is a pure lag: it does not reach the limit.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override { y.ddt = Limit((u - y) / T, -fall, rise); }
  /// The trapezoidal rule with its end in the linear range or at a limit.
  void SimulateOneTimestep(double /*t*/) override {
    const double h = GetSimulatorTimestep();
    // y1 = y + h/2 (y' + r1), r1 = (u - y1)/T
    const double rate = Limit((u - y - h / 2 * y.ddt) / (T + h / 2), -fall, rise);
    y.AdvanceTo(y + h / 2 * (y.ddt + rate), rate);
  }

 private:
  Parameter rise{this, "rise", kAnyUnit, "Largest rate upwards, per second", 1.0, kPositive};
  Parameter fall{this, "fall", kAnyUnit, "Largest rate downwards, per second", 1.0, kPositive};
  Parameter T{this, "time_constant", "s", "Time constant of the end of a ramp", 0.05, kPositive};
  Input u{this, "u", kAnyUnit, "Input"};
  StateVariable y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
