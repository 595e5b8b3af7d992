#pragma once

#include "simulator/operator.h"

namespace davit {

/// y = gain u.
class ScalingOperator final : public Operator {
 public:
  static constexpr ModelInfo kInfo{
      .name = "operator.Scaling",
      .text = "Multiplies a signal by a number",
      .equations = "y = gain u\n",
  };

  double Apply(double u) override { return gain * u; }
  bool ChangesUnit() const override { return true; }

 private:
  Parameter gain{this, "gain", kAnyUnit, "Factor; its unit turns that of u into that of y", 1.0};
};

}  // namespace davit
