#include "app/interrupt.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <system_error>
#include <utility>

#include "session/sleep_until.h"

namespace davit {
namespace {

/// Of a sleep, the end in which no signal is heard.
constexpr std::chrono::milliseconds kUnheard{20};

int MakeEvent() {
  const int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (event < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return event;
}

bool IsIgnored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void Raise(int event) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event, &one, sizeof one);
}

}  // namespace

Interrupt::Interrupt(Calls calls) : calls_(std::move(calls)), arrived_(MakeEvent()), over_(MakeEvent()) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  if (!IsIgnored(SIGHUP)) sigaddset(&signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals_, &previous_);
  listener_ = std::thread(&Interrupt::Listen, this);
}

Interrupt::~Interrupt() {
  Raise(over_);
  listener_.join();
  close(over_);
  close(arrived_);
  const timespec at_once{};
  while (sigtimedwait(&signals_, nullptr, &at_once) > 0) {  // what came too late does nothing
  }
  pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

void Interrupt::Listen() {
  const int signals = signalfd(-1, &signals_, SFD_CLOEXEC);
  pollfd states[] = {{signals, POLLIN, 0}, {over_, POLLIN, 0}};
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline;
  bool is_patient = false;
  int first = 0;
  while (signals >= 0) {
    // Up to a fixed time: signals that come meanwhile do not put it off.
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const int ready =
        poll(states, 2, is_patient ? static_cast<int>(std::max(rest.count(), std::int64_t{0})) : -1);
    if (ready < 0) continue;
    if (states[1].revents != 0) break;
    if (ready == 0) {
      is_patient = false;
      calls_.after_patience();
      continue;
    }
    signalfd_siginfo info{};
    if (read(signals, &info, sizeof info) != sizeof info) continue;
    // A program that ends others may send its signal to the process and to its group.
    if (is_patient && static_cast<int>(info.ssi_signo) == first) continue;
    if (is_requested_.exchange(true)) {
      // As if it had never been blocked.
      const int signal = static_cast<int>(info.ssi_signo);
      std::signal(signal, SIG_DFL);
      pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
      raise(signal);
    }
    Raise(arrived_);
    first = static_cast<int>(info.ssi_signo);
    calls_.on_first(first);
    is_patient = true;
    deadline = Clock::now() + kPatience;
  }
  if (signals >= 0) close(signals);
}

bool Interrupt::IsRequested() const {
  sigset_t pending;
  sigpending(&pending);  // the listener may not have had its turn
  const auto is_pending = [&](int signal) {
    return sigismember(&signals_, signal) == 1 && sigismember(&pending, signal) == 1;
  };
  return is_requested_ || is_pending(SIGINT) || is_pending(SIGTERM) || is_pending(SIGHUP);
}

bool Interrupt::WaitForInput(int descriptor) {
  pollfd states[] = {{descriptor, POLLIN, 0}, {arrived_, POLLIN, 0}};
  poll(states, 2, -1);
  return IsRequested();
}

bool Interrupt::SleepUntil(std::chrono::steady_clock::time_point when) {
  using std::chrono::nanoseconds;
  // The end of a sleep is exact, so nothing can wake it.
  const nanoseconds rest = when - kUnheard - std::chrono::steady_clock::now();
  if (rest.count() > 0) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(rest);
    timespec limit{};
    limit.tv_sec = seconds.count();
    limit.tv_nsec = (rest - seconds).count();
    pollfd state{arrived_, POLLIN, 0};
    if (ppoll(&state, 1, &limit, nullptr) > 0) return true;
  }
  davit::SleepUntil(when);
  return IsRequested();
}

}  // namespace davit
