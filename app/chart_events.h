#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/chart_options.h"
#include "framework/diagnostics.h"
#include "statecharts/interpreter.h"

namespace davit {

/// An event of the command line or a script: `[T] NAME [KEY=VALUE]...`.
struct ScriptedEvent {
  double time = 0;  ///< [s]
  std::string name;
  std::vector<std::pair<std::string, std::string>> values;
};

/// The events of a command in their order. T is a time such as `2`, `2s` or `200ms`, with a `+` from the
/// event before; without it the time of the event before. Lines that begin with `#` are comments. All faults
/// go to `diagnostics`.
std::vector<ScriptedEvent> ReadChartEvents(const ChartRunOptions& options, std::istream& in,
                                           Diagnostics& diagnostics);

/// The event as a session takes it. Values are numbers, true, false or texts.
Event MakeScriptedEvent(const ScriptedEvent& scripted, const Interpreter& session);

}  // namespace davit
