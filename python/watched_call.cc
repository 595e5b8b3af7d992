#include "python/watched_call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "python/binding.h"

namespace davit {
namespace {

/// Python calls the handlers of signals in its main thread only.
bool IsMainThread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("main_thread")().is(threading.attr("current_thread")());
}

/// Runs `call` in a thread of its own, while this one waits for it and for signals.
class WatchedCall {
 public:
  explicit WatchedCall(std::function<void()> call)
      : thread_([this, call = std::move(call)] {
          try {
            call();
          } catch (...) {
            fault_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          is_done_ = true;
          done_.notify_one();
        }) {}
  ~WatchedCall() { thread_.join(); }
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;

  bool WaitFor(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, time, [this] { return is_done_; });
  }
  std::exception_ptr fault() const { return fault_; }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::exception_ptr fault_;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace

void CallWatched(const std::function<void()>& call, const std::function<void(bool is_urgent)>& interrupt) {
  using Clock = std::chrono::steady_clock;
  if (!IsMainThread()) {
    const py::gil_scoped_release release;
    return call();
  }
  std::exception_ptr fault;
  std::optional<py::error_already_set> raised;
  {
    const py::gil_scoped_release release;
    WatchedCall running(call);
    Clock::time_point since;
    while (!running.WaitFor(std::chrono::milliseconds(20))) {
      if (raised) {
        if (Clock::now() - since > std::chrono::milliseconds(500)) interrupt(true);
        continue;
      }
      const py::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() == 0) continue;
      raised.emplace();
      since = Clock::now();
      interrupt(false);
    }
    fault = running.fault();
  }
  if (raised) throw std::move(*raised);
  if (fault) std::rethrow_exception(fault);
}

}  // namespace davit
