#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "fmi/fmu_variable.h"
#include "fmi/model_description.h"
#include "framework/diagnostics.h"
#include "framework/plugin.h"
#include "framework/registry.h"
#include "framework/xml/system_loader.h"

namespace davit {

/// What to make of a system.
struct FmuExportOptions {
  std::filesystem::path system;
  std::filesystem::path output = {};
  FmiVersion version = FmiVersion::k2;
  bool has_co_simulation = true;
  bool has_model_exchange = false;
  LoadOptions load = {};  ///< params and set: values of parameters, which become those of the FMU
  FmuSelection selection = {};
  std::string name = {};                   ///< modelIdentifier; empty: the name of the system
  bool has_reference = true;               ///< results of the default experiment, which is run for them
  std::vector<LoadedPlugin> plugins = {};  ///< that the system names: they go along
  /// The library that runs the system, davit_fmu_runtime.so; beside it lie libdavitxml.so.9, and
  /// davit_fmu_plugin_runtime.so, which takes its place where there are plug-ins.
  std::filesystem::path runtime = {};
};

/// What was made.
struct FmuExportSummary {
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t parameters = 0;
  std::size_t locals = 0;
  std::size_t states = 0;  ///< of model exchange
  bool has_variable_steps = true;
  std::size_t ports = 0;          ///< wave ports: open ports of the system
  std::string hopsan_ports = {};  ///< the port text of Hopsan's FMIWrapperQ; empty: none of them fits
};

/// Writes an FMU for co-simulation, for model exchange, or for both. Equal systems give equal bytes. What is
/// wrong with the system or with what is asked for goes to `diagnostics`, and nothing is written then. Throws
/// std::runtime_error where a file cannot be read or written, SimulationFailure where the system has no
/// consistent start.
FmuExportSummary ExportFmu(const FmuExportOptions& options, const Registry& registry,
                           Diagnostics& diagnostics);

/// `co-simulation and model exchange`.
std::string_view KindsOf(bool has_co_simulation, bool has_model_exchange);

/// A C identifier made of a name: letters, digits and _, no digit first.
std::string MakeIdentifier(std::string_view name);

}  // namespace davit
