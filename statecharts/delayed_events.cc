#include "statecharts/delayed_events.h"

#include <algorithm>
#include <utility>

#include "statecharts/time_text.h"

namespace davit {

DelayedEvents::DelayedEvents(std::size_t capacity) : places_(capacity) {
  order_.reserve(capacity);
  free_.reserve(capacity);
  for (std::size_t i = capacity; i-- > 0;) free_.push_back(i);
}

bool DelayedEvents::Add(DelayedEvent event) {
  if (free_.empty()) return false;
  const std::size_t place = free_.back();
  free_.pop_back();
  order_.push_back({event.due, next_number_++, place});
  std::ranges::push_heap(order_, IsLater);
  places_[place] = std::move(event);
  return true;
}

void DelayedEvents::Cancel(std::uint32_t session, std::string_view send_id, const SymbolTable& symbols) {
  RemoveIf([&](const DelayedEvent& delayed) {
    return delayed.session == session && delayed.event.SendId(symbols) == send_id;
  });
}

void DelayedEvents::CancelAll(std::uint32_t session) {
  RemoveIf([&](const DelayedEvent& delayed) { return delayed.session == session; });
}

std::optional<DelayedEvent> DelayedEvents::Take(double time) {
  if (order_.empty() || order_.front().due > time + kTimeTolerance) return std::nullopt;
  const std::size_t place = order_.front().place;
  std::ranges::pop_heap(order_, IsLater);
  order_.pop_back();
  free_.push_back(place);
  return std::exchange(places_[place], {});
}

}  // namespace davit
