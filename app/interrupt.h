#pragma once

#include <csignal>

#include <chrono>

namespace davit {

/// Turns Ctrl-C (SIGINT, SIGTERM) into a question that a loop asks, for as long as the object lives.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Whether the user wants to end.
  bool IsRequested();
  /// Sleeps until `when`, or until the user wants to end; returns IsRequested.
  bool SleepUntil(std::chrono::steady_clock::time_point when);
  /// Sleeps until there is something to read, or until the user wants to end; returns IsRequested.
  bool WaitForInput(int descriptor);

 private:
  bool WaitFor(std::chrono::nanoseconds duration);

  sigset_t signals_;
  sigset_t previous_;
  bool is_requested_ = false;
};

}  // namespace davit
