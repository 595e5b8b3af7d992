#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "statecharts/chart_event.h"

namespace davit {

/// Events in the order of their arrival; its memory is taken once.
class EventQueue {
 public:
  explicit EventQueue(std::size_t capacity) : places_(capacity) {}

  /// Returns false where the queue is full; the event is then counted as lost.
  bool Push(Event&& event) {
    if (size_ == places_.size()) {
      ++lost_;
      return false;
    }
    const std::size_t place = first_ + size_;
    places_[place < places_.size() ? place : place - places_.size()] = std::move(event);
    ++size_;
    return true;
  }
  /// Moves the first event to `event`. Pre: not empty.
  void Pop(Event& event) {
    event = std::move(places_[first_]);
    first_ = first_ + 1 == places_.size() ? 0 : first_ + 1;
    --size_;
  }
  /// The i-th event from the front.
  const Event& operator[](std::size_t i) const { return places_[(first_ + i) % places_.size()]; }

  void Clear() {
    for (Event event; size_ > 0;) Pop(event);
  }
  bool is_empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return places_.size(); }
  /// Events that found no place, since construction.
  std::uint64_t lost() const { return lost_; }

 private:
  std::vector<Event> places_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace davit
