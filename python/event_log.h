#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "framework/run_log.h"

namespace davit {

/// A line of the run log that is kept.
struct LoggedEvent {
  double time = 0;  ///< simulated [s]
  RunLog::Severity severity = RunLog::Severity::kInfo;
  RunLog::Kind kind = RunLog::Kind::kNote;
  std::string path;  ///< of a component: `/crane/boom`; may be empty
  std::string text;
};

/// The lines of the run log of one simulation; the latest kMost. From any thread.
class EventLog {
 public:
  static constexpr std::size_t kMost = 200'000;

  void Take(const RunLog::Entry& entry) {
    // The default charts of components mirror what the other lines say.
    if (entry.kind == RunLog::Kind::kTransition && entry.severity == RunLog::Severity::kDetail) return;
    const std::lock_guard lock(mutex_);
    if (events_.size() == kMost) {
      events_.pop_front();
      ++dropped_;
    }
    events_.push_back(
        {entry.time, entry.severity, entry.kind, std::string(entry.path), std::string(entry.text)});
  }
  /// How many have come since the beginning.
  std::uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return dropped_ + events_.size();
  }
  /// Those that came after the first `count`, as far as they are kept.
  std::vector<LoggedEvent> After(std::uint64_t count) const {
    const std::lock_guard lock(mutex_);
    const std::uint64_t begin = count > dropped_ ? count - dropped_ : 0;
    if (begin >= events_.size()) return {};
    return {events_.begin() + static_cast<std::ptrdiff_t>(begin), events_.end()};
  }

 private:
  mutable std::mutex mutex_;
  std::deque<LoggedEvent> events_;
  std::uint64_t dropped_ = 0;
};

}  // namespace davit
