#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace davit {

/// Rows of numbers on their way from one thread to one other, without a lock: a ring of fixed size. Where it
/// is full the new row is dropped and counted, so the writer never waits.
class ValueRing {
 public:
  struct RowView {
    std::uint64_t wall = 0;  ///< UTC [ns]
    double t = 0;            ///< simulated [s]
    std::span<const double> values;
  };

  ValueRing(std::size_t width, std::size_t rows) : width_(width), stamps_(rows), values_(rows * width) {}

  // The thread that writes.

  /// The place for the next row, to be filled before Push; empty of a full ring or one without columns.
  /// `has_room` says which.
  std::span<double> Next(bool& has_room) {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    has_room = end - begin_.load(std::memory_order_acquire) < stamps_.size();
    if (!has_room) {
      dropped_.fetch_add(1, std::memory_order_relaxed);
      return {};
    }
    return std::span(values_).subspan(Place(end) * width_, width_);
  }
  /// Pre: Next has given a place.
  void Push(std::uint64_t wall, double t) {
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    stamps_[Place(end)] = {wall, t};
    end_.store(end + 1, std::memory_order_release);
  }

  // The thread that reads.

  bool is_empty() const {
    return begin_.load(std::memory_order_relaxed) == end_.load(std::memory_order_acquire);
  }
  /// The oldest row. Pre: not empty.
  RowView Front() const {
    const std::size_t place = Place(begin_.load(std::memory_order_relaxed));
    return {stamps_[place].wall, stamps_[place].t, std::span(values_).subspan(place * width_, width_)};
  }
  void Pop() { begin_.fetch_add(1, std::memory_order_release); }

  // Any thread.

  std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  struct Stamp {
    std::uint64_t wall = 0;
    double t = 0;
  };
  std::size_t Place(std::uint64_t number) const { return static_cast<std::size_t>(number % stamps_.size()); }

  const std::size_t width_;
  std::vector<Stamp> stamps_;
  std::vector<double> values_;
  alignas(64) std::atomic<std::uint64_t> end_ = 0;
  alignas(64) std::atomic<std::uint64_t> begin_ = 0;
  std::atomic<std::uint64_t> dropped_ = 0;
};

}  // namespace davit
