#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/node_tree.h"
#include "server/run_note.h"

namespace davit {

/// A line of the run log.
struct LogLine {
  std::uint64_t number = 0;  ///< counted from 0
  double time = 0;           ///< simulated [s]
  std::uint64_t wall = 0;    ///< UTC [ns]
  RunLog::Severity severity = RunLog::Severity::kInfo;
  RunLog::Kind kind = RunLog::Kind::kNote;
  std::string path = {};  ///< of a component: `/crane/boom`; may be empty
  std::string text = {};
  std::uint64_t run = 0;  ///< of EventLog::run()
};

std::string_view ToText(RunLog::Severity severity);
std::string_view ToText(RunLog::Kind kind);

/// Something that clients are told of.
struct LiveEvent {
  enum class Kind : std::uint8_t {
    kAlarm,
    kLevel,       ///< a switch of a level or an aspect
    kTransition,  ///< of a chart of the system
    kMessage,     ///< to a component, or an event to charts, but those that charts send
    kLog,         ///< a warning or an error
  };
  std::uint64_t number = 0;  ///< counted from 0
  Kind kind = Kind::kLog;
  double time = 0;         ///< simulated [s]
  std::uint64_t wall = 0;  ///< UTC [ns]
  std::uint32_t node = 0;  ///< of the alarm or the component; the application where none is concerned
  std::string path = {};   ///< of the component, as on the command line; with the alarm
  std::string text = {};
  std::uint32_t code = 0;    ///< CodeFlags of StudioAPI
  std::uint32_t status = 0;  ///< StatusFlags of StudioAPI
  bool is_set = false;
  bool is_acknowledged = true;
  std::uint64_t run = 0;     ///< of EventLog::run()
  std::string branch = {};   ///< of the recording; empty where there is none
  bool is_repeated = false;  ///< an alarm of a recorded run that has gone to another time
};

std::string_view ToText(LiveEvent::Kind kind);

/// The bits that StudioAPI has for the state of an alarm.
std::uint32_t StatusOf(AlarmLevel level, bool is_set, bool is_acknowledged);

/// The last lines of the run log, the last events, and the last transitions of each chart, in memory of fixed
/// size. Used by the thread of the server alone.
class EventLog {
 public:
  static constexpr std::size_t kMostChanges = 5'000;  ///< of what the run does: transitions, switches, alarms
  static constexpr std::size_t kMostNotes = 10'000;   ///< what clients do, and all else
  static constexpr std::size_t kMostDetails = 5'000;
  static constexpr std::size_t kMostEvents = 5'000;
  static constexpr std::size_t kMostTransitions = 20;  ///< of a chart

  /// `tree` must outlive it.
  explicit EventLog(const NodeTree& tree);

  void Add(const RunNote& note);
  /// Lines that were dropped because too many came at once.
  void AddDropped(std::uint64_t lines);

  /// From this number on all lines are kept.
  std::uint64_t first_line() const;
  const std::deque<LiveEvent>& events() const { return events_; }
  std::uint64_t next_line() const { return next_line_; }
  std::uint64_t next_event() const { return next_event_; }
  /// Counts how often the run has begun anew: by its start, a reset, a snapshot.
  std::uint64_t run() const { return run_; }
  /// Of the chart at a display path.
  const std::deque<LogLine>* FindTransitions(std::string_view path) const;
  /// The lines with numbers from `after` on, at most `most`, in order.
  std::vector<const LogLine*> LinesAfter(std::uint64_t after, std::size_t most) const;

 private:
  void AddLine(LogLine line);
  std::deque<LogLine>& QueueOf(const LogLine& line);
  /// What a line is for those who are told of events; nothing where it is none, or where another note tells
  /// of it.
  static std::optional<LiveEvent::Kind> EventOf(const LogLine& line);
  void AddEvent(LiveEvent event);

  const NodeTree& tree_;
  // Each has its own bound: no flood of requests pushes out what the run did.
  std::deque<LogLine> changes_, notes_, details_;
  std::deque<LiveEvent> events_;
  std::map<std::string, std::deque<LogLine>, std::less<>> transitions_;  ///< by display path
  std::uint64_t next_line_ = 0;
  std::uint64_t next_event_ = 0;
  std::uint64_t run_ = 0;
  std::string branch_ = {};
};

}  // namespace davit
