#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/fmu_variable.h"
#include "framework/diagnostics.h"
#include "results/result_table.h"
#include "session/simulation.h"

namespace davit {

/// The folder of the layered standard FMI-LS-REF (1.0.0-alpha.1) in an FMU: reference results, and a manifest
/// that lists them.
inline constexpr std::string_view kReferenceFolder = "extra/org.fmi-standard.fmi-ls-ref";

/// The outputs during the default experiment, as CSV: `time` and a column for each output that is a number,
/// at most 1,000 step points. Where something switches there, the step point has two rows, before and after.
/// Empty where there are no such outputs. Pre: `simulation` is loaded and has not run yet. Throws
/// SimulationFailure where the run fails.
std::string MakeReferenceResults(Simulation& simulation, const std::vector<FmuVariable>& variables);

/// The manifest for one file of results, which lies beside it.
std::string MakeReferenceManifest(const std::string& file);

/// The results that the manifest of an FMU lists; nothing where it has none. Faults go to `diagnostics`,
/// where the FMU is called `shown`.
std::optional<ResultTable> LoadReferenceResults(const ZipReader& fmu, const std::filesystem::path& shown,
                                                Diagnostics& diagnostics);

}  // namespace davit
