#pragma once

#include <ctime>

#include <chrono>

namespace davit {

/// The time of std::chrono::steady_clock, a few milliseconds late where that makes asking cheap: a tenth of
/// what the precise clock takes, so that a loop may ask after each small step.
class CoarseClock {
 public:
  using duration = std::chrono::steady_clock::duration;
  using time_point = std::chrono::steady_clock::time_point;

  static time_point now() {
#ifdef CLOCK_MONOTONIC_COARSE
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
#else
    return std::chrono::steady_clock::now();
#endif
  }
};

}  // namespace davit
