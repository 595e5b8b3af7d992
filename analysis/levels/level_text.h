#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/levels/level_group.h"
#include "framework/registry.h"
#include "framework/system.h"

namespace davit {

/// The text of a system file with all components at their highest level, and nobody who changes that: charts
/// are not asked (levels="scheduled"), and the `<At>` for levels and aspects are left out. `system` is the
/// same file, loaded. Empty where the text is no system file.
std::string TextAtHighestLevels(std::string_view text, const System& system);

/// A row of a schedule: the levels that change at a time, by path.
struct ScheduledLevel {
  double time = 0;  ///< [s]
  std::string path = {};
  std::string level = {};
};
/// `starts`: when each window begins [s].
std::vector<ScheduledLevel> ScheduleRows(std::span<const LevelGroup> groups, const LevelSchedule& schedule,
                                         std::span<const double> starts);

/// A text of TextAtHighestLevels with the `<At>` lines of a schedule. `comment` says what it is; `source` is
/// the folder of the system file and `target` that of the new one: files that the system names are found from
/// there.
std::string TextWithSchedule(std::string_view text, std::span<const ScheduledLevel> rows,
                             std::string_view comment, const std::filesystem::path& source,
                             const std::filesystem::path& target);

}  // namespace davit
