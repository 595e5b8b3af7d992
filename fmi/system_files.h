#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/diagnostics.h"

namespace davit {

/// A file that a system needs.
struct SystemFile {
  std::filesystem::path path;  ///< below the folder of the system file, with '/'
  std::string text;
  bool has_ecmascript = false;  ///< a chart whose sessions cannot be saved
};

/// The system file and all files that it and they name: parts, charts, and what those include. The system
/// file is the first. Names that lead out of the folder of the system file are errors: an FMU has no such
/// place. Plug-ins are left out.
std::vector<SystemFile> CollectSystemFiles(const std::filesystem::path& system, Diagnostics& diagnostics);

}  // namespace davit
