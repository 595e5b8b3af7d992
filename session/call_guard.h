#pragma once

#include <fmt/format.h>

#include <atomic>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace davit {

/// Lets one thread at a time into an object. A call that finds another one under way is refused with
/// std::logic_error, before it has changed anything.
class CallGuard {
 public:
  /// As long as it lives, the call is under way.
  class Pass {
   public:
    Pass(CallGuard& guard, bool is_outermost) : guard_(guard), is_outermost_(is_outermost) {}
    ~Pass() {
      if (!is_outermost_) return;
      Leave();
      guard_.is_taken_.store(false, std::memory_order_release);
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

    /// The call continues in another thread: from now on callbacks of this one are refused.
    void Leave() const { guard_.thread_.store({}, std::memory_order_relaxed); }
    /// The call continues in this thread, whose callbacks may read. Pre: it was left.
    void Continue() const { guard_.thread_.store(std::this_thread::get_id(), std::memory_order_relaxed); }

   private:
    CallGuard& guard_;
    bool is_outermost_;
  };

  /// Refuses any call that comes while another one is under way, also from a callback of that one. `call` is
  /// its name for the message.
  Pass Enter(std::string_view call) { return Enter(call, false); }
  /// The same, but a callback may enter once more: for calls that change nothing.
  Pass EnterToRead(std::string_view call) { return Enter(call, true); }

 private:
  Pass Enter(std::string_view call, bool may_be_inside) {
    const std::thread::id own = std::this_thread::get_id();
    if (!is_taken_.exchange(true, std::memory_order_acquire)) {
      thread_.store(own, std::memory_order_relaxed);
      return {*this, true};
    }
    if (thread_.load(std::memory_order_relaxed) != own) {
      throw std::logic_error(fmt::format(
          "{}: another thread is inside a call of this simulation; wait until that call has returned, or use "
          "Post and RequestStop, which any thread may call at any time",
          call));
    }
    if (may_be_inside) return {*this, false};
    throw std::logic_error(fmt::format(
        "{}: it was called by a callback of a step; only reading is allowed there: let the step return "
        "first, or use Post",
        call));
  }

  std::atomic<bool> is_taken_ = false;
  std::atomic<std::thread::id> thread_;  ///< where the call computes; only that thread finds itself here
};

}  // namespace davit
