#pragma once

#include <filesystem>

#include "app/command_context.h"

namespace davit {

/// Runs the studies of a file one after the other, as the command of each would. Returns the largest exit
/// code of them.
int RunStudies(const std::filesystem::path& file, unsigned workers, bool is_resumed, CommandContext& context);

/// Defines a command for each kind of study (`davit sweep` ...), and `davit study`.
void AddStudyCommands(CLI::App& program, CommandContext& context);

}  // namespace davit
