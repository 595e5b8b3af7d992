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
  std::string name = {};                 ///< `schedule 1`, `Ideal`, `as the file has it`
  LevelSchedule schedule = {};           ///< empty where the runs are not those of a schedule
  std::vector<double> errors = {};       ///< by metric [SI]
  double share = 0;                      ///< the largest share of a tolerance
  std::optional<double> predicted = {};  ///< the same before it had run
  LevelCost cost = {};
  std::uint64_t switches = 0;
  std::string fault = {};    ///< why it did not run; empty: it did
  bool is_given_up = false;  ///< because it costs more than another one; that is its fault

  bool is_good() const { return fault.empty() && share <= 1; }
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
  std::uint64_t probes = 0;
  LevelCost spent = {};      ///< all runs and probes but the reference
  bool is_complete = false;  ///< not stopped before

  const LevelPoint& chosen() const { return tried[best]; }
  /// How many runs of the reference the study has cost, itself included.
  double Runs() const {
    return 1 + static_cast<double>(spent.evaluations) / static_cast<double>(reference.evaluations);
  }
};

}  // namespace davit
