#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace davit {

/// A file in an archive.
struct ZipEntry {
  std::string name;  ///< with '/', below the root of the archive
  std::string content;
};

/// Writes a zip archive: deflated, without times or owners, so that equal entries give equal bytes. An
/// archive of this name is replaced when it is complete. Throws std::runtime_error with path and reason.
void WriteZip(const std::filesystem::path& file, const std::vector<ZipEntry>& entries);

}  // namespace davit
