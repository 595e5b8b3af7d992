#include "analysis/faults/detection.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/alarm.h"
#include "framework/tree/glob.h"
#include "simulator/charts/chart_set.h"
#include "statecharts/chart_watch.h"
#include "statecharts/session_table.h"

namespace davit {

/// One chart, and the charts that it invokes.
class Detection::Watch final : public ChartWatch {
 public:
  Watch(Detection& detection, ChartBinding& chart) : detection_(detection), chart_(chart) {
    chart.table().set_watch(this);
  }
  ~Watch() override { chart_.table().set_watch(nullptr); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void OnEntered(const Interpreter& session, StateId state) override {
    detection_.Add(fmt::format("{}.{}", chart_.node().path(), session.chart().names[state].id),
                   detection_.simulation_.time());
  }

 private:
  Detection& detection_;
  ChartBinding& chart_;
};

Detection::Detection(Simulation& simulation) : simulation_(simulation) {
  for (ChartBinding* chart : simulation.manager().charts().charts()) {
    if (!chart->is_default()) watches_.push_back(std::make_unique<Watch>(*this, *chart));
  }
}

Detection::~Detection() = default;

void Detection::Add(std::string name, double time) {
  if (std::ranges::find(seen_, name, &Sign::name) == seen_.end()) seen_.push_back({std::move(name), time});
}

void Detection::OnLog(const RunLog::Entry& entry) {
  if (entry.kind != RunLog::Kind::kAlarm) return;
  // `alarm overpressure set (warning): ...`
  constexpr std::string_view kBegin = "alarm ", kEnd = " set (";
  const std::size_t end = entry.text.find(kEnd);
  if (!entry.text.starts_with(kBegin) || end == std::string_view::npos || entry.path.empty()) return;
  std::string path(entry.path.substr(1));
  std::ranges::replace(path, '/', '.');
  Add(fmt::format("{}.{}", path, entry.text.substr(kBegin.size(), end - kBegin.size())), entry.time);
}

std::optional<Detection::Sign> Detection::First(const std::set<std::string>& usual,
                                                const std::vector<std::string>& globs) const {
  std::optional<Sign> first;
  for (const Sign& sign : seen_) {
    const bool counts = globs.empty() || std::ranges::any_of(globs, [&](const std::string& glob) {
                          return MatchesGlob(sign.name, glob) || MatchesGlob(sign.name, glob + ".*");
                        });
    if (counts && !usual.contains(sign.name) && (!first || sign.time < first->time)) first = sign;
  }
  return first;
}

std::vector<std::string> Detection::Names(Simulation& simulation) {
  std::vector<std::string> names;
  for (const ChartBinding* chart : simulation.manager().charts().charts()) {
    if (chart->is_default()) continue;
    for (const auto& state : chart->chart()->names) {
      if (!state.id.empty()) names.push_back(fmt::format("{}.{}", chart->node().path(), state.id));
    }
  }
  for (const Component* component : simulation.system().components()) {
    for (const Alarm* alarm : component->declarations().alarms)
      names.push_back(fmt::format("{}.{}", component->path(), alarm->label().name));
  }
  return names;
}

}  // namespace davit
