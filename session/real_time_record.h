#pragma once

#include <array>

#include "session/duration_histogram.h"

namespace davit {

/// What front ends show of a histogram: the durations [s] that these shares do not exceed.
constexpr std::array kShownShares{0.5, 0.99, 0.999, 1.0};
using ShownDurations = std::array<double, kShownShares.size()>;

ShownDurations ShowDurations(const DurationHistogram& histogram);

/// How well a run has kept pace with the clock.
struct RealTimeRecord {
  DurationHistogram lateness;  ///< how late the system has woken the run for a period of 1/fs
  DurationHistogram steps;     ///< what a TimeStep has taken, with the requests before and the rows after it
};

}  // namespace davit
