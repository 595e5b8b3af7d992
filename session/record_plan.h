#pragma once

#include <optional>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/system.h"

namespace davit {

/// What to record: paths and globs as in a `<Record>`, and the time between rows [s] (0: each step point).
/// Where there are no signals or no interval, those of the system's own plan. Faults go to `diagnostics`.
RecordPlan MakeRecordPlan(System& system, const std::vector<std::string>& signals,
                          std::optional<double> interval, Diagnostics& diagnostics);

}  // namespace davit
