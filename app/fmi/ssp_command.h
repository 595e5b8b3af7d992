#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit ssp`, with `export`.
void AddSspCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
