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

namespace davit {
namespace {

int MakeEvent() {
  const int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (event < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
  return event;
}

void Raise(int event) {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event, &one, sizeof one);
}

}  // namespace

Interrupt::Interrupt() : arrived_(MakeEvent()), over_(MakeEvent()) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
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
  while (signals >= 0) {
    if (poll(states, 2, -1) < 0) continue;
    if (states[1].revents != 0) break;
    signalfd_siginfo info{};
    if (read(signals, &info, sizeof info) != sizeof info) continue;
    if (is_requested_.exchange(true)) {
      // As if it had never been blocked.
      const int signal = static_cast<int>(info.ssi_signo);
      std::signal(signal, SIG_DFL);
      pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
      raise(signal);
    }
    Raise(arrived_);
  }
  if (signals >= 0) close(signals);
}

bool Interrupt::IsRequested() const {
  sigset_t pending;
  sigpending(&pending);  // the listener may not have had its turn
  return is_requested_ || sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

bool Interrupt::WaitForInput(int descriptor) {
  pollfd states[] = {{descriptor, POLLIN, 0}, {arrived_, POLLIN, 0}};
  poll(states, 2, -1);
  return IsRequested();
}

bool Interrupt::SleepUntil(std::chrono::steady_clock::time_point when) {
  using std::chrono::nanoseconds;
  const auto rest = std::max(nanoseconds(when - std::chrono::steady_clock::now()), nanoseconds(0));
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(rest);
  timespec limit{};
  limit.tv_sec = seconds.count();
  limit.tv_nsec = (rest - seconds).count();
  pollfd state{arrived_, POLLIN, 0};
  ppoll(&state, 1, &limit, nullptr);
  return IsRequested();
}

}  // namespace davit
