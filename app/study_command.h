#pragma once

#include <filesystem>
#include <iosfwd>

#include "app/command_context.h"

namespace davit {

/// Runs the studies of a file (analysis/study/study_file.h) one after the other, as davit sweep, optimize and
/// fit would. Its files are looked up beside it. Returns the largest exit code of them.
int RunStudy(const std::filesystem::path& file, unsigned workers, bool is_resumed, CommandContext& context);

/// Defines `davit study`.
void AddStudyCommand(CLI::App& program, CommandContext& context);

}  // namespace davit
