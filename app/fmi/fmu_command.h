#pragma once

#include <cstdint>
#include <filesystem>

#include "app/command_context.h"
#include "framework/registry.h"

namespace CLI {
class App;
}

namespace davit {

enum class FmiVersion : std::uint8_t;

/// Defines `davit fmu`, with `export` and `check`.
void AddFmuCommand(CLI::App& command, CommandContext& context);

/// The library that runs systems in FMUs: beside the program, or where `cmake --install` puts it.
std::filesystem::path FindFmuRuntime();
/// `--fmi`: 2 or 3, also written 2.0 or 3.0. `version` outlives the command.
void AddFmiVersionOption(CLI::App& command, FmiVersion& version);
/// Names the FMUs in a system: an exported one has no place for them.
void RefuseFmusInside(const std::filesystem::path& file, const Registry& registry, Diagnostics& diagnostics);

}  // namespace davit
