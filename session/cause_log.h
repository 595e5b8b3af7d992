#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/run_log.h"

namespace davit {

/// What has happened in a run and what has brought it about, from the entries of its run log: for each item,
/// chart and event the last kMostAlike.
class CauseLog {
 public:
  static constexpr std::size_t kMostAlike = 16;
  /// Of items, charts and events; of further ones nothing is kept.
  static constexpr std::size_t kMostSubjects = 20'000;

  struct Record {
    std::uint64_t number = 0;  ///< counted from 0
    double time = 0;           ///< [s]
    RunLog::Kind kind = RunLog::Kind::kNote;
    std::string path;  ///< of a component: `/crane/boom`; may be empty
    std::string text;  ///< as in the run log
    std::string item;
    std::string sender;
    std::string event;
    std::vector<std::string> targets;
    std::vector<RunLog::Operand> operands;
  };

  void Add(const RunLog::Entry& entry);
  std::uint64_t count() const { return count_; }
  /// As it was when count() was this.
  void Truncate(std::uint64_t count);
  /// Nothing is known of what came before; the next record has this number.
  void Clear(std::uint64_t count);

  // The last before record number `before`, and not after `time`; null where there is none.
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};
  /// That the item was written: by whoever.
  const Record* FindWrite(std::string_view item, std::uint64_t before = kAll) const;
  /// That levels or aspects of a component have changed, a mode or an alarm; `item`: path of the component,
  /// mode or alarm.
  const Record* FindChange(std::string_view item, std::uint64_t before = kAll,
                           double time = std::numeric_limits<double>::infinity()) const;
  /// That the chart at a display path has taken a transition; to a state, where one is named.
  const Record* FindTransition(std::string_view chart, std::string_view state = {},
                               std::uint64_t before = kAll,
                               double time = std::numeric_limits<double>::infinity()) const;
  /// That an event was sent to the chart, or to all.
  const Record* FindEvent(std::string_view chart, std::string_view event, std::uint64_t before = kAll) const;
  /// All writes and messages before a record, the last ones first.
  std::vector<const Record*> WritesBefore(std::uint64_t before) const;

 private:
  static std::string SubjectOf(const RunLog::Entry& entry);
  template <class Wanted>
  const Record* Find(const std::string& subject, std::uint64_t before, const Wanted& wanted) const;

  std::map<std::string, std::deque<Record>, std::less<>> records_;  ///< by subject
  std::uint64_t count_ = 0;
};

}  // namespace davit
