#pragma once

#include <csignal>

#include <atomic>
#include <chrono>
#include <thread>

namespace davit {

/// Turns Ctrl-C (SIGINT, SIGTERM) into a question that a loop asks, for as long as the object lives. A second
/// signal ends the program at once: the loop may be in a step that never ends.
///
/// The signals are blocked, and a thread waits for them: no handler, so no global state. Threads that are
/// started later inherit that.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// Whether the user wants to end: true from the moment on in which the signal has come.
  bool IsRequested() const;
  /// Sleeps until `when`, or until the user wants to end; returns IsRequested.
  bool SleepUntil(std::chrono::steady_clock::time_point when);
  /// Sleeps until there is something to read, or until the user wants to end; returns IsRequested.
  bool WaitForInput(int descriptor);

 private:
  void Listen();

  sigset_t signals_;
  sigset_t previous_;
  int arrived_;  ///< eventfd: readable once the user wants to end
  int over_;     ///< eventfd: readable once the object ends
  std::atomic<bool> is_requested_ = false;
  std::thread listener_;
};

}  // namespace davit
