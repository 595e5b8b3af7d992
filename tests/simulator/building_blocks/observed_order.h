#pragma once

#include <cmath>

namespace davit::building_blocks {

/// The power of the step size that an error follows, read back from two runs of `steps` and twice as many
/// steps.
template <class ErrorOfRun>
double ObservedOrder(const ErrorOfRun& error_of_run, int steps) {
  return std::log2(std::abs(error_of_run(steps) / error_of_run(2 * steps)));
}

}  // namespace davit::building_blocks
