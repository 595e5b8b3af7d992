#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/command_context.h"

namespace davit {

struct SpectrumOptions {
  std::filesystem::path result;
  std::vector<std::string> signals;  ///< paths
  std::string over = {};             ///< path: the transfer function from it to each signal
  bool is_density = false;
  std::string window = "hann";
  std::optional<std::string> segment = {};  ///< length of a stretch
  std::optional<std::string> begin = {}, end = {};
  double overlap = 50;  ///< [%]
  std::filesystem::path table = {}, plot = {};
};

/// `davit spectrum`: amplitudes, densities or transfer functions of the signals of a result. Prints the
/// highest lines on `out`. Returns 0, 1 where a file cannot be written or drawn, 2 for wrong input.
int RunSpectrum(const SpectrumOptions& options, std::ostream& out, std::ostream& err);

/// Defines `davit spectrum`.
void AddSpectrumCommand(CLI::App& command, CommandContext& context);

}  // namespace davit
