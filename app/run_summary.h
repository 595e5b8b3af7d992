#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "session/part_run.h"
#include "session/real_time_record.h"
#include "simulator/energy/energy_balance.h"
#include "simulator/run_statistics.h"

namespace davit {

/// What `davit run` says of a run in the end.
struct RunSummary {
  RunStatistics statistics;
  std::string status = "done";  ///< done, stopped, interrupted, diverged, failed
  double load_seconds = 0;
  double wall_seconds = 0;
  std::vector<PartStatistics> parts = {};    ///< of a run over several processes
  RealTimeRecord real_time = {};             ///< of a run at the pace of the clock
  std::optional<EnergyBalance> energy = {};  ///< where it was asked for
};

/// One line for each number; rare ones only where they are not zero.
void PrintSummary(const RunSummary& summary, std::ostream& out);

/// As JSON. False where the file cannot be written.
bool WriteSummary(const RunSummary& summary, const std::filesystem::path& file);

}  // namespace davit
