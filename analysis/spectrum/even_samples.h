#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace davit {

/// Signals at equal distances in time.
struct EvenSamples {
  double begin = 0;  ///< [s]
  double dt = 0;     ///< [s]
  std::vector<std::vector<double>> columns;
  /// Whether the time points were not even, so that the values are interpolated between them.
  bool is_resampled = false;
  std::size_t given = 0;  ///< points that there were in the span

  std::size_t size() const { return columns.empty() ? 0 : columns.front().size(); }
};

/// The columns between `begin` and `end` [s]. Of two points at one time, the sides of an event, the later one
/// counts. Even time points (within 1e-6 of their distance) are taken as they are; of others the median
/// distance is the new one, and values are linear between the points. Fewer than 2 points: no samples.
EvenSamples MakeEvenSamples(std::span<const double> time, std::span<const std::vector<double>* const> columns,
                            double begin, double end);

}  // namespace davit
