#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace davit {

/// For as long as it lives, the present thread has real-time priority (SCHED_FIFO), the memory of the process
/// stays in RAM, and idle processors stay awake. What the system does not permit is left out. Threads and
/// processes that are started meanwhile have no such priority.
class RealTimeThread {
 public:
  /// Above interrupt threads of Linux with PREEMPT_RT (50), as cyclictest is usually run.
  static constexpr int kPriority = 80;

  RealTimeThread();
  ~RealTimeThread();
  RealTimeThread(const RealTimeThread&) = delete;
  RealTimeThread& operator=(const RealTimeThread&) = delete;

  /// What was not permitted of priority and memory, with a remedy, a line each.
  const std::vector<std::string>& refusals() const { return refusals_; }

 private:
  void TakePriority();
  void LockMemory();
  void KeepAwake();

  int policy_ = SCHED_OTHER;  ///< before, of this thread
  sched_param parameters_{};
  bool has_priority_ = false;
  bool has_locked_ = false;
  int latency_ = -1;  ///< /dev/cpu_dma_latency: as long as it is open, what was written to it holds
  std::vector<std::string> refusals_;
};

}  // namespace davit
