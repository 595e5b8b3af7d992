#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_result.h"
#include "analysis/levels/level_trial.h"

namespace davit {

/// Searches the cheapest schedule of levels that keeps all tolerances: chooses one by what probes predict,
/// runs it, and chooses again by probes around it. From three starts: what the probes of the reference
/// predict, the best levels that never change, and levels that are the same for all components.
class LevelSearch {
 public:
  /// `rounds`: of probes around a start. `budget`: runs of the reference that may be spent on a better
  /// schedule than one that keeps the tolerances. `excess`: cost of the probes of the reference over their
  /// estimate, at least 1. Trial and result must outlive the search.
  LevelSearch(LevelTrial& trial, LevelsResult& result, std::uint64_t rounds, double budget, double excess)
      : trial_(trial), result_(result), rounds_(rounds), budget_(budget), excess_(excess) {}

  /// Fills `tried` and `best` of the result: the reference, if nothing else keeps the tolerances. Pre:
  /// `effects` of the result are those of `reference`, `fixed` is filled.
  void Run(const LevelBase& reference);
  /// The result of a search that was stopped before it has tried anything.
  void TakeReference();

 private:
  /// A schedule that has run.
  struct Start {
    LevelPoint point = {};
    LevelRun run = {};
  };

  LevelPoint Reference() const;
  Start Try(const ChosenLevels& choice, std::uint64_t most_evaluations = 0);
  /// Runs what the probes of the reference predict within the tolerances. Beyond them, the next schedule
  /// keeps the highest levels in the window in which most of the error arises, or has a smaller aim.
  Start TryPredicted(const LevelBase& reference);
  /// Uses what a schedule leaves of the tolerances: its errors and costs are known, and the probes of the
  /// reference predict only the changes. After a change that was not better, the next one may use half as
  /// much.
  Start UseTolerances(const LevelBase& reference, Start best);
  /// The window in which most of the error of a run arises, and some before it, keep the levels of `base`.
  /// The cause may be many windows earlier, for example in the pressure of a line at rest. `reach`: by
  /// window, how many windows keep them already; doubled each time. False if the error arises in many
  /// windows, or if all windows before it keep them.
  bool KeepHighest(LevelBase& base, const Start& start, std::vector<std::size_t>& reach) const;
  /// Levels that are the same for all, and nearest to the tolerances; nothing where all are far off.
  void ImproveFromBelow();
  /// Levels that never change: changes one group after the other, as long as that is better.
  /// From `best` on, without those that are predicted to cost more than `dear` times what they may.
  Start FindConstant(const LevelBase& reference, Start best, double dear);
  Start PredictConstant(const LevelBase& reference);
  /// Levels that never change and differ in one group from such that have run, those that should cost least
  /// first: what they cost together is known there, and only the difference is predicted.
  void ExploreConstant(const LevelBase& reference);
  std::vector<std::size_t> RungsOfGroups() const;
  void Improve(Start start);
  /// Whether the budget has no place for a run that is given up beyond so many evaluations (0: never).
  bool IsToEndBefore(std::uint64_t most) const;

  /// What another schedule may cost before it is no better than `point`, or than the best one; 0: anything.
  std::uint64_t MostEvaluations(const LevelPoint& point) const;
  /// Whether it has run.
  bool IsKnown(const LevelSchedule& schedule) const;
  bool HasFound() const { return !result_.tried.empty() && result_.chosen().is_good(); }
  /// On request, or because the budget has no place for runs that cost this much more.
  bool IsToEnd(double runs = 0) const;

  LevelTrial& trial_;
  LevelsResult& result_;
  std::uint64_t rounds_;
  double budget_;
  double excess_;  ///< what probes around a schedule have cost, over the estimate
};

}  // namespace davit
