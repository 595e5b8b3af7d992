#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace davit {

/// The step points of a run: origin + n h, never a sum; the last one is the stop time.
struct StepGrid {
  /// Shares of a TimeStep below which times are equal.
  static constexpr double kSameStep = 1e-9;
  /// More steps than this cannot be distinguished in double precision.
  static constexpr double kMostSteps = 1e12;

  double origin = 0;     ///< step points count from here [s]
  double time_step = 0;  ///< h [s]
  double stop_time = 0;  ///< [s]
  std::uint64_t n = 0;   ///< of the step point that was reached

  double Point(std::uint64_t number) const {
    const double t = origin + static_cast<double>(number) * time_step;
    return t > stop_time - kSameStep * time_step ? stop_time : t;
  }
  double next() const { return Point(n + 1); }
  /// The number of the first step point that is not before t.
  std::uint64_t NumberOf(double t) const {
    const double number = std::ceil((t - origin) / time_step - kSameStep);
    return number <= 0 ? 0 : static_cast<std::uint64_t>(std::min(number, 2 * kMostSteps));
  }
  /// Whether what is due at t acts at the step point reached, or has acted before.
  bool HasReached(double t) const { return NumberOf(t) <= n; }
};

}  // namespace davit
