#pragma once

#include "simulator/building_blocks/first_order_transfer_function.h"
#include "simulator/operator.h"

namespace davit {

/// First-order low-pass filter: T y' = u - y, by the bilinear transform.
class FilterOperator final : public Operator {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.Filter",
      .text = "First-order low-pass filter",
      .equations = R"(
time_constant y' = u - y, by the trapezoidal rule with the TimeStep h:
y_n = y_(n-1) + h (u_n + u_(n-1) - 2 y_(n-1)) / (2 time_constant + h);  y = u at the start
# Assumptions and limits
- It acts once per TimeStep: what the signal does between two communication points is not seen (aliasing).
- Time constants below half a TimeStep overshoot, as the trapezoidal rule does.
)",
  };

  double Begin(double u) override {
    filter_.Initialize(GetOperatorPeriod(), Coefficients(), u, u);
    return u;
  }
  double Apply(double u) override {
    if (filter_.coefficients() != Coefficients()) filter_.SetCoefficients(Coefficients());
    return filter_.Update(u);
  }
  void ArchiveMemory(Archive& archive) override { archive(filter_); }

 private:
  building_blocks::FirstOrderCoefficients Coefficients() const { return {.b1 = time_constant}; }

  Parameter time_constant{this, "time_constant", "s", "Time constant T; 0: y = u", 0.1, kNonNegative};
  building_blocks::FirstOrderTransferFunction filter_;
};

}  // namespace davit
