#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit console`: the commands of `--commands` at a prompt, while the run waits. Without a terminal
/// it is `davit run --commands -`.
void AddConsoleCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
