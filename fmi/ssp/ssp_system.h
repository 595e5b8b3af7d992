#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/xml/system_description.h"

namespace davit {

/// A system of FMUs that an .ssp describes.
struct SspSystem {
  /// It names the FMUs by paths into the archive: `/x/a.ssp/engine.fmu`.
  std::shared_ptr<const SystemDescription> description;
  std::vector<std::string> settings;  ///< `PATH=VALUE` of its parameter bindings
};

/// Reads SystemStructure.ssd (SSP 1.0 and 2.0) of an archive, which stays packed. Its components become
/// fmi.Fmu, its connections routes, those between wave ports connections of davit; linear transformations
/// become signal.Expression. The TimeStep is the smallest that an FMU recommends, else a 500th of the
/// experiment. Refused, in `diagnostics`: components that are no FMUs, signal dictionaries, other
/// transformations.
SspSystem ReadSsp(const std::filesystem::path& file, Diagnostics& diagnostics);

}  // namespace davit
