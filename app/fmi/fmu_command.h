#pragma once

#include <cstdint>

#include "app/command_context.h"
#include "framework/diagnostics.h"

namespace CLI {
class App;
}

namespace davit {

enum class FmiVersion : std::uint8_t;
struct FmuExportOptions;

/// Defines `davit fmu`, with `export` and `check`.
void AddFmuCommand(CLI::App& command, CommandContext& context);

/// `--fmi`: 2 or 3, also written 2.0 or 3.0. `version` outlives the command.
void AddFmiVersionOption(CLI::App& command, FmiVersion& version);
/// Finds the runtime and the plug-ins of an export. The result names outputs that would replace inputs, and
/// FMUs in the system, which cannot be exported.
Diagnostics PrepareExport(FmuExportOptions& options, CommandContext& context);

}  // namespace davit
