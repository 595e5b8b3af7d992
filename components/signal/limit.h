#pragma once

#include "framework/component.h"

namespace davit {

/// `value` held between `low` and `high`; NaN stays NaN. Where `low` > `high`, which only a change during a
/// run can bring about, the result is one of the two.
constexpr double Limit(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/// An error unless `low` < `high`.
void CheckLimits(const Component& component, double low, double high, Diagnostics& diagnostics);

}  // namespace davit
