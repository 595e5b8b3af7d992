#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <limits>

namespace davit {

/// A random positive number, evenly spread over the decades between 10^low and 10^high.
inline double RandomDecades(int low, int high) {
  return std::pow(10.0, *rc::gen::inRange(low * 1000, high * 1000) * 1e-3);
}

/// A random number of either sign and any size that a double can have, sometimes zero.
inline double AnyFinite() {
  switch (*rc::gen::inRange(0, 8)) {
    case 0: return 0.0;
    case 1:
      return *rc::gen::element(std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest(),
                               std::numeric_limits<double>::min(), std::numeric_limits<double>::denorm_min());
    default: return std::copysign(RandomDecades(-300, 308), *rc::gen::inRange(0, 2) * 2 - 1);
  }
}

}  // namespace davit
