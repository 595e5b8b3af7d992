#include "app/run_summary.h"
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include "app/energy_report.h"
#include "framework/counted.h"

namespace davit {
namespace {

nlohmann::ordered_json ToJson(const DurationHistogram& durations) {
  const ShownDurations shown = ShowDurations(durations);
  return {{"count", durations.count()},
          {"p50_s", shown[0]},
          {"p99_s", shown[1]},
          {"p999_s", shown[2]},
          {"max_s", shown[3]}};
}

/// `50 %: 12.3 us, 99 %: ...`.
std::string ToText(const DurationHistogram& durations) {
  const ShownDurations shown = ShowDurations(durations);
  return fmt::format("50 %: {:.4g} us, 99 %: {:.4g} us, 99.9 %: {:.4g} us, largest: {:.4g} us",
                     1e6 * shown[0], 1e6 * shown[1], 1e6 * shown[2], 1e6 * shown[3]);
}

nlohmann::ordered_json ToJson(const RunSummary& summary) {
  const RunStatistics& s = summary.statistics;
  const double wall = summary.wall_seconds;
  nlohmann::ordered_json json = {
      {"components", s.components},
      {"states", s.states},
      {"islands", s.islands},
      {"steps", s.steps},
      {"solver_steps", s.solver_steps},
      {"rejected_steps", s.rejected_steps},
      {"evaluations", s.evaluations},
      {"implicit_steps", s.implicit_steps},
      {"method_switches", s.method_switches},
      {"level_switches", s.level_switches},
      {"events", s.events},
      {"commands", s.commands},
      {"charts", s.charts},
      {"transitions", s.transitions},
      {"livelocks", s.livelocks},
      {"lost_events", s.lost_events},
      {"missed_periods", s.missed_periods},
      {"largest_work_share", s.largest_work_share},
      {"simulated_s", s.simulated},
      {"wall_s", wall},
      {"load_s", summary.load_seconds},
      {"real_time_factor", wall > 0 ? s.simulated / wall : 0.0},
      {"threads", s.threads},
      {"status", summary.status},
  };
  if (summary.real_time.steps.count() > 0) {
    json["lateness"] = ToJson(summary.real_time.lateness);
    json["step_duration"] = ToJson(summary.real_time.steps);
  }
  for (const PartStatistics& part : summary.parts) {
    json["processes"].push_back({{"rank", part.rank},
                                 {"components", part.components},
                                 {"work_s", part.work_seconds},
                                 {"wait_s", part.wait_seconds},
                                 {"waits_most_for", part.waits_most_for},
                                 {"messages", part.messages},
                                 {"bytes", part.bytes}});
  }
  if (summary.energy) json["energy"] = ToJson(*summary.energy);
  return json;
}

}  // namespace

void PrintSummary(const RunSummary& summary, std::ostream& out) {
  static const std::set<std::string_view> kRare{"implicit_steps",     "method_switches", "missed_periods",
                                                "largest_work_share", "charts",          "transitions",
                                                "livelocks",          "lost_events"};
  const nlohmann::ordered_json json = ToJson(summary);
  for (const auto& [key, value] : json.items()) {
    if ((kRare.contains(key) && value == 0) || value.is_structured()) continue;
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
                                                       : value.dump();
    out << fmt::format("{:<17} {}\n", key, text);
  }
  if (summary.real_time.steps.count() > 0) {
    out << fmt::format("{:<17} {}\n{:<17} {}\n", "lateness", ToText(summary.real_time.lateness),
                       "step_duration", ToText(summary.real_time.steps));
  }
  for (const PartStatistics& part : summary.parts) {
    out << fmt::format("{:<17} {}, {:.3g} s of work, {:.3g} s waiting{}, {}, {:.3g} MB\n",
                       fmt::format("process {}", part.rank), Counted(part.components, "component"),
                       part.work_seconds, part.wait_seconds,
                       part.waits_most_for < 0 ? "" : fmt::format(" (most for {})", part.waits_most_for),
                       Counted(part.messages, "message"), 1e-6 * static_cast<double>(part.bytes));
  }
  if (summary.energy) {
    out << '\n';
    PrintBalance(*summary.energy, out);
  }
}

bool WriteSummary(const RunSummary& summary, const std::filesystem::path& file) {
  std::ofstream stream(file);
  stream << ToJson(summary).dump(2) << '\n';
  return static_cast<bool>(stream.flush());
}

}  // namespace davit
