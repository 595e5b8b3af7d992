#pragma once

#include <memory>

#include "app/command_context.h"

namespace davit {

/// The program `davit`: every command with its options and texts. Parsing a command line runs the
/// command that was named, which leaves its exit code in `context`.
///
/// Each command is defined beside what it does: AddRunCommand in run_command.cc, and so on. `context`
/// outlives the program.
std::unique_ptr<CLI::App> MakeProgram(CommandContext& context);

/// Runs the command that the arguments of `main` name, and returns its exit code. Wrong arguments are
/// reported on the standard error of the process.
int RunCommandLine(int argc, const char* const* argv, CommandContext& context);

}  // namespace davit
