#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framework/system.h"

namespace davit {

/// What may stand in the place of the last word of a line.
struct Completion {
  std::size_t length = 0;               ///< of that word
  std::vector<std::string> candidates;  ///< whole words; those that end with `.` or `/` go on
};

/// The words that CommandVerbs() allows at the end of a command: commands, paths up to their next dot, names
/// of levels, options and messages, files.
Completion CompleteCommand(const System& system, std::string_view line);

}  // namespace davit
