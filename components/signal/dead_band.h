#pragma once

#include <algorithm>
#include <cmath>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Nothing near zero, the rest moved towards zero: y = gain sign(u) max(0, |u| - band).
class DeadBand final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.DeadBand",
      .text = "Dead band around zero",
      .equations = R"(
y = 0                               |u| <= band
y = gain (u - band), gain (u + band)  above, below it
With gain = 1/(1 - band) u = 1 gives y = 1, as for a lever whose centre is not exactly 0.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    y = gain * std::copysign(std::max(0.0, std::abs(u) - band), u);
  }

 private:
  Parameter band{this, "band", kAnyUnit, "Half width of the dead band", 0.05, kNonNegative};
  Parameter gain{this, "gain", kAnyUnit, "Slope outside", 1.0};
  Input u{this, "u", kAnyUnit, "Input"};
  Output y{this, "y", kAnyUnit, "Output"};
};

}  // namespace davit
