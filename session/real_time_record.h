#pragma once

#include <array>
#include <chrono>
#include <cstddef>

#include "session/duration_histogram.h"

namespace davit {

/// What front ends show of a histogram: the durations [s] that these shares do not exceed.
inline constexpr std::array kShownShares{0.5, 0.99, 0.999, 1.0};
using ShownDurations = std::array<double, kShownShares.size()>;

inline ShownDurations ShowDurations(const DurationHistogram& histogram) {
  ShownDurations shown{};
  for (std::size_t i = 0; i < shown.size(); ++i)
    shown[i] = std::chrono::duration<double>(histogram.Quantile(kShownShares[i])).count();
  return shown;
}

/// How well a run has kept pace with the clock.
struct RealTimeRecord {
  DurationHistogram lateness;  ///< how late the system has woken the run for a period of 1/fs
  DurationHistogram steps;     ///< what a TimeStep has taken, with the requests before and the rows after it
};

}  // namespace davit
