#pragma once

#include <functional>
#include <limits>

namespace davit {

/// A value as it is just before a break that is a step point: afterwards its source has jumped.
struct LeftLimit {
  std::function<double()> read;
  double t = -std::numeric_limits<double>::infinity();  ///< of the last such break
  double value = 0;
};

}  // namespace davit
