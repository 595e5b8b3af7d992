#include "session/request_inbox.h"

#include <utility>

namespace davit {

bool RequestInbox::Post(Request request, AnswerTaker answer) {
  const std::lock_guard lock(mutex_);
  if (letters_.size() >= kMostWaiting) return false;
  letters_.push_back({std::move(request), std::move(answer)});
  has_letters_.store(true, std::memory_order_release);
  return true;
}

std::vector<RequestInbox::Letter> RequestInbox::Take() {
  const std::lock_guard lock(mutex_);
  has_letters_.store(false, std::memory_order_release);
  return std::exchange(letters_, {});
}

}  // namespace davit
