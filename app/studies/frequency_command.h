#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/command_context.h"
#include "framework/registry.h"
#include "framework/xml/system_loader.h"

namespace davit {

struct FrequencyCommandOptions {
  std::filesystem::path system;
  LoadOptions load = {};
  std::string input = {};
  std::vector<std::string> outputs = {};
  std::string from = {}, to = {};
  int points = 20;
  std::string amplitude = {};
  std::optional<std::string> at = {};
  bool is_steady = false;
  bool is_multisine = false;
  int settle = 3, periods = 4;
  std::filesystem::path table = {}, bode = {};
};

/// `davit frequency`: the frequency response of the running nonlinear model. Prints a line for each frequency
/// on `out` as it comes. Returns 0, 1 where the run or a file fails, 2 for wrong input.
int RunFrequency(const FrequencyCommandOptions& options, const Registry& registry, std::ostream& out,
                 std::ostream& err);

/// Defines `davit frequency`.
void AddFrequencyCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
