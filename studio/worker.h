#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace davit {

/// A thread that does one task after the other, so that the thread of the server need not wait for them. The
/// memory that a large one has taken goes back to the system.
class Worker {
 public:
  static constexpr std::size_t kMostWaiting = 200;

  Worker();
  /// Waits for the task that is under way; those that wait are dropped.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// False where kMostWaiting wait. A task throws nothing.
  bool Do(std::function<void()> task);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::function<void()>> tasks_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace davit
