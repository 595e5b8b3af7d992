#pragma once

#include "app/command_context.h"

namespace davit {

/// Defines `davit chart coverage`.
void AddChartCoverageCommand(CLI::App& command, CommandContext& context);
/// Defines `davit chart paths`.
void AddChartPathsCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
