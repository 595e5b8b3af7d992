#include "app/interrupt.h"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace davit {

// The signals are blocked and looked for: no handler, so no global state.
Interrupt::Interrupt() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &previous_);
}

Interrupt::~Interrupt() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

bool Interrupt::WaitFor(std::chrono::nanoseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  timespec limit{};
  limit.tv_sec = seconds.count();
  limit.tv_nsec = (duration - seconds).count();
  is_requested_ = is_requested_ || sigtimedwait(&signals_, nullptr, &limit) > 0;
  return is_requested_;
}

bool Interrupt::WaitForInput(int descriptor) {
  const int signals = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  pollfd states[] = {{descriptor, POLLIN, 0}, {signals, POLLIN, 0}};
  poll(states, 2, -1);
  if (signals >= 0) close(signals);
  return IsRequested();
}

bool Interrupt::IsRequested() { return WaitFor(std::chrono::nanoseconds(0)); }

bool Interrupt::SleepUntil(std::chrono::steady_clock::time_point when) {
  const auto rest = when - std::chrono::steady_clock::now();
  return WaitFor(std::max<std::chrono::nanoseconds>(rest, std::chrono::nanoseconds(0)));
}

}  // namespace davit
