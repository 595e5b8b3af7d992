#pragma once

#include <vector>

#include "python/binding.h"
#include "python/event_log.h"

namespace davit {

/// Tuples (time, path, text, kind, severity).
inline py::list EventTuples(const std::vector<LoggedEvent>& events) {
  static constexpr const char* kKinds[] = {"note", "level", "mode", "transition", "alarm", "message"};
  static constexpr const char* kSeverities[] = {"detail", "info", "warning", "error"};
  py::list list;
  for (const LoggedEvent& event : events) {
    list.append(py::make_tuple(event.time, event.path, event.text, kKinds[static_cast<int>(event.kind)],
                               kSeverities[static_cast<int>(event.severity)]));
  }
  return list;
}

}  // namespace davit
