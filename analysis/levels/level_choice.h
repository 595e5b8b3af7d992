#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/levels/level_group.h"
#include "analysis/levels/level_metrics.h"

namespace davit {

/// What one other rung of one group in one window does to a run.
struct LevelEffect {
  std::size_t group = 0, window = 0, rung = 0;
  LevelCost cost = {};        ///< of the window
  std::uint64_t after = 0;    ///< evaluations of what was run beyond the window
  double saving = 0;          ///< evaluations that the window and its ends need less; negative: more
  std::size_t first_row = 0;  ///< of the run, where the window begins
  /// Of the channels, row by row from there; after the last row it stays.
  std::vector<double> deviation = {};
  std::vector<double> errors = {};  ///< of the metrics [SI], if it is the only change of the reference
  bool is_usable = true;            ///< false: the system does not run with it
};

/// How much of a tolerance a choice may use by prediction.
inline constexpr double kLevelSafety = 0.8;

/// The aim, a share of the tolerances, after a schedule that was chosen for `aim` and is beyond them.
/// `share`: of its true error, 0 if it did not run to its end. If errors are in proportion to the aim, the
/// next schedule keeps kLevelSafety of the tolerances.
double SmallerAim(double aim, double share);

/// Deviations of a run from the reference, as effects add them up.
class LevelSum {
 public:
  LevelSum(const LevelMetrics& metrics, std::vector<double> deviation)
      : metrics_(&metrics), deviation_(std::move(deviation)) {}

  const std::vector<double>& deviation() const { return deviation_; }
  /// The largest share of a tolerance.
  double Share() const { return metrics_->ShareOf(metrics_->ErrorsOf(deviation_)); }
  /// Adds `weight` times an effect.
  void Add(const LevelEffect& effect, double weight);

 private:
  const LevelMetrics* metrics_;
  std::vector<double> deviation_;
};

/// A schedule that has run, and what is known around it.
struct LevelBase {
  LevelSchedule schedule = {};
  std::vector<double> deviation = {};     ///< of its run from the reference
  std::vector<double> costs = {};         ///< evaluations by window
  std::vector<LevelEffect> effects = {};  ///< of one other rung of one group in one window
  double switch_cost = 0;                 ///< evaluations that a switch costs
};

/// Switches that a group has at both ends of a window less with another rung there. Negative: more.
double FewerSwitches(const std::vector<std::size_t>& row, std::size_t window, std::size_t rung);

/// What a base says around the reference: the effect of a rung is its difference from that of the highest.
/// `schedule` and `costs` are those of the reference. Where the base has no effects in a window, all groups
/// save the same there.
LevelBase Rebase(const LevelMetrics& metrics, const LevelBase& base, LevelSchedule schedule,
                 std::vector<double> costs);

/// A schedule by prediction.
struct ChosenLevels {
  LevelSchedule schedule = {};
  std::vector<double> deviation = {};
  double saving = 0;  ///< evaluations less than the base
};

/// What a base predicts of a schedule. What it does not know has no error and saves nothing.
ChosenLevels PredictLevels(const LevelMetrics& metrics, const LevelBase& base, const LevelSchedule& schedule);

/// The cheapest schedule that a base predicts within `safety` of all tolerances. First a greedy choice by
/// error per saving, as for the knapsack of errors and costs; then moves that save most: a group gets another
/// rung in a window, a run of windows gets that of the windows before or behind, or all windows get one.
/// `is_careful`: at most one group changes in a window, because costs of two need not add up.
ChosenLevels ChooseLevels(const LevelMetrics& metrics, const LevelBase& base, double safety, bool is_careful);

/// The same with one rung for each group over the whole run. `rungs`: how many each group has.
ChosenLevels ChooseFixedLevels(const LevelMetrics& metrics, const LevelBase& base,
                               std::span<const std::size_t> rungs, double safety);

}  // namespace davit
