#pragma once

#include <cstdint>
#include <vector>

#include "framework/alarm.h"
#include "framework/system.h"
#include "server/run_note.h"

namespace davit {

/// Looks at all alarms of a system and notes what has changed since the last look, in the thread that drives.
class AlarmWatch {
 public:
  /// The alarms of a system, in the order of their components.
  static std::vector<Alarm*> AlarmsOf(const System& system) {
    std::vector<Alarm*> alarms;
    for (const Component* component : system.components())
      for (Alarm* alarm : component->declarations().alarms) alarms.push_back(alarm);
    return alarms;
  }

  explicit AlarmWatch(const System& system) {
    for (Alarm* alarm : AlarmsOf(system)) seen_.push_back({alarm});
  }

  /// `is_repeated`: a recorded run is where it was before, and what has changed there is known.
  void Look(double t, std::uint64_t wall, HandOver<RunNote>& notes, bool is_repeated = false) {
    for (std::uint32_t i = 0; i < seen_.size(); ++i) {
      Seen& seen = seen_[i];
      const Alarm& alarm = *seen.alarm;
      const bool was_short = !seen.is_set && !alarm.is_set() && alarm.count() > seen.count;
      const bool has_changed =
          alarm.is_set() != seen.is_set || alarm.is_acknowledged() != seen.is_acknowledged || was_short;
      seen.count = alarm.count();
      if (!has_changed) continue;
      const auto note = [&](bool is_set) {
        notes.Give({.kind = RunNote::Kind::kAlarm,
                    .time = t,
                    .wall = wall,
                    .alarm = i,
                    .is_set = is_set,
                    .is_acknowledged = alarm.is_acknowledged(),
                    .is_repeated = is_repeated});
      };
      if (was_short) note(true);
      note(alarm.is_set());
      seen.is_set = alarm.is_set();
      seen.is_acknowledged = alarm.is_acknowledged();
    }
  }

 private:
  struct Seen {
    const Alarm* alarm;
    bool is_set = false;
    bool is_acknowledged = true;
    std::uint64_t count = 0;
  };
  std::vector<Seen> seen_;
};

}  // namespace davit
