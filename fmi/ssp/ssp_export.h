#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fmi/fmu_export.h"

namespace davit {

/// What was made.
struct SspExportSummary {
  std::vector<std::string> components;  ///< names of the FMUs
  std::size_t connections = 0;          ///< of single variables
};

/// Writes a system as an archive of FMUs for co-simulation, one for each part of CutSystem, with a
/// SystemStructure.ssd (SSP 1.0). Uses system, output, version, load and runtime of `options`. Faults go to
/// `diagnostics`, and nothing is written then. Throws as ExportFmu does.
SspExportSummary ExportSsp(const FmuExportOptions& options, const Registry& registry,
                           Diagnostics& diagnostics);

}  // namespace davit
