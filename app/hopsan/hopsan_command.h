#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit hopsan`, with `convert` and `validate`.
void AddHopsanCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
