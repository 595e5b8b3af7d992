#include "analysis/levels/level_limits.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace davit {
namespace {

/// Beyond the largest indicator that was seen.
constexpr double kBeyond = 2;
/// Up to which a rung will do that neglected nothing.
constexpr double kNothing = 0.02;
/// Limits that save less than this share of all are not raised further.
constexpr double kLeastGain = 1e-3;

double Above(double largest) { return std::max(kBeyond * largest, kNothing); }

/// Values of limits that differ in what they make of a run: between two indicators each, and above all.
std::vector<double> LimitsBetween(const LevelIndicators& indicators, std::size_t group, std::size_t rung) {
  std::vector<double> seen;
  seen.reserve(indicators.size());
  for (const auto& window : indicators) seen.push_back(window[group][rung]);
  std::ranges::sort(seen);
  const auto repeated = std::ranges::unique(seen);
  seen.erase(repeated.begin(), repeated.end());
  std::vector<double> limits;
  limits.reserve(seen.size());
  for (std::size_t i = 0; i + 1 < seen.size(); ++i)
    limits.push_back(seen[i] > 0 ? std::sqrt(seen[i] * seen[i + 1]) : seen[i + 1] / 2);
  limits.push_back(Above(seen.back()));
  return limits;
}

}  // namespace

LevelSchedule ScheduleOf(const LevelLimits& limits, const LevelIndicators& indicators) {
  LevelSchedule schedule;
  schedule.reserve(limits.size());
  for (std::size_t g = 0; g < limits.size(); ++g) {
    std::vector<std::size_t>& row = schedule.emplace_back(indicators.size(), limits[g].size());
    for (std::size_t w = 0; w < row.size(); ++w) {
      for (std::size_t rung = 0; rung < row[w]; ++rung) {
        if (indicators[w][g][rung] <= limits[g][rung]) row[w] = rung;
      }
    }
  }
  return schedule;
}

LevelLimits ChooseLimits(const LevelMetrics& metrics, const LevelBase& base,
                         const LevelIndicators& indicators, double safety) {
  LevelLimits limits;
  limits.reserve(base.schedule.size());
  for (std::size_t g = 0; g < base.schedule.size(); ++g)
    limits.emplace_back(indicators.front()[g].size(), kNoLimit);
  double all = 0;
  for (const double cost : base.costs) all += cost;
  double saved = 0;
  for (bool has_risen = true; has_risen;) {
    has_risen = false;
    double best = saved + kLeastGain * all;
    std::optional<LevelLimits> next;
    for (std::size_t g = 0; g < limits.size(); ++g) {
      for (std::size_t rung = 0; rung < limits[g].size(); ++rung) {
        for (const double limit : LimitsBetween(indicators, g, rung)) {
          if (limit <= limits[g][rung]) continue;
          LevelLimits trial = limits;
          trial[g][rung] = limit;
          const ChosenLevels predicted = PredictLevels(metrics, base, ScheduleOf(trial, indicators));
          if (predicted.saving <= best) continue;
          if (metrics.ShareOf(metrics.ErrorsOf(predicted.deviation)) > safety) continue;
          best = predicted.saving;
          next = std::move(trial);
        }
      }
    }
    if (!next) break;
    limits = *std::move(next);
    saved = best;
    has_risen = true;
  }
  return limits;
}

LevelLimits LimitsAround(const std::vector<std::size_t>& rungs, const LevelIndicators& indicators) {
  LevelLimits limits;
  limits.reserve(rungs.size());
  for (std::size_t g = 0; g < rungs.size(); ++g) {
    std::vector<double>& row = limits.emplace_back(indicators.front()[g].size(), kNoLimit);
    for (std::size_t rung = rungs[g]; rung < row.size(); ++rung) {
      double largest = 0;
      for (const auto& window : indicators) largest = std::max(largest, window[g][rung]);
      row[rung] = Above(largest);
    }
  }
  return limits;
}

}  // namespace davit
