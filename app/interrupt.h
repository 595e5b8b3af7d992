#pragma once

#include <csignal>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace davit {

/// Turns Ctrl-C (SIGINT, SIGTERM, SIGHUP) into a question that a loop asks, and into calls for a loop that
/// has no time to ask, for as long as the object lives. A second signal ends the program immediately,
/// unless it is the same one again within kPatience. SIGHUP is
/// left alone where it is ignored (nohup).
///
/// The signals are blocked, and a thread waits for them: no handler, so no global state. Threads that are
/// started later inherit that.
class Interrupt {
 public:
  /// How long a loop has for the step that is under way, until it is to give it up.
  static constexpr std::chrono::milliseconds kPatience{200};
  /// What happens at the first signal, and kPatience after it. Both are called by a thread of the object.
  struct Calls {
    std::function<void(int signal)> on_first;
    std::function<void()> after_patience;
  };

  explicit Interrupt(Calls calls);
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

  Calls calls_;
  sigset_t signals_;
  sigset_t previous_;
  int arrived_;  ///< eventfd: readable once the user wants to end
  int over_;     ///< eventfd: readable once the object ends
  std::atomic<bool> is_requested_ = false;
  std::thread listener_;
};

}  // namespace davit
