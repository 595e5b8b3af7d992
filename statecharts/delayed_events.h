#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "statecharts/chart.h"

namespace davit {

/// An event that a <send> has put off.
struct DelayedEvent {
  double due = 0;             ///< [s]
  std::uint32_t session = 0;  ///< that has sent it
  const Send* send = nullptr;
  std::string target;  ///< where the <send> has a targetexpr
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
  /// Removes all of a session.
  void CancelAll(std::uint32_t session);
  /// The next one due at `time`, if any.
  std::optional<DelayedEvent> Take(double time);
  /// When the next one is due; infinity where there is none.
  double NextDue() const {
    return order_.empty() ? std::numeric_limits<double>::infinity() : order_.front().due;
  }
  std::size_t size() const { return order_.size(); }

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

}  // namespace davit
