#pragma once

#include <filesystem>
#include <optional>

namespace davit {

/// Who chooses the levels of a run in place of its system file: components begin at their highest level, the
/// `<At>` of the file change neither levels nor aspects, and charts that ask for levels are not heard.
struct OutsideLevels {
  /// A file of levels by time: `<Schedule>` with `<At>` elements.
  std::optional<std::filesystem::path> schedule = {};
  /// A chart (SCXML) that chooses them; the component `level_chart` runs it.
  std::optional<std::filesystem::path> chart = {};
};

}  // namespace davit
