#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/chart_command.h"
#include "app/chart_events.h"
#include "app/chart_trace.h"
#include "app/exit_code.h"
#include "app/load_chart.h"
#include "app/print_diagnostics.h"
#include "app/virtual_run.h"
#include "framework/nearest_name.h"
#include "statecharts/session_table.h"
#include "statecharts/time_text.h"

namespace davit {
namespace {

constexpr double kLongestUntilFinal = 3600;  // [s]
constexpr double kLongestAfterEvents = 60;   // [s]

/// A time of the command line; nothing after an error.
std::optional<double> ReadTime(const char* option, const std::string& text, double otherwise,
                               std::ostream& err) {
  if (text.empty()) return otherwise;
  const bool is_bare = text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  const std::optional<double> time = ParseTime(is_bare ? text + "s" : text);
  if (!time) err << option << " " << text << ": error: no time; write for example " << option << " 10s\n";
  return time;
}

}  // namespace

int RunChart(const ChartRunOptions& options, std::istream& in, std::ostream& out, std::ostream& err) {
  const LoadedChart lone = LoadChartFor(options.load, err);
  const std::shared_ptr<const Chart>& chart = lone.chart;
  Diagnostics diagnostics;
  const std::vector<ScriptedEvent> events = ReadChartEvents(options, in, diagnostics);
  PrintDiagnostics(diagnostics, err);
  const double last = events.empty() ? 0 : events.back().time;
  const std::optional<double> max_time =
      ReadTime("--max-time", options.max_time,
               options.is_until_final ? kLongestUntilFinal : last + kLongestAfterEvents, err);
  const std::optional<double> step = ReadTime("--step", options.step, 0.01, err);
  if (step && *step <= 0) err << "--step " << options.step << ": error: the step must be > 0\n";
  if (chart == nullptr || diagnostics.has_errors() || !max_time || !step || *step <= 0) return kWrongInput;

  ChartTrace trace(out, err, options.is_quiet);
  SessionTable table(chart, lone.system.get(), &trace);
  trace.Watch(table);
  VirtualRun run(table, *step);
  run.Start();
  for (const ScriptedEvent& event : events) {
    if (event.time > *max_time) break;
    run.AdvanceTo(event.time);
    run.Send(event);
  }
  run.AdvanceTo(*max_time);

  if (options.is_quiet) out << AtomicStatesText(table.session()) << '\n';
  if (run.is_in_storm()) {
    err << fmt::format(
        "{}: error: events without end at {:.9g} s, in {}; an event that sends itself needs a delay\n",
        options.load.chart.string(), table.time(), ConfigurationText(table.session()));
  }
  if (table.is_stuck() || run.is_in_storm()) return kRunFailed;
  if (options.is_until_final && !table.session().has_reached_final()) {
    err << fmt::format("{}: error: no final state within {:.9g} s; the chart is in {}\n",
                       options.load.chart.string(), *max_time, ConfigurationText(table.session()));
    return kRunFailed;
  }
  return kDone;
}

}  // namespace davit
