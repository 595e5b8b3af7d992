#include "session/real_time_thread.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace davit {
namespace {

constexpr std::size_t kStack = 512 * 1024;  // that steps may use [B]

/// So that no step is the first to touch it.
[[gnu::noinline]] void TouchStack() {
  [[maybe_unused]] volatile char bytes[kStack];
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t i = 0; i < kStack; i += page) bytes[i] = 0;
}

}  // namespace

RealTimeThread::RealTimeThread() {
  TakePriority();
  LockMemory();
  KeepAwake();
}

RealTimeThread::~RealTimeThread() {
  if (latency_ >= 0) close(latency_);
  if (has_locked_) munlockall();
  if (has_priority_) sched_setscheduler(0, policy_, &parameters_);
}

void RealTimeThread::TakePriority() {
  policy_ = sched_getscheduler(0);
  sched_getparam(0, &parameters_);
  sched_param wanted{};
  wanted.sched_priority = kPriority;
  has_priority_ = sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &wanted) == 0;
  if (has_priority_) return;
  refusals_.push_back(
      fmt::format("no real-time priority ({}), so other programs can delay the run; allow it, for example by "
                  "'@realtime - rtprio 90' in /etc/security/limits.conf",
                  std::strerror(errno)));
}

void RealTimeThread::LockMemory() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  // Under a limit, memory that is needed later could be refused.
  const bool is_limited = limit.rlim_cur != RLIM_INFINITY && geteuid() != 0;
  TouchStack();
  has_locked_ = mlockall(MCL_CURRENT | (is_limited ? 0 : MCL_FUTURE)) == 0;
  if (has_locked_) return;
  refusals_.push_back(
      fmt::format("memory is not locked ({}), so a step may wait for the disk; allow it, for example by "
                  "'@realtime - memlock unlimited' in /etc/security/limits.conf",
                  std::strerror(errno)));
}

void RealTimeThread::KeepAwake() {
  constexpr std::int32_t kLongestWakeUp = 0;  // [us]
  latency_ = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  if (latency_ >= 0 && write(latency_, &kLongestWakeUp, sizeof kLongestWakeUp) != sizeof kLongestWakeUp) {
    close(latency_);
    latency_ = -1;
  }
}

}  // namespace davit
