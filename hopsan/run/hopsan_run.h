#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hopsan/import/hmf_import.h"
#include "session/simulation.h"

namespace davit::hopsan {

/// Takes a row of Hopsan's log: time [s] and a value for each variable.
using HopsanRow = std::function<void(double t, std::span<const double> values)>;

/// Runs a loaded import from its start to its end and gives `row` what Hopsan logs: at its steps, `variables`
/// of the import. Returns how many steps were taken: fewer than it has where a component ended the run.
/// Throws SimulationFailure as Simulation does, and what `row` throws.
std::uint64_t RunAsHopsan(Simulation& simulation, const HmfImport& import,
                          const std::vector<HopsanVariable>& variables, const HopsanRow& row);

}  // namespace davit::hopsan
