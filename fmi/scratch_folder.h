#pragma once

#include <filesystem>

namespace davit {

/// A folder for files in between, which is removed again.
class ScratchFolder {
 public:
  /// Throws std::runtime_error where it cannot be made.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace davit
