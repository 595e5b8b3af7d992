#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

#include "app/command_context.h"
#include "app/describe_command.h"
#include "framework/registry.h"

namespace CLI {
class App;
}

namespace davit {

enum class FmiVersion : std::uint8_t;

/// Defines `davit fmu`, with `export` and `check`.
void AddFmuCommand(CLI::App& program, CommandContext& context);

/// The library that runs systems in FMUs: beside the program, or where `cmake --install` puts it.
std::filesystem::path FindFmuRuntime();
/// `--fmi`: 2 or 3, also written 2.0 or 3.0. `version` outlives the command.
void AddFmiVersionOption(CLI::App& command, FmiVersion& version);
/// Names the FMUs in a system: an exported one has no place for them.
void RefuseFmusInside(const std::filesystem::path& file, const Registry& registry, Diagnostics& diagnostics);

/// What the command line says of a single FMU; empty: as the attributes of fmi.Fmu are without it.
struct FmuOptions {
  std::string kind = {};
  std::string locals = {};
  std::optional<std::filesystem::path> input = {};  ///< a CSV
};

/// Whether a file is taken for an FMU.
bool IsFmuFile(const std::filesystem::path& file);
/// The same of a system of FMUs: an .ssp.
bool IsFmuSystem(const std::filesystem::path& file);
/// `davit describe X.fmu`. Returns the exit code.
int DescribeFmu(const std::filesystem::path& file, const FmuOptions& options, DescribeFormat format,
                std::ostream& out, std::ostream& err);
/// A system that runs an FMU alone, beside it; null after printing what is wrong on `err`.
std::shared_ptr<const SystemDescription> MakeSystemOfFmu(const std::filesystem::path& file,
                                                         const FmuOptions& options, std::ostream& err);
/// The system that an .ssp describes; its parameter bindings come first in `load`. The same.
std::shared_ptr<const SystemDescription> MakeSystemOfSsp(const std::filesystem::path& file, LoadOptions& load,
                                                         std::ostream& err);

/// Adds fmi.Fmu to the models.
void RegisterFmuModels(Registry& registry);

}  // namespace davit
