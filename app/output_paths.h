#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "framework/diagnostics.h"

namespace davit {

/// A file that a run is to write.
struct OutputPath {
  std::string option;  ///< as typed: `--summary out.json`
  std::filesystem::path file;
  bool is_checked_when_opened = false;  ///< before the first step anyway
};

/// What is wrong with the files that a run is to write, before it begins: one that the run reads (`inputs`)
/// or that another option writes, and a folder that is not there or may not be written. Pipes and devices may
/// be named several times.
void CheckOutputPaths(std::span<const OutputPath> outputs, std::span<const std::filesystem::path> inputs,
                      Diagnostics& diagnostics);

}  // namespace davit
