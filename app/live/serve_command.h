#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit serve`: a run like that of `davit run`, which StudioAPI, HTTP and a page watch and steer.
void AddServeCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
