#pragma once

#include <limits>

#include "simulator/building_blocks/first_order_transfer_function.h"
#include "simulator/operator.h"

namespace davit {

/// PID controller with filtered derivative of the measurement u, limited output and anti-windup.
class PidOperator final : public Operator {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.PID",
      .text = "PID controller: the signal is the measured value, the output the command",
      .equations = R"(
e = setpoint - u
y = kp e + I + D, held between low and high
I_n = I_(n-1) + ki h/2 (e_n + e_(n-1));  I = 0 at the start
  anti-windup as in signal.PID: with v = kp e + I_(n-1) + D the change of I is at most max(0, high - v) h/T and
  at least min(0, low - v) h/T, T = tracking_time, not below h: with tracking_time = 0 until y is at its limit
  a limit in one step
D by derivative_filter D' + D = -kd u', with the trapezoidal rule and the TimeStep h
The derivative acts on the measurement: a jump of the setpoint gives no derivative kick.
# Assumptions and limits
- A sampled controller: it computes once per TimeStep and holds its output in between, which costs phase.
- The measurement has no filter against aliasing; the derivative alone is filtered.
)",
  };

  double Begin(double u) override;
  double Apply(double u) override;
  bool ChangesUnit() const override { return true; }
  void TakeUnits(std::string_view before, std::string_view after) override;
  void Configure(Diagnostics& diagnostics) override;
  void ArchiveMemory(Archive& archive) override { archive(e_, integral_, derivative_); }

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  building_blocks::FirstOrderCoefficients Coefficients() const {
    return {.a1 = -kd, .a0 = 0, .b1 = derivative_filter, .b0 = 1};
  }

  Parameter kp{this, "kp", kAnyUnit, "Proportional gain", 1.0};
  Parameter ki{this, "ki", kAnyUnit, "Integral gain", 0.0};
  Parameter kd{this, "kd", kAnyUnit, "Derivative gain", 0.0};
  Parameter derivative_filter{this, "derivative_filter", "s", "Time constant of the derivative's filter",
                              Number{.value = 0.01, .range = kPositive}};
  Parameter low{this, "low", kAnyUnit, "Smallest output; by default there is none", -kNoLimit};
  Parameter high{this, "high", kAnyUnit, "Largest output; by default there is none", kNoLimit};
  Parameter tracking_time{this, "tracking_time", "s",
                          "Time T in which the integral may drive the output to a limit; 0: one TimeStep",
                          Number{.value = 0.0, .range = kNonNegative}};
  Input setpoint{this, "setpoint", kAnyUnit, "Set point of u"};

  double e_ = 0;         ///< at the step point before
  double integral_ = 0;  ///< I
  building_blocks::FirstOrderTransferFunction derivative_;
};

}  // namespace davit
