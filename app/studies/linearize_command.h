#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/command_context.h"
#include "framework/registry.h"
#include "framework/xml/system_loader.h"

namespace davit {

struct LinearizeOptions {
  std::filesystem::path system;
  LoadOptions load = {};
  std::optional<std::string> at = {};  ///< time of the operating point; nothing: the start
  bool is_steady = false;
  std::vector<std::string> inputs = {};           ///< paths and globs
  std::vector<std::string> outputs = {};          ///< the same
  std::vector<std::filesystem::path> files = {};  ///< .json, .mat
  int pade = 0;                                   ///< order; 0: delays are kept
  std::optional<std::string> from = {}, to = {};  ///< frequencies of the pictures
  std::filesystem::path bode = {}, nyquist = {}, step = {}, poles = {};
  std::string vary = {};
  bool skips_zeros = false, skips_margins = false;  ///< of each pair of input and output
};

/// `davit linearize`: the linear model of a system at an operating point. Prints its eigenvalues, zeros and
/// margins on `out`, and what is wrong on `err`. Returns 0, 1 where the run, the linearisation or a file
/// fails, and 2 for wrong input.
int RunLinearize(const LinearizeOptions& options, const Registry& registry, std::ostream& out,
                 std::ostream& err);

/// Defines `davit linearize`.
void AddLinearizeCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
