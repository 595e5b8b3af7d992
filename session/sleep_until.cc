#include "session/sleep_until.h"

#include <time.h>

#include <cerrno>

namespace davit {

void SleepUntil(std::chrono::steady_clock::time_point when) {
  // The steady clock of libstdc++ is CLOCK_MONOTONIC.
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  timespec time{};
  time.tv_sec = seconds.count();
  time.tv_nsec = (since - seconds).count();
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) {
  }
}

}  // namespace davit
