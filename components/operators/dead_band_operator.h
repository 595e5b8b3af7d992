#pragma once

#include <algorithm>
#include <cmath>

#include "simulator/operator.h"

namespace davit {

/// Nothing near zero, the rest moved towards zero: y = sign(u) max(0, |u| - band).
class DeadBandOperator final : public Operator {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.DeadBand",
      .text = "Dead band around zero",
      .equations = R"(
y = 0                 |u| <= band
y = u - band, u + band  above, below it
)",
  };

  double Apply(double u) override { return std::copysign(std::max(0.0, std::abs(u) - band), u); }

 private:
  Parameter band{this, "band", kAnyUnit, "Half width of the dead band", 0.0, kNonNegative};
};

}  // namespace davit
