#include "app/run_summary.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string_view>

namespace davit {
namespace {

nlohmann::ordered_json ToJson(const RunSummary& summary) {
  const RunStatistics& s = summary.statistics;
  const double wall = summary.wall_seconds;
  return {
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
}

}  // namespace

void PrintSummary(const RunSummary& summary, std::ostream& out) {
  static const std::set<std::string_view> kRare{"implicit_steps",     "method_switches", "missed_periods",
                                                "largest_work_share", "charts",          "transitions",
                                                "livelocks",          "lost_events"};
  const nlohmann::ordered_json json = ToJson(summary);
  for (const auto& [key, value] : json.items()) {
    if (kRare.contains(key) && value == 0) continue;
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format("{:.6g}", value.get<double>())
                                                       : value.dump();
    out << fmt::format("{:<17} {}\n", key, text);
  }
}

bool WriteSummary(const RunSummary& summary, const std::filesystem::path& file) {
  std::ofstream stream(file);
  stream << ToJson(summary).dump(2) << '\n';
  return static_cast<bool>(stream.flush());
}

}  // namespace davit
