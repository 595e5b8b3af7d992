#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// What a program did that has ended.
struct ProgramResult {
  int exit_code = -1;    ///< -1 if a signal ended it
  std::string output;    ///< what it wrote to its standard output
  std::string messages;  ///< and to its standard error
};

/// Runs a program that is found in PATH and waits for its end. `input` is its standard input, a file without
/// a name, so it may also be opened as /dev/stdin. Nothing if there is no such program. Throws
/// std::runtime_error if it cannot be started.
std::optional<ProgramResult> RunProgram(const std::string& program, std::vector<std::string> arguments,
                                        std::string_view input);

}  // namespace davit
