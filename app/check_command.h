#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>

#include "app/command_context.h"
#include "framework/registry.h"
#include "session/simulation.h"

namespace davit {

/// A system that is ready to run. Null after printing what is wrong on `err`. `description`
/// replaces that of the file.
std::unique_ptr<Simulation> LoadSimulation(const std::filesystem::path& file, const Registry& registry,
                                           const SimulationOptions& options, std::ostream& err,
                                           std::shared_ptr<const SystemDescription> description = {});

/// `davit check`: everything that `davit run` checks before the first step. Returns 0 or 2.
int RunCheck(const std::filesystem::path& file, const Registry& registry, const LoadOptions& options,
             std::ostream& out, std::ostream& err);

/// Defines `davit check`.
void AddCheckCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
