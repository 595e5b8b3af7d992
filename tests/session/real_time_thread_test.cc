#include "session/real_time_thread.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "session/sleep_until.h"

namespace davit {
namespace {

/// Of the present thread, as the kernel has it.
int Policy() { return sched_getscheduler(0) & ~SCHED_RESET_ON_FORK; }

/// Of the process [kB].
long LockedMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmLck:")) return std::stol(line.substr(6));
  }
  return -1;
}

/// It has each of both, or says why not; afterwards all is as before.
TEST(RealTimeThreadTest, HasPriorityAndLockedMemoryAsLongAsItLives) {
  const int before = Policy();
  std::size_t had = 0;
  {
    const RealTimeThread thread;
    had += Policy() == SCHED_FIFO ? 1 : 0;
    had += LockedMemory() > 0 ? 1 : 0;
    EXPECT_EQ(had + thread.refusals().size(), 2U);
    int inside = SCHED_FIFO;
    std::thread([&] { inside = Policy(); }).join();
    EXPECT_EQ(inside, SCHED_OTHER) << "a thread of its own that inherits the priority";
  }
  EXPECT_EQ(Policy(), before);
  EXPECT_EQ(LockedMemory(), 0);
}

/// In a process without rights.
TEST(RealTimeThreadTest, WithoutRightsItSaysWhatIsMissing) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_RTPRIO, &none);
    setrlimit(RLIMIT_MEMLOCK, &none);
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
    const RealTimeThread thread;
    const auto& refusals = thread.refusals();
    const bool is_told = refusals.size() == 2 && refusals[0].find("rtprio") != std::string::npos &&
                         refusals[1].find("memlock") != std::string::npos;
    _exit(is_told && Policy() == SCHED_OTHER ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(SleepUntilTest, EndsAtItsTimeOrLater) {
  using Clock = std::chrono::steady_clock;
  for (const int ms : {0, 1, 5}) {
    const Clock::time_point when = Clock::now() + std::chrono::milliseconds(ms);
    SleepUntil(when);
    EXPECT_GE(Clock::now(), when);
  }
  SleepUntil(Clock::now() - std::chrono::hours(1));
}

}  // namespace
}  // namespace davit
