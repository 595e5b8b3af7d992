#pragma once

#include <cmath>
#include <limits>

namespace davit::building_blocks {

/// in - out, but zero where the difference is no more than the rounding of its terms. A state with this rate
/// comes to rest and then keeps its bits, instead of changing its last digit for ever.
inline double Balance(double in, double out) {
  const double rate = in - out;
  return std::abs(rate) <= std::numeric_limits<double>::epsilon() * std::abs(out) ? 0.0 : rate;
}

}  // namespace davit::building_blocks
