#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "statecharts/chart_event.h"

namespace davit {

/// An event without texts of its own, as threads hand it over.
struct PostedEvent {
  SymbolId name = kNoSymbol;
  std::uint8_t field_count = 0;
  std::array<EventField, Event::kMaxFields> fields{};
};

/// A queue of fixed size that any number of threads fill and one empties, without locks and without memory of
/// its own after construction. Each place carries the number of the turn in which it may be written or read
/// (D. Vyukov's bounded queue).
class EventInbox {
 public:
  /// `capacity` is rounded up to a power of two.
  explicit EventInbox(std::size_t capacity) : mask_(RoundUp(capacity) - 1), places_(new Place[mask_ + 1]) {
    for (std::size_t i = 0; i <= mask_; ++i) places_[i].turn.store(i, std::memory_order_relaxed);
  }

  /// From any thread. Returns false where the queue is full; the event is then counted as lost.
  bool Post(const PostedEvent& event) {
    std::size_t at = end_.load(std::memory_order_relaxed);
    for (;;) {
      Place& place = places_[at & mask_];
      const std::size_t turn = place.turn.load(std::memory_order_acquire);
      if (turn == at) {
        if (end_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
          place.event = event;
          place.turn.store(at + 1, std::memory_order_release);
          return true;
        }
      } else if (turn < at) {
        lost_.fetch_add(1, std::memory_order_relaxed);
        return false;
      } else {
        at = end_.load(std::memory_order_relaxed);
      }
    }
  }

  /// From the thread of the chart only. Returns false where there is nothing.
  bool Take(PostedEvent& event) {
    Place& place = places_[begin_ & mask_];
    if (place.turn.load(std::memory_order_acquire) != begin_ + 1) return false;
    event = place.event;
    place.turn.store(begin_ + mask_ + 1, std::memory_order_release);
    ++begin_;
    return true;
  }

  /// Whether Take would find nothing. From the thread of the chart only.
  bool is_empty() const { return places_[begin_ & mask_].turn.load(std::memory_order_acquire) != begin_ + 1; }

  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  struct Place {
    std::atomic<std::size_t> turn{0};
    PostedEvent event;
  };
  static std::size_t RoundUp(std::size_t capacity) {
    std::size_t size = 2;
    while (size < capacity) size *= 2;
    return size;
  }

  std::size_t mask_;
  std::unique_ptr<Place[]> places_;
  std::atomic<std::size_t> end_{0};
  std::size_t begin_ = 0;
  std::atomic<std::uint64_t> lost_{0};
};

}  // namespace davit
