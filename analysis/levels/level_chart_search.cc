#include "analysis/levels/level_chart_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "analysis/levels/level_text.h"

namespace davit {
namespace {

/// How long indicators are small before a lower rung is taken, as a share of a window; and what is between
/// two switches.
constexpr double kHold = 0.5, kDwell = 0.1;
/// Attempts with smaller limits; of these, one after the other, that are no nearer to the tolerances.
constexpr int kAttempts = 3, kFailures = 2;
/// By which the aim shrinks at least after a chart beyond the tolerances, and how much of them the next one
/// is aimed at.
constexpr double kSmaller = 0.7, kAim = 0.8;

bool IsConstant(const LevelSchedule& schedule) {
  return std::ranges::all_of(schedule, [](const std::vector<std::size_t>& row) {
    return std::ranges::all_of(row, [&](std::size_t rung) { return rung == row.front(); });
  });
}

std::vector<std::size_t> FirstOf(const LevelSchedule& schedule) {
  std::vector<std::size_t> first;
  first.reserve(schedule.size());
  for (const std::vector<std::size_t>& row : schedule) first.push_back(row.front());
  return first;
}

}  // namespace

void LevelChartSearch::Run(const LevelBase& reference) {
  TryConstant();
  TryPredicted(reference);
  if (result_.HasChart() || trial_.is_stopped()) return;
  LevelLimits none;
  for (const LevelGroup& group : result_.groups) none.emplace_back(group.indicators.size(), kNoLimit);
  Try(none, reference.schedule, std::vector<double>(result_.metrics.size()));
}

bool LevelChartSearch::Try(const LevelLimits& limits, const LevelSchedule& schedule,
                           std::vector<double> predicted) {
  const double window =
      (result_.ends.back() - result_.starts.front()) / static_cast<double>(result_.ends.size());
  LevelChart chart;
  chart.text = LevelChartText(result_.groups, limits, FirstOf(schedule),
                              {.hold = kHold * window, .dwell = kDwell * window},
                              "Levels by indicators, found by davit levels.");
  const std::uint64_t most =
      (result_.HasChart() ? result_.chosen_chart().point.cost : result_.reference).evaluations;
  chart.point = trial_.RunChart(fmt::format("chart {}", result_.charts.size() + 1), chart.text, most);
  chart.point.predicted_errors = std::move(predicted);
  result_.charts.push_back(std::move(chart));
  const LevelPoint& point = result_.charts.back().point;
  if (!result_.HasChart() || IsBetter(point, result_.chosen_chart().point))
    result_.best_chart = result_.charts.size() - 1;
  return point.is_good();
}

void LevelChartSearch::TryConstant() {
  const LevelPoint* best = nullptr;
  for (const LevelPoint& point : result_.tried) {
    if (!IsConstant(point.schedule) || !point.is_good()) continue;
    if (best == nullptr || IsBetter(point, *best)) best = &point;
  }
  if (best == nullptr || trial_.is_stopped()) return;
  Try(LimitsAround(FirstOf(best->schedule), trial_.indicators()), best->schedule, best->errors);
}

void LevelChartSearch::TryPredicted(const LevelBase& reference) {
  double safety = kAim, nearest = std::numeric_limits<double>::infinity();
  int failures = 0;
  LevelLimits last;
  for (int attempt = 0; attempt < kAttempts && failures < kFailures && !trial_.is_stopped(); ++attempt) {
    const LevelLimits limits = ChooseLimits(trial_.metrics(), reference, trial_.indicators(), safety);
    const LevelSchedule schedule = ScheduleOf(limits, trial_.indicators());
    if (schedule == reference.schedule) return;
    if (limits == last) {
      safety *= kSmaller;
      continue;
    }
    last = limits;
    const ChosenLevels predicted = PredictLevels(trial_.metrics(), reference, schedule);
    if (Try(limits, schedule, trial_.metrics().ErrorsOf(predicted.deviation))) return;
    const LevelPoint& point = result_.charts.back().point;
    if (point.is_given_up) return;  // smaller limits cost more
    failures = point.fault.empty() && point.share < nearest ? 0 : failures + 1;
    if (point.fault.empty()) nearest = std::min(nearest, point.share);
    safety *= point.fault.empty() ? std::min(kSmaller, kAim / point.share) : kSmaller;
  }
}

}  // namespace davit
