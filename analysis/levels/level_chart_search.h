#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_limits.h"
#include "analysis/levels/level_result.h"
#include "analysis/levels/level_trial.h"

namespace davit {

/// Searches a chart that keeps all tolerances in the run of a study: limits of indicators by what the probes
/// of the reference predict, and around the cheapest levels that never change. Each chart runs; one that
/// exceeds a tolerance is followed by one with smaller limits.
class LevelChartSearch {
 public:
  /// Both must outlive the search.
  LevelChartSearch(LevelTrial& trial, LevelsResult& result) : trial_(trial), result_(result) {}

  /// Fills `charts` and `best_chart` of the result. Pre: LevelSearch has run, and `reference` is its base.
  void Run(const LevelBase& reference);

 private:
  /// Whether the chart keeps the tolerances.
  bool Try(const LevelLimits& limits, const LevelSchedule& schedule, std::vector<double> predicted);
  void TryConstant();
  void TryPredicted(const LevelBase& reference);

  LevelTrial& trial_;
  LevelsResult& result_;
};

}  // namespace davit
