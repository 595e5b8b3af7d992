#pragma once

#include "app/command_context.h"

namespace davit {

/// Thrown where a program needs a part of davit, a folder of app/, that is not linked to it. In the place of
/// each such part stands app/absent/PART.cc. Not a std::exception: only `main` catches it.
struct AbsentPart {
  const char* name;
};

/// A command of an absent part, with whatever arguments.
void AddAbsentCommand(CLI::App& command, AbsentPart part);

/// Whether the launcher has started this program, so that BringPart can work.
bool CanBringParts();
/// Starts the launcher in the place of this program, which builds one with the part and gives it the
/// arguments of `main`. Where that is not possible, says so and returns the exit code.
int BringPart(AbsentPart part, char** argv);

}  // namespace davit
