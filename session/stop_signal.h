#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace davit {

/// A wish to end a run, uttered in any thread and seen by the one that runs. It holds until it is taken.
class StopSignal {
 public:
  using Clock = std::chrono::steady_clock;

  /// From any thread; wakes SleepUntil.
  void Request();
  /// The same, and the step that is under way is to be given up.
  void RequestInside();
  bool is_requested() const { return is_requested_.load(std::memory_order_acquire); }
  /// Whether it was requested since it was last taken.
  bool Take() {
    is_inside_.store(false, std::memory_order_relaxed);
    return is_requested_.exchange(false, std::memory_order_acq_rel);
  }
  /// True while RequestInside holds.
  const std::atomic<bool>& inside() const { return is_inside_; }
  /// Returns at `when`, or as soon as a stop is requested.
  void SleepUntil(Clock::time_point when);

 private:
  std::atomic<bool> is_requested_ = false;
  std::atomic<bool> is_inside_ = false;
  std::mutex mutex_;
  std::condition_variable arrived_;
};

}  // namespace davit
