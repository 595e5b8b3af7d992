#pragma once

#include <cstdint>
#include <string>

#include "framework/run_log.h"
#include "server/hand_over.h"

namespace davit {

/// Something that has happened in the run: a line of its event log, an alarm that has changed, or that it
/// began again.
struct RunNote {
  enum class Kind : std::uint8_t { kLine, kAlarm, kBegin };
  Kind kind = Kind::kLine;
  double time = 0;         ///< simulated [s]
  std::uint64_t wall = 0;  ///< UTC [ns]
  RunLog::Severity severity = RunLog::Severity::kInfo;
  std::string line = {};    ///< kLine: `t = 1.25 s: /path: text`
  std::uint32_t alarm = 0;  ///< kAlarm: of AlarmWatch
  bool is_set = false;
  bool is_acknowledged = true;
};

}  // namespace davit
