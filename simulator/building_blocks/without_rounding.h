#pragma once

#include <cmath>
#include <limits>

namespace davit::building_blocks {

/// A rate that is a difference of terms of a given size; zero where it is no more than their rounding. A
/// state with such a rate comes to rest and then keeps its bits, instead of changing its last digit for ever.
inline double WithoutRounding(double rate, double size) {
  return std::abs(rate) <= std::numeric_limits<double>::epsilon() * std::abs(size) ? 0.0 : rate;
}

}  // namespace davit::building_blocks
