#pragma once

#include <cstdint>
#include <string>

#include "framework/run_log.h"
#include "server/hand_over.h"
#include "server/wall_time.h"

namespace davit {

/// Something that has happened in the run: a line of its event log, an alarm that has changed, that it began
/// again, or that it is on another branch of its recording.
struct RunNote {
  enum class Kind : std::uint8_t { kLine, kAlarm, kBegin, kBranch };
  Kind kind = Kind::kLine;
  double time = 0;         ///< simulated [s]
  std::uint64_t wall = 0;  ///< UTC [ns]
  RunLog::Severity severity = RunLog::Severity::kInfo;
  RunLog::Kind line_kind = RunLog::Kind::kNote;
  std::string path = {};    ///< kLine: of a component, `/crane/boom`; may be empty
  std::string text = {};    ///< kLine; kBranch: its name
  std::uint32_t alarm = 0;  ///< kAlarm: of AlarmWatch
  bool is_set = false;
  bool is_acknowledged = true;
  bool is_repeated = false;  ///< kAlarm: the recorded run was there before
};

/// A line of the event log, as it is written now.
inline RunNote ToNote(const RunLog::Entry& entry) {
  return {.kind = RunNote::Kind::kLine,
          .time = entry.time,
          .wall = WallTime(),
          .severity = entry.severity,
          .line_kind = entry.kind,
          .path = std::string(entry.path),
          .text = std::string(entry.text)};
}

}  // namespace davit
