#pragma once

#include <limits>

#include "components/signal/limit.h"
#include "simulator/operator.h"

namespace davit {

/// y = u, held between low and high.
class LimiterOperator final : public Operator {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.Limiter",
      .text = "Holds a signal between two limits",
      .equations = R"(
y = low    u < low
y = u      low <= u <= high
y = high   u > high
)",
  };

  double Apply(double u) override { return Limit(u, low, high); }
  void Configure(Diagnostics& diagnostics) override { CheckLimits(*this, low, high, diagnostics); }

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  Parameter low{this, "low", kAnyUnit, "Smallest value; by default there is none", -kNoLimit};
  Parameter high{this, "high", kAnyUnit, "Largest value; by default there is none", kNoLimit};
};

}  // namespace davit
