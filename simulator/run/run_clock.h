#pragma once

#include "simulator/step_grid.h"

namespace davit {

/// Where a run is in time.
struct RunClock {
  StepGrid grid;           ///< in force; the parameters may just have been written
  double time = 0;         ///< reached [s]
  double begin_time = 0;   ///< StartTime, or the time of the snapshot that was loaded [s]
  bool is_inside = false;  ///< `time` lies between the step points n and n + 1
  bool is_running = false;
  bool is_started = false;  ///< between Initialize and the end
};

}  // namespace davit
