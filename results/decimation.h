#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace davit {

/// The rows of a curve that are enough to draw it: the time is divided in `bin_count` equal bins, and of each
/// are kept the first and the last row, the smallest and the largest value, and one NaN if there is any (a
/// gap). So peaks and jumps stay. All rows if there are no more than 4 * bin_count.
///
/// Pre: `time` does not fall and has one value for each of `values`; bin_count > 0.
std::vector<std::size_t> Decimate(std::span<const double> time, std::span<const double> values,
                                  std::size_t bin_count);

}  // namespace davit
