#pragma once

#include <string>
#include <vector>

#include "simulator/simulator_manager.h"

namespace davit {

/// The events that charts of the system wait for and no chart sends itself: those that a master may send.
/// Without events of levels, modes, timers and errors, and without default charts. Sorted, each once.
std::vector<std::string> ListChartEvents(SimulatorManager& manager);

/// All events that a chart of the system file names in a transition.
std::vector<std::string> ListAllChartEvents(SimulatorManager& manager);

}  // namespace davit
