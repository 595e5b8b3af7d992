#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "statecharts/chart.h"
#include "statecharts/chart_archive.h"

namespace davit {

/// An event that a `<send>` has put off.
struct DelayedEvent {
  double due = 0;             ///< [s]
  std::uint32_t session = 0;  ///< that has sent it
  const Send* send = nullptr;
  std::string target;  ///< where the `<send>` has a targetexpr
  Event event;
};

/// Events that wait for their time. Those due at the same time come in the order in which they were sent. The
/// memory is taken once.
class DelayedEvents {
 public:
  explicit DelayedEvents(std::size_t capacity);

  /// Returns false where there is no room.
  bool Add(DelayedEvent event);
  /// Removes those of a session with a send id.
  void Cancel(std::uint32_t session, std::string_view send_id, const SymbolTable& symbols);
  void Clear() {
    RemoveIf([](const DelayedEvent&) { return true; });
    next_number_ = 0;
  }
  /// Removes all of a session.
  void CancelAll(std::uint32_t session);
  /// The next one due at `time`, if any.
  std::optional<DelayedEvent> Take(double time);
  /// When the next one is due; infinity where there is none.
  double NextDue() const {
    return order_.empty() ? std::numeric_limits<double>::infinity() : order_.front().due;
  }
  std::size_t size() const { return order_.size(); }
  /// Calls `visit(due, send)` in the order in which they come due.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    std::vector<Entry> sorted = order_;
    std::ranges::sort(sorted, [](const Entry& a, const Entry& b) { return IsLater(b, a); });
    for (const Entry& entry : sorted) visit(entry.due, *places_[entry.place].send);
  }

  /// Saves or restores all. `archive_send(DelayedEvent&)` does so with the pointer to the `<send>`.
  template <class ArchiveSend>
  void Archive(ChartArchive& archive, ArchiveSend archive_send);

 private:
  struct Entry {
    double due;
    std::uint64_t number;
    std::size_t place;
  };
  static bool IsLater(const Entry& a, const Entry& b) {
    return a.due != b.due ? a.due > b.due : a.number > b.number;
  }
  template <class Predicate>
  void RemoveIf(Predicate is_removed);

  std::vector<DelayedEvent> places_;
  std::vector<std::size_t> free_;
  std::vector<Entry> order_;  ///< a heap, the next one first
  std::uint64_t next_number_ = 0;
};

template <class Predicate>
void DelayedEvents::RemoveIf(Predicate is_removed) {
  const auto kept_end = std::remove_if(order_.begin(), order_.end(), [&](const Entry& entry) {
    if (!is_removed(places_[entry.place])) return false;
    places_[entry.place] = {};
    free_.push_back(entry.place);
    return true;
  });
  if (kept_end == order_.end()) return;
  order_.erase(kept_end, order_.end());
  std::ranges::make_heap(order_, IsLater);
}

template <class ArchiveSend>
void DelayedEvents::Archive(ChartArchive& archive, ArchiveSend archive_send) {
  std::size_t size = order_.size();
  archive.Value(size);
  if (!archive.is_good() || size > places_.size()) return archive.Refuse();
  if (archive.is_loading()) Clear();
  std::vector<Entry> sorted = order_;  // in the order in which they come due
  std::ranges::sort(sorted, [](const Entry& a, const Entry& b) { return IsLater(b, a); });
  for (std::size_t i = 0; i < size && archive.is_good(); ++i) {
    DelayedEvent loaded;
    DelayedEvent& delayed = archive.is_loading() ? loaded : places_[sorted[i].place];
    archive.Value(delayed.due);
    archive.Value(delayed.session);
    archive_send(delayed);
    archive.Text(delayed.target);
    archive.OneEvent(delayed.event);
    if (archive.is_loading()) Add(std::move(loaded));
  }
}

}  // namespace davit
