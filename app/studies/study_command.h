#pragma once

#include <filesystem>

#include "app/command_context.h"

namespace davit {

/// Runs the studies of a file one after the other, as the command of each would. Returns the largest exit
/// code of them.
int RunStudies(const std::filesystem::path& file, unsigned workers, bool is_resumed, CommandContext& context);

/// Defines the command of the kind of studies that has its name (`davit sweep` ...).
void AddStudyCommand(CLI::App& command, CommandContext& context);
/// Defines `davit study`.
void AddStudyFileCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
