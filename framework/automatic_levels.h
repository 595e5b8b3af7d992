#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "framework/parameter.h"
#include "framework/property.h"

namespace davit {

/// Who chooses the level of a component: whoever sets it; its chart, by its indicators; or `<At>` and
/// commands only, while what charts ask for is dropped.
enum class LevelChoice : std::uint8_t { kGiven, kAutomatic, kScheduled };
inline constexpr std::array<std::string_view, 3> kLevelChoiceNames{"given", "automatic", "scheduled"};

/// The settings by which the chart of a component chooses its level. Every component has them whose model has
/// several levels and indicators.
struct AutomaticLevels {
  explicit AutomaticLevels(Component* owner)
      : levels(owner, "levels",
               "Who chooses the level; automatic: the chart, by the indicators; scheduled: <At> and commands "
               "only",
               kLevelChoiceNames, Choice{.value = LevelChoice::kGiven, .tunability = Tunability::kLive}),
        tolerance(owner, "level_tolerance", "",
                  "Largest indicator that the level chosen by the chart may neglect",
                  Number{.value = kUsualTolerance, .range = kPositive}) {}

  static constexpr double kUsualTolerance = 0.02;

  Property<LevelChoice> levels;
  Parameter tolerance;
};

}  // namespace davit
