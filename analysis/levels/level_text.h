#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/levels/level_group.h"
#include "analysis/levels/level_limits.h"

namespace davit {

/// A schedule as a file for `davit run --schedule`: `<At>` elements for what changes at the beginning of each
/// window; the run begins with the highest rungs. `starts`: of the windows [s].
std::string ScheduleText(std::span<const LevelGroup> groups, const LevelSchedule& schedule,
                         std::span<const double> starts, std::string_view comment);

/// How a chart changes levels.
struct LevelChartTimes {
  double hold = 0;   ///< [s] that indicators are small before a lower rung is taken
  double dwell = 0;  ///< [s] between two switches of a component at least
};

/// The chart (SCXML) that keeps limits, for `davit run --level-chart`: a region for each group, with a state
/// for each rung that it ever may have. `first`: by group, the rung to begin with.
std::string LevelChartText(std::span<const LevelGroup> groups, const LevelLimits& limits,
                           std::span<const std::size_t> first, const LevelChartTimes& times,
                           std::string_view comment);

}  // namespace davit
