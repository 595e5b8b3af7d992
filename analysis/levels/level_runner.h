#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/levels/level_group.h"
#include "analysis/study/case_runner.h"
#include "analysis/study/measure_set.h"
#include "session/simulation.h"

namespace davit {

/// What computing has cost.
struct LevelCost {
  std::uint64_t evaluations = 0;  ///< of the equations of islands
  std::uint64_t steps = 0;        ///< of solvers, accepted
  double wall_s = 0;

  LevelCost& operator+=(const LevelCost& other);
};

/// The channels of the metrics (MeasureSet) at the end of each TimeStep: row after row.
struct ChannelRows {
  std::vector<double> time = {};                ///< [s]
  std::vector<double> values = {};              ///< time.size() * channels
  std::vector<std::uint64_t> evaluations = {};  ///< since the run or the snapshot began
};

/// Where windows may end.
struct WindowPlan {
  std::vector<double> ends = {};       ///< [s], rising; empty: the run itself says where, see JoinWindows
  double longest = 0;                  ///< [s] of a window, if there are no `ends`
  double shortest = 0;                 ///< [s] that a change of phase may not cut shorter
  double largest_share = 1;            ///< of the evaluations of the run in a window, if there are no `ends`
  std::uint64_t most_evaluations = 0;  ///< more give the run up; 0: no limit
};

/// A whole run, cut into windows.
struct LevelRun {
  double begin = 0;                         ///< [s]
  std::vector<double> ends = {};            ///< of the windows [s]
  std::vector<bool> phase_ends = {};        ///< by window: whether the phase changed in it
  std::vector<std::size_t> rows_end = {};   ///< by window: how many rows there are at its end
  std::vector<LevelCost> costs = {};        ///< by window
  std::vector<std::string> snapshots = {};  ///< by window, of its begin
  LevelIndicators indicators = {};          ///< of the groups
  ChannelRows rows = {};
  std::uint64_t switches = 0;
  std::string fault = {};      ///< why it has failed; empty: it has not
  bool is_stopped = false;     ///< on request
  bool is_too_costly = false;  ///< given up

  LevelCost cost() const;
};

/// A window that was run once more with other levels, and a while after it with the ones before.
struct LevelProbe {
  ChannelRows rows = {};   ///< of the window and what follows
  LevelCost cost = {};     ///< of the window
  LevelCost rest = {};     ///< of what follows
  std::string fault = {};  ///< why it has failed; empty: it has not
  bool is_stopped = false;
};

/// Runs a system whose levels nobody but the runner changes. One thread at a time.
class LevelRunner {
 public:
  /// `setup` has the system and its metrics; the system has levels="scheduled" and no `<At>` for levels.
  /// Throws std::invalid_argument with what is wrong.
  LevelRunner(const CaseSetup& setup, const Registry& registry, std::span<const LevelGroup> groups);

  MeasureSet& metrics() { return *metrics_; }
  double start_time() const { return simulation_->start_time(); }
  double stop_time() const { return simulation_->stop_time(); }
  double time_step() const { return simulation_->time_step(); }

  /// From start to stop; `rung_of(group, window)` says which rung holds in a window that begins. `on_step`
  /// hears the time after each TimeStep. Without `ends` in the plan, windows are as short as it allows, and
  /// end where the phase changes.
  LevelRun Run(const WindowPlan& plan,
               const std::function<std::size_t(std::size_t group, std::size_t window)>& rung_of,
               const std::stop_token& stop, const std::function<void(double t)>& on_step = {});
  /// From a snapshot to `end` with the rungs `in`, then to `rest_end` with `after`.
  LevelProbe Probe(const std::string& snapshot, double end, std::span<const std::size_t> in, double rest_end,
                   std::span<const std::size_t> after, const std::stop_token& stop);

 private:
  void SetRungs(const std::function<std::size_t(std::size_t group)>& rung_of);
  void AddRow(ChannelRows& rows);
  void BeginIndicators(LevelRun& run) const;
  void SeeIndicators(LevelRun& run);
  LevelCost CostSinceMark();
  /// Transitions of the charts that the system file names, all counted.
  std::uint64_t Phases() const;

  std::span<const LevelGroup> groups_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<MeasureSet> metrics_;
  ItemList levels_;              ///< of all components of all groups
  std::vector<double> numbers_;  ///< what they are to be
  ItemList indicators_;          ///< of all rungs of all groups
  std::vector<double> seen_;
  std::vector<double> row_;
  RunStatistics mark_;
  double mark_wall_ = 0;
};

}  // namespace davit
