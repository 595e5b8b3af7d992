#pragma once

#include <functional>
#include <string_view>

#include "framework/alarm.h"
#include "framework/automatic_levels.h"
#include "framework/parameter.h"
#include "framework/property.h"

namespace davit {

/// The items of `<SimulatorManager>` that a run reads, and the one alarm that it sets.
struct RunSettings {
  const Parameter& time_step;
  const Parameter& fs;
  const Parameter& start_time;
  const Parameter& stop_time;
  const Parameter& real_time_budget;
  const Property<bool>& autostart;
  const Property<LevelChoice>& levels;
  std::function<std::string_view()> method;  ///< of Method; empty: as given
  Alarm& not_real_time;
};

}  // namespace davit
