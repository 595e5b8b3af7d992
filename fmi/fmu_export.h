#pragma once

#include <filesystem>
#include <string>

#include "fmi/fmu_variable.h"
#include "fmi/model_description.h"
#include "framework/diagnostics.h"
#include "framework/registry.h"

namespace davit {

/// What to make of a system.
struct FmuExportOptions {
  std::filesystem::path system;
  std::filesystem::path output;
  FmiVersion version = FmiVersion::k2;
  FmuSelection selection = {};
  std::string name = {};      ///< modelIdentifier; empty: the name of the system
  bool has_reference = true;  ///< results of the default experiment, which is run for them
  /// The library that runs the system, davit_fmu_runtime.so; libdavitxml.so.9 lies beside it.
  std::filesystem::path runtime;
};

/// What was made.
struct FmuExportSummary {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t parameters = 0;
  std::size_t locals = 0;
  bool has_variable_steps = true;
};

/// Writes an FMU for co-simulation. Equal systems give equal bytes. What is wrong with the system or with
/// what is asked for goes to `diagnostics`, and nothing is written then. Throws std::runtime_error where a
/// file cannot be read or written, SimulationFailure where the system has no consistent start.
FmuExportSummary ExportFmu(const FmuExportOptions& options, const Registry& registry,
                           Diagnostics& diagnostics);

/// A C identifier made of a name: letters, digits and _, no digit first.
std::string MakeIdentifier(std::string_view name);

}  // namespace davit
