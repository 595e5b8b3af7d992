#pragma once

#include "simulator/operator.h"

namespace davit {

/// y = u + offset.
class OffsetOperator final : public Operator {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.Offset",
      .text = "Adds a number to a signal",
      .equations = "y = u + offset\n",
  };

  double Apply(double u) override { return u + offset; }

 private:
  Parameter offset{this, "offset", kAnyUnit, "Number to add", 0.0};
};

}  // namespace davit
