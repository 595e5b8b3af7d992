#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace davit {

/// Things that one thread gives to another without ever waiting for it: while the other one is taking, they
/// stay with the giver until the next Flush. At most `most` wait; more are dropped and counted.
template <class T>
class HandOver {
 public:
  explicit HandOver(std::size_t most) : most_(most) {}

  // The thread that gives.

  void Give(T thing) {
    if (own_.size() >= most_) {
      ++own_dropped_;
      return;
    }
    own_.push_back(std::move(thing));
    Flush();
  }
  void Flush() {
    if (own_.empty() && own_dropped_ == 0) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    dropped_ += std::exchange(own_dropped_, 0);
    for (T& thing : own_) {
      if (waiting_.size() < most_) {
        waiting_.push_back(std::move(thing));
      } else {
        ++dropped_;
      }
    }
    own_.clear();
  }

  // The thread that takes.

  /// All that has come, and how many were dropped since the last call.
  std::vector<T> Take(std::uint64_t& dropped) {
    const std::lock_guard lock(mutex_);
    dropped = std::exchange(dropped_, 0);
    return std::exchange(waiting_, {});
  }

 private:
  const std::size_t most_;
  std::vector<T> own_;
  std::uint64_t own_dropped_ = 0;
  std::mutex mutex_;
  std::vector<T> waiting_;
  std::uint64_t dropped_ = 0;
};

}  // namespace davit
