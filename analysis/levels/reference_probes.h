#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_metrics.h"
#include "analysis/levels/level_probes.h"
#include "analysis/levels/level_result.h"
#include "analysis/study/case_list.h"

namespace davit {

/// The probes of the windows of the reference. First all groups have the same rung in a window; then, around
/// the highest of these, one group has another. Such probes cost as much as that rung, not as the reference.
class ReferenceProbes {
 public:
  /// `result` has groups and windows. All must outlive the probes. Of a shard only its windows are probed.
  ReferenceProbes(LevelProbes& probes, const LevelMetrics& metrics, const LevelRun& reference,
                  const LevelsResult& result, const Shard& shard);

  /// How many rows they have in the table.
  std::uint64_t count() const { return top_.front().size() * JobsOf(0).size(); }
  /// What is known around windows with the same rung for all groups. Where the lowest rungs make no error
  /// there are no effects; a rung between the common one and the highest is left out where the highest
  /// changes no error. `switch_cost`: see LevelBase.
  LevelBase Run(double switch_cost, const std::stop_token& stop);

 private:
  using Job = LevelProbes::Job;

  /// All of a window, in the order of the table.
  std::vector<Job> JobsOf(std::size_t window) const;
  /// Those of the open windows.
  std::vector<Job> Choose(const std::function<bool(const Job&)>& is_chosen) const;
  std::vector<LevelEffect> Probe(const std::vector<Job>& jobs);
  bool MakesNoError(const LevelEffect& effect) const;
  void TakeCommon(std::vector<LevelEffect> effects);
  /// Those that need no further probes.
  void CloseWindows();
  std::vector<std::size_t> CheapWindows() const;
  void BeginBase();
  /// The effect of a probe of one group against the common rung of its window.
  LevelEffect Relative(LevelEffect effect) const;

  LevelProbes& probes_;
  const LevelMetrics& metrics_;
  const LevelRun& reference_;
  const LevelSchedule top_;
  std::vector<std::size_t> open_;  ///< windows
  std::vector<std::optional<LevelEffect>> common_;
  LevelBase base_;
};

}  // namespace davit
