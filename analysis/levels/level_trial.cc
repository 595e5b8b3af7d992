#include "analysis/levels/level_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

#include "analysis/levels/level_windows.h"
#include "analysis/levels/reference_probes.h"
#include "framework/xml/file_source.h"

namespace davit {
namespace {

std::vector<double> EvaluationsOf(const std::vector<LevelCost>& costs) {
  std::vector<double> evaluations;
  evaluations.reserve(costs.size());
  for (const LevelCost& cost : costs) evaluations.push_back(static_cast<double>(cost.evaluations));
  return evaluations;
}

}  // namespace

LevelTrial::LevelTrial(const CaseSetup& highest, const CaseSetup& given, const Registry& registry,
                       LevelProbes& probes, const StudyCalls& calls, LevelsResult& result)
    : highest_(highest),
      given_(given),
      registry_(registry),
      probes_(probes),
      calls_(calls),
      result_(result),
      runner_(highest, registry, result.groups) {}

std::string LevelTrial::FaultOfReference(const std::string& fault) const {
  std::string runs;
  for (const Level level : {Level::kStandard, Level::kIdeal}) {
    CaseSetup setup = given_;
    setup.options.load.level = {fmt::format("*={}", davit::ToText(level))};
    LevelRunner runner(setup, registry_, {});
    if (runner.Run(WindowPlan{.ends = {runner.stop_time()}}, {}, {}).fault.empty())
      runs += fmt::format("{}{}", runs.empty() ? "" : " and ", davit::ToText(level));
  }
  return fmt::format(
      "the reference run, with all components at their highest level, fails: {}{}", fault,
      runs.empty() ? "; neither does it run with all at Standard or Ideal" : "; it runs with all at " + runs);
}

bool LevelTrial::RunReference(const WindowPlan& windows, CurveNorm norm) {
  const double begin = runner_.start_time(), span = runner_.stop_time() - begin;
  reference_ = runner_.Run(
      windows, [this](std::size_t group, std::size_t) { return result_.groups[group].levels.size() - 1; },
      calls_.stop,
      [&](double t) {
        calls_.Show(static_cast<std::uint64_t>(1000 * (t - begin) / span), 1000, "reference");
      });
  if (!reference_.fault.empty()) throw std::runtime_error(FaultOfReference(reference_.fault));
  if (reference_.is_stopped) return false;
  if (windows.ends.empty()) reference_ = JoinWindows(reference_, windows);
  metrics_ = LevelMetrics(result_.metrics, runner_.metrics(), norm);
  Diagnostics found;
  metrics_.SetReference(reference_.rows, found);
  if (found.has_errors()) throw std::runtime_error(found.all().front().message());
  result_.metrics.assign(metrics_.all().begin(), metrics_.all().end());
  result_.ends = reference_.ends;
  result_.starts = {begin};
  result_.starts.insert(result_.starts.end(), reference_.ends.begin(), reference_.ends.end() - 1);
  result_.reference = reference_.cost();
  return true;
}

std::vector<double> LevelTrial::DeviationOf(const ChannelRows& rows) const {
  std::vector<double> deviation(rows.values.size());
  std::ranges::transform(rows.values, reference_.rows.values, deviation.begin(), std::minus());
  return deviation;
}

/// Cost, errors and fault of a run.
void LevelTrial::Judge(const LevelRun& run, LevelPoint& point) const {
  point.cost = run.cost();
  point.switches = run.switches;
  point.is_given_up = run.is_too_costly;
  point.fault = run.is_too_costly ? "costs more than another schedule" : run.fault;
  if (point.fault.empty() && run.rows.time.size() != reference_.rows.time.size())
    point.fault = run.is_stopped ? "stopped" : "the run ends at another time";
  if (!point.fault.empty()) return;
  point.errors = metrics_.ErrorsOf(DeviationOf(run.rows));
  point.share = metrics_.ShareOf(point.errors);
}

LevelPoint LevelTrial::Run(std::string name, const LevelSchedule& schedule, LevelRun* run,
                           std::uint64_t most_evaluations) {
  calls_.Show(0, 0, name);
  LevelPoint point{.name = std::move(name), .schedule = schedule};
  LevelRun made = runner_.Run(
      WindowPlan{.ends = result_.ends, .most_evaluations = most_evaluations},
      [&](std::size_t group, std::size_t window) { return schedule[group][window]; }, calls_.stop);
  Judge(made, point);
  result_.spent += point.cost;
  if (run != nullptr) *run = std::move(made);
  return point;
}

LevelPoint LevelTrial::RunChart(std::string name, const std::string& text, std::uint64_t most_evaluations) {
  calls_.Show(0, 0, name);
  CaseSetup setup = highest_;
  LoadOptions& load = setup.options.load;
  load.levels->chart = std::filesystem::absolute("level_chart.scxml");
  load.files = std::make_shared<const OneTextFiles>(load.files, *load.levels->chart, text);
  LevelPoint point{.name = std::move(name)};
  LevelRunner runner(setup, registry_, {});
  Judge(runner.Run(WindowPlan{.ends = result_.ends, .most_evaluations = most_evaluations}, {}, calls_.stop),
        point);
  result_.spent += point.cost;
  return point;
}

LevelPoint LevelTrial::RunAsGiven() {
  LevelPoint point{.name = "as the file has it"};
  LevelRunner runner(given_, registry_, {});
  Judge(runner.Run(WindowPlan{.ends = result_.ends}, {}, calls_.stop), point);
  result_.spent += point.cost;
  return point;
}

LevelBase LevelTrial::BaseOfReference(const Shard& shard) {
  ReferenceProbes probes(probes_, metrics_, reference_, result_, shard);
  probe_ = probes.count();
  const double switch_cost = shard.count == 1 ? FindSwitchCost(reference_, TopSchedule()) : 0;
  return probes.Run(switch_cost, calls_.stop);
}

LevelBase LevelTrial::AroundReference(const LevelBase& base) const {
  return Around(base, reference_, TopSchedule());
}

LevelBase LevelTrial::Around(const LevelBase& base, const LevelRun& run,
                             const LevelSchedule& schedule) const {
  LevelBase around = Rebase(metrics_, base, schedule, EvaluationsOf(run.costs));
  around.deviation = DeviationOf(run.rows);
  return around;
}

LevelBase LevelTrial::BaseOf(std::string_view name, const LevelRun& run, const LevelSchedule& schedule) {
  std::vector<LevelProbes::Job> jobs;
  for (std::size_t w = 0; w < result_.ends.size(); ++w) {
    for (std::size_t g = 0; g < result_.groups.size(); ++g) {
      for (std::size_t rung = 0; rung < result_.groups[g].levels.size(); ++rung) {
        if (rung != schedule[g][w]) jobs.push_back({++probe_, g, w, rung});
      }
    }
  }
  return {.schedule = schedule,
          .deviation = DeviationOf(run.rows),
          .costs = EvaluationsOf(run.costs),
          .effects = probes_.Run({name, run, schedule}, metrics_, jobs),
          .switch_cost = FindSwitchCost(run, schedule)};
}

double LevelTrial::RunsAround(double evaluations) const {
  double rungs = 0;
  for (const LevelGroup& group : result_.groups) rungs += static_cast<double>(group.levels.size() - 1);
  return rungs * LevelProbes::kLength * evaluations / static_cast<double>(result_.reference.evaluations);
}

/// Half of what a detour over another rung for one TimeStep costs; the median of a few windows.
double LevelTrial::FindSwitchCost(const LevelRun& around, const LevelSchedule& schedule) {
  constexpr std::size_t kWindows = 7;
  const std::size_t groups = result_.groups.size();
  std::vector<double> costs;
  for (std::size_t i = 0; i < kWindows && !is_stopped(); ++i) {
    const std::size_t w = i * result_.ends.size() / kWindows;
    const std::size_t g = i % groups;
    std::vector<std::size_t> after(groups);
    for (std::size_t k = 0; k < groups; ++k) after[k] = schedule[k][w];
    std::vector<std::size_t> in = after;
    in[g] = in[g] == 0 ? 1 : in[g] - 1;
    const LevelProbe probe = runner_.Probe(around.snapshots[w], result_.starts[w] + runner_.time_step(), in,
                                           result_.ends[w], after, calls_.stop);
    result_.spent += probe.cost;
    result_.spent += probe.rest;
    if (!probe.fault.empty()) continue;
    costs.push_back((static_cast<double>(probe.cost.evaluations + probe.rest.evaluations) -
                     static_cast<double>(around.costs[w].evaluations)) /
                    2);
  }
  if (costs.empty()) return 0;
  std::ranges::sort(costs);
  return std::max(0.0, costs[costs.size() / 2]);
}

}  // namespace davit
