#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit studio`: systems and charts of a folder, drawn, checked and run in a browser.
void AddStudioCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
