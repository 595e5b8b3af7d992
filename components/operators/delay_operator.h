#pragma once

#include "simulator/building_blocks/delay.h"
#include "simulator/operator.h"

namespace davit {

/// y(t) = u(t - T).
class DelayOperator final : public Operator {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.Delay",
      .text = "Delays a signal",
      .equations = R"(
y(t) = u(t - time); before the start u has its initial value
A delay of a whole number of TimeSteps returns the same bits; between communication points u is interpolated linearly.
# Assumptions and limits
- It acts at communication points: between two of them the output is held.
- The delay is constant during a run. At most 1e7 values are under way.
)",
  };

  double Begin(double u) override;
  double Apply(double u) override;
  /// An error where too many values are under way.
  void CheckPeriod(double period, Diagnostics& diagnostics) const override;
  void ArchiveMemory(Archive& archive) override;

 private:
  static constexpr double kMostPeriods = 1e7;

  /// Whether the value comes out within the period.
  bool IsShort() const { return time < GetOperatorPeriod() * (1 - 1e-9); }

  Parameter time{this, "time", "s", "Delay time", Number{0.1, kNonNegative, Tunability::kStructural, {}, {}}};
  building_blocks::Delay delay_;
  double u_ = 0;  ///< at the step point before; of a delay within the period
};

}  // namespace davit
