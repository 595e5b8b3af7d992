#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "framework/system.h"
#include "framework/xml/system_loader.h"

namespace davit {

/// A file that a command is to write. A table (.csv) has its units in a file beside it.
struct OutputPath {
  std::string option;  ///< as typed: `--summary out.json`
  std::filesystem::path file;
  bool is_checked_when_opened = false;  ///< before the first step anyway
  SourceLocation place = {};            ///< of the option; unknown: its text
};

/// All files that a loaded system is made of (its texts, charts, parameter sets, FMUs and plug-ins), then
/// `more`.
std::vector<std::filesystem::path> InputsOf(const System& system,
                                            std::vector<std::filesystem::path> more = {});
/// The same of a system that is not loaded yet, as far as it can be. Faults are left to who loads it.
std::vector<std::filesystem::path> InputsOf(const std::filesystem::path& system, const Registry& registry,
                                            const LoadOptions& options);

/// What is wrong with the files that a command is to write, before it begins: one that it reads (`inputs`,
/// and the units beside a table) or that another option writes, also by a link, and a folder that is not
/// there or may not be written. Pipes and devices may be named several times.
void CheckOutputPaths(std::span<const OutputPath> outputs, std::span<const std::filesystem::path> inputs,
                      Diagnostics& diagnostics);

}  // namespace davit
