#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit fmu`, with `export` and `check`.
void AddFmuCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
