#pragma once

#include <cstddef>
#include <vector>

#include "analysis/levels/level_choice.h"
#include "analysis/levels/level_group.h"
#include "analysis/levels/level_metrics.h"

namespace davit {

/// By group, then rung below the highest: the largest indicator with which the rung will do. A group takes
/// the lowest rung that will do, or its highest.
using LevelLimits = std::vector<std::vector<double>>;

/// The limit of a rung that never will do.
inline constexpr double kNoLimit = -1;

/// What limits make of a run with these indicators.
LevelSchedule ScheduleOf(const LevelLimits& limits, const LevelIndicators& indicators);

/// The limits that save most within `safety` of all tolerances, as far as `base` predicts: one limit after
/// the other is raised. `base`: around the run that the indicators are of.
LevelLimits ChooseLimits(const LevelMetrics& metrics, const LevelBase& base,
                         const LevelIndicators& indicators, double safety);

/// Limits of levels that never changed in a run: a rung below which a group never was will never do; the
/// others hold up to twice what was seen.
LevelLimits LimitsAround(const std::vector<std::size_t>& rungs, const LevelIndicators& indicators);

}  // namespace davit
