#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "session/described_field.h"
#include "session/real_time_record.h"
#include "session/simulation.h"

namespace davit {

/// Where a run is.
struct RunState {
  double time = 0;                        ///< simulated [s]
  std::optional<double> stop_time = {};   ///< [s]
  std::string status = {};                ///< waiting, running, paused, finished, failed
  std::vector<std::string> failure = {};  ///< why it cannot continue
  std::optional<double> speed = {};       ///< simulated seconds per second that are wanted
  double real_time_factor = 0;            ///< those that are reached
  std::uint64_t missed_periods = 0;
  std::optional<ShownDurations> lateness = {};  ///< of a run at the pace of the clock
  std::optional<ShownDurations> steps = {};
};

DescribedFields<RunState> RunFields();

/// Between two calls of a simulation that nobody paces.
RunState StateOf(const Simulation& simulation);

}  // namespace davit
