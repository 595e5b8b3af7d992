#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_group.h"
#include "analysis/levels/level_metrics.h"
#include "analysis/levels/level_runner.h"

namespace davit {

/// A schedule that was run, or an assignment that a user might have made.
struct LevelPoint {
  std::string name = {};                      ///< `schedule 1`, `Ideal`, `as the file has it`
  LevelSchedule schedule = {};                ///< empty where the runs are not those of a schedule
  std::vector<double> errors = {};            ///< by metric [SI]
  double share = 0;                           ///< the largest share of a tolerance
  std::vector<double> predicted_errors = {};  ///< by metric, before it had run; empty: not predicted
  LevelCost cost = {};
  std::uint64_t switches = 0;
  std::string fault = {};    ///< why it did not run; empty: it did
  bool is_given_up = false;  ///< because it costs more than another one; that is its fault

  bool is_good() const { return fault.empty() && share <= 1; }
};

/// Whether the first of two runs is the better one: within the tolerances, cheaper, nearer to them.
inline bool IsBetter(const LevelPoint& a, const LevelPoint& b) {
  if (a.is_good() != b.is_good()) return a.is_good();
  if (!a.fault.empty() || !b.fault.empty()) return a.fault.empty() && !b.fault.empty();
  return a.is_good() ? a.cost.evaluations < b.cost.evaluations : a.share < b.share;
}

/// A chart (SCXML) that chooses levels by indicators.
struct LevelChart {
  LevelPoint point = {};
  std::string text = {};
};

struct LevelsResult {
  std::vector<LevelGroup> groups = {};
  std::vector<LevelMetric> metrics = {};
  std::vector<double> starts = {};  ///< of the windows [s]
  std::vector<double> ends = {};
  LevelCost reference = {};
  std::vector<LevelEffect> effects = {};  ///< on the reference
  std::vector<LevelPoint> fixed = {};     ///< Ideal, Standard, the file itself
  std::vector<LevelPoint> tried = {};     ///< schedules, in the order they ran
  std::size_t best = 0;                   ///< of `tried`
  std::vector<LevelChart> charts = {};    ///< that have run, where a chart is asked for
  std::size_t best_chart = 0;             ///< of `charts`
  std::uint64_t probes = 0;
  LevelCost spent = {};      ///< all runs and probes but the reference
  bool is_complete = false;  ///< not stopped before
  bool is_shard = false;     ///< some of the probes around the reference, and nothing else

  const LevelPoint& chosen() const { return tried[best]; }
  /// Pre: there are charts.
  const LevelChart& chosen_chart() const { return charts[best_chart]; }
  /// Whether one keeps all tolerances.
  bool HasChart() const { return !charts.empty() && chosen_chart().point.is_good(); }
  /// The largest share of a tolerance that was predicted for a run.
  std::optional<double> PredictedShare(const LevelPoint& point) const {
    if (point.predicted_errors.empty()) return std::nullopt;
    return ShareOf(metrics, point.predicted_errors);
  }
  /// How many runs of the reference the study has cost, itself included.
  double Runs() const {
    return 1 + static_cast<double>(spent.evaluations) / static_cast<double>(reference.evaluations);
  }
};

}  // namespace davit
