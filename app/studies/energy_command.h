#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>

#include "app/command_context.h"

namespace davit {

struct EnergyOptions {
  std::filesystem::path system = {};
  LoadOptions load = {};
  std::optional<std::string> until = {};  ///< a time before StopTime
  std::filesystem::path plot = {}, summary = {};
};

/// `davit energy`: runs a system and draws up its balance of energy. Returns 0, 1 where the run fails or a
/// file cannot be written, 2 for wrong input.
int RunEnergy(const EnergyOptions& options, const Registry& registry, std::ostream& out, std::ostream& err);

/// Defines `davit energy`.
void AddEnergyCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
