#pragma once

#include <cmath>

#include "simulator/dynamic_sim_component.h"
#include "simulator/step_point_hooks.h"

namespace davit {

/// y' = gain u, stopped at the limits. (The name Integrator belongs to the solvers.)
class SignalIntegrator final : public DynamicSimComponent, public StepPointHooks {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Integrator",
      .text = "Integrates a signal over time, with optional limits",
      .equations = R"(
y' = 0        y >= high and gain u > 0, or y <= low and gain u < 0
y' = gain u   otherwise
<Start y=.../> sets the first value.
# Assumptions and limits
- A limit is met to the tolerance of the solver; y is set to it at the next communication point.
- Beyond a limit nothing winds up: y leaves it as soon as the input changes its sign.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    const double rate = gain * u;
    const bool is_held = (y >= high && rate > 0) || (y <= low && rate < 0);
    y.ddt = is_held ? 0 : rate;
  }
  /// The trapezoidal rule, ending at a limit:  y1 = y + h/2 (y' + gain u1).
  void SimulateOneTimestep(double t) override {
    const double reached = y + GetSimulatorTimestep() / 2 * (y.ddt + gain * u);
    y.AdvanceTo(reached < low ? low : reached > high ? high : reached, y.ddt);
    EvaluateDiffEquations(t);
  }
  /// A solver meets a limit to its tolerance only, and a limit may be moved past y.
  void PostIntegrate() override;
  StepPointUse step_point_use() const override {
    const bool has_limits = std::isfinite(+low) || std::isfinite(+high);
    return has_limits ? StepPointUse::kAct : StepPointUse::kNothing;
  }
  void Configure(Diagnostics& diagnostics) override;
  void CheckConnections(Diagnostics& diagnostics) override;

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  Parameter gain{this, "gain", kAnyUnit, "Factor of the input", 1.0};
  Parameter low{this, "low", kAnyUnit, "Smallest value of y; by default there is none", -kNoLimit};
  Parameter high{this, "high", kAnyUnit, "Largest value of y; by default there is none", kNoLimit};
  Input u{this, "u", kAnyUnit, "Input"};
  StateVariable y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
