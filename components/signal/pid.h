#pragma once

#include "components/signal/anti_windup.h"
#include "components/signal/limit.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// PID controller with filtered derivative of the measurement, limited output and anti-windup.
///
/// Parallel form after Åström and Hägglund, Advanced PID Control (2006), chapter 3; anti-windup: AntiWindup.
class Pid final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.PID",
      .text = "PID controller with limits and anti-windup",
      .equations = R"(
e = setpoint - measurement
D = -kd filtered',   filtered' = (measurement - filtered) / derivative_filter
v = kp e + integral + D
y = v held between low and high
integral' = ki e, but at most max(0, high - v)/T and at least min(0, low - v)/T, T = tracking_time:
  it drives v up to a limit, not beyond, and away from it without restriction
tracking_time = 0 means the larger of |kp / ki| and derivative_filter; with ki = 0 integral is constant.
Parallel form and anti-windup, which is that of operator.PID, are after [Astrom 2006].
The derivative acts on the measurement: a jump of the setpoint gives no derivative kick.
<Start filtered=.../> at the first measurement avoids one at the start.
# Assumptions and limits
- Continuous: it samples neither the measurement nor its output. operator.PID computes once per TimeStep.
- With a measurement that jumps the derivative part is kd/derivative_filter times the jump.
- Without low and high, the default, the integral winds up as long as the actuator is saturated.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    const double e = setpoint - measurement;
    const double filtered_ddt = (measurement - filtered) / derivative_filter;
    const double v = kp * e + integral - kd * filtered_ddt;
    const double limited = Limit(v, low, high);
    filtered.ddt = filtered_ddt;
    integral.ddt = Windup().Limited(ki * e, v);
    y = limited;
  }
  /// The trapezoidal rule, solved in closed form also near a limit.
  void SimulateOneTimestep(double t) override;
  void Configure(Diagnostics& diagnostics) override { CheckLimits(*this, low, high, diagnostics); }
  void ParametersChanged() override;

 private:
  AntiWindup Windup() const { return {.low = low, .high = high, .share = tracking_rate_}; }

  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  Parameter kp{this, "kp", kAnyUnit, "Proportional gain", 1.0};
  Parameter ki{this, "ki", kAnyUnit, "Integral gain", 0.0};
  Parameter kd{this, "kd", kAnyUnit, "Derivative gain", 0.0};
  Parameter derivative_filter{this, "derivative_filter", "s", "Time constant of the derivative's filter",
                              Number{.value = 0.01, .range = kPositive}};
  Parameter low{this, "low", kAnyUnit, "Smallest output; by default there is none", -kNoLimit};
  Parameter high{this, "high", kAnyUnit, "Largest output; by default there is none", kNoLimit};
  Parameter tracking_time{this, "tracking_time", "s",
                          "Time T in which the integral may drive the output to a limit; 0: automatic",
                          Number{.value = 0.0, .range = kNonNegative}};
  Input setpoint{this, "setpoint", kAnyUnit, "Set point"};
  Input measurement{this, "measurement", kAnyUnit, "Actual value"};
  StateVariable integral{this, "integral", kAnyUnit, "Integral part of the output"};
  StateVariable filtered{this, "filtered", kAnyUnit, "Filtered measurement"};
  Output y{this, "y", kAnyUnit, "Output"};
  double tracking_rate_ = 0;  ///< 1 / tracking_time [1/s]; 0 without integral action
};

}  // namespace davit
