#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "session/request.h"

namespace davit {

/// Requests from any thread on their way to the one that drives the simulation.
class RequestInbox {
 public:
  /// More do not fit: a sender that does not wait for answers is held up here.
  static constexpr std::size_t kMostWaiting = 10'000;

  struct Letter {
    Request request;
    AnswerTaker answer;
  };

  /// From any thread. False, and nothing is kept, where there is no room.
  bool Post(Request request, AnswerTaker answer);
  /// Whether Take would give anything; costs a look at one number.
  bool has_letters() const { return has_letters_.load(std::memory_order_acquire); }
  /// All that has come, in the order of its coming.
  std::vector<Letter> Take();

 private:
  std::mutex mutex_;
  std::vector<Letter> letters_;
  std::atomic<bool> has_letters_ = false;
};

}  // namespace davit
