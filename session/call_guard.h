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
  /// As long as it lives, the thread is inside.
  class Pass {
   public:
    Pass(CallGuard& guard, bool is_outermost) : guard_(guard), is_outermost_(is_outermost) {}
    ~Pass() {
      if (is_outermost_) guard_.thread_.store({}, std::memory_order_release);
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

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
    std::thread::id inside;
    const std::thread::id own = std::this_thread::get_id();
    if (thread_.compare_exchange_strong(inside, own, std::memory_order_acquire)) return {*this, true};
    if (inside != own) {
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

  std::atomic<std::thread::id> thread_;
};

}  // namespace davit
