#include "session/stop_signal.h"

namespace davit {

void StopSignal::Request() {
  {
    const std::lock_guard lock(mutex_);
    is_requested_.store(true, std::memory_order_release);
  }
  arrived_.notify_all();
}

void StopSignal::RequestInside() {
  is_inside_.store(true, std::memory_order_relaxed);
  Request();
}

void StopSignal::SleepUntil(Clock::time_point when) {
  std::unique_lock lock(mutex_);
  arrived_.wait_until(lock, when, [this] { return is_requested(); });
}

}  // namespace davit
