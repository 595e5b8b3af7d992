#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_metrics.h"
#include "analysis/levels/level_probes.h"
#include "analysis/levels/level_result.h"
#include "analysis/levels/level_runner.h"
#include "analysis/study/case_list.h"
#include "analysis/study/case_runner.h"
#include "analysis/study/study_calls.h"
#include "framework/diagnostics.h"
#include "framework/registry.h"

namespace davit {

/// What a search for levels runs: the reference, schedules, and probes of windows around a run. Errors are
/// those against the reference. What is found goes to a LevelsResult, with the cost of all runs.
///
/// Call sequence: RunReference once, and if it has returned true the others in any order.
class LevelTrial {
 public:
  /// `highest`: the system with OutsideLevels and the metrics of `result`, whose groups are known;
  /// `given`: as the user has it. All must outlive the trial. Throws std::invalid_argument.
  LevelTrial(const CaseSetup& highest, const CaseSetup& given, const Registry& registry, LevelProbes& probes,
             const StudyCalls& calls, LevelsResult& result);

  /// Whether it has come to its end. Throws std::runtime_error where it fails, with the levels that do not.
  bool RunReference(const WindowPlan& windows, CurveNorm norm);
  /// A schedule over the whole run. `run`: gets what has been recorded; may be null. `most_evaluations`: it
  /// is given up beyond them; 0: no limit.
  LevelPoint Run(std::string name, const LevelSchedule& schedule, LevelRun* run,
                 std::uint64_t most_evaluations = 0);
  /// A chart (SCXML) chooses the levels.
  LevelPoint RunChart(std::string name, const std::string& text, std::uint64_t most_evaluations);
  /// The system as the user has it.
  LevelPoint RunAsGiven();

  /// What is known around windows of the reference with the same rung for all groups, see ReferenceProbes.
  LevelBase BaseOfReference(const Shard& shard);
  /// The same as effects on the reference itself.
  LevelBase AroundReference(const LevelBase& base) const;
  /// The same as effects on a schedule that has run, whose errors and costs are known.
  LevelBase Around(const LevelBase& base, const LevelRun& run, const LevelSchedule& schedule) const;
  /// The same around another run, with all other rungs.
  LevelBase BaseOf(std::string_view name, const LevelRun& run, const LevelSchedule& schedule);
  /// What that costs, in runs of the reference, if its rungs cost as much as those of the run.
  double RunsAround(double evaluations) const;

  /// The deviation of the channels from the reference, row by row.
  std::vector<double> DeviationOf(const ChannelRows& rows) const;

  const LevelMetrics& metrics() const { return metrics_; }
  /// How many probes there have been.
  std::uint64_t probes() const { return probe_; }
  /// Of the reference.
  const LevelIndicators& indicators() const { return reference_.indicators; }
  LevelSchedule TopSchedule() const { return davit::TopSchedule(result_.groups, result_.ends.size()); }
  bool is_stopped() const { return calls_.stop.stop_requested(); }

 private:
  void Judge(const LevelRun& run, LevelPoint& point) const;
  double FindSwitchCost(const LevelRun& around, const LevelSchedule& schedule);
  std::string FaultOfReference(const std::string& fault) const;

  const CaseSetup& highest_;
  const CaseSetup& given_;
  const Registry& registry_;
  LevelProbes& probes_;
  const StudyCalls& calls_;
  LevelsResult& result_;
  LevelRunner runner_;
  LevelMetrics metrics_;
  LevelRun reference_;
  std::uint64_t probe_ = 0;  ///< number of the last one
};

}  // namespace davit
