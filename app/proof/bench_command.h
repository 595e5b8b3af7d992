#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit bench`.
void AddBenchCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
