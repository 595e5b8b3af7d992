#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace davit {

/// The values of the items of an interface (SI), between the thread that drives the run and the one that
/// talks to the partner. A step waits for the partner's thread only while that copies values.
class ValueBoard {
 public:
  using Clock = std::chrono::steady_clock;
  /// A value for the item with this number.
  using Write = std::pair<std::size_t, double>;

  explicit ValueBoard(std::size_t items)
      : values_(items), is_written_(items, 0), written_at_(items, Clock::time_point::min()) {}
  std::size_t size() const { return values_.size(); }

  // The thread that drives.

  /// Moves what the partner has written since the last call into `writes`, by item.
  void TakeWrites(std::vector<Write>& writes);
  /// The values that hold; those that the partner has written since TakeWrites stay. Pre: one for each item.
  void Publish(std::span<const double> values);
  /// When the partner has last been heard; time_point::min(): never.
  Clock::time_point heard_at() const { return heard_at_.load(std::memory_order_relaxed); }
  /// The same of a write of this item.
  Clock::time_point written_at(std::size_t item) const;
  /// Waits until the partner has written `value` to an item after `since`. Returns false at `until`.
  bool WaitForWrite(std::size_t item, double value, Clock::time_point since, Clock::time_point until) const;
  /// Messages that were refused since the last call.
  std::uint64_t TakeRefusals();
  /// What was last wrong with a message, or with the way to the partner; empty if nothing was.
  std::string trouble() const;

  // The thread that talks to the partner.

  void SetHeard(Clock::time_point now) { heard_at_.store(now, std::memory_order_relaxed); }
  /// Calls `take` with the values of all items, which stay the same meanwhile.
  template <class Take>
  auto Look(const Take& take) const {
    const std::lock_guard lock(mutex_);
    return take(std::span<const double>(values_));
  }
  /// All of them act at one communication point.
  void WriteAll(std::span<const Write> writes, Clock::time_point now);
  /// Nothing of a message is written; `why` is a part of a sentence.
  void Refuse(std::string why);
  void set_trouble(std::string why);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable has_changed_;
  std::vector<double> values_;
  std::vector<char> is_written_;
  std::vector<Clock::time_point> written_at_;
  bool has_writes_ = false;
  std::uint64_t refusals_ = 0;
  std::string trouble_;
  std::atomic<Clock::time_point> heard_at_ = Clock::time_point::min();
};

}  // namespace davit
