#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "results/file_descriptor.h"

namespace davit {

/// A file that is written from its beginning, without a buffer. No error passes silently: the constructor,
/// Write and Close throw OutputFailure with path, reason and, where there is one, a remedy.
class OutputFile {
 public:
  /// Creates the file or empties it.
  explicit OutputFile(std::filesystem::path path);

  /// Writes all of `bytes`; allocates nothing unless it fails. After a failure the file is closed, so that
  /// nothing can follow a torn line.
  void Write(std::string_view bytes);
  /// Writes over bytes that are there already. Pre: is_regular.
  void WriteAt(std::size_t offset, std::string_view bytes);
  /// Disks on a network may report only now that there was no room. Closing again does nothing.
  void Close();

  /// Closes the file and removes it, unless it is a pipe or a device.
  void Discard();

  const std::filesystem::path& path() const { return path_; }
  /// False for a pipe or a device.
  bool is_regular() const { return is_regular_; }

 private:
  [[noreturn]] void Fail(std::string_view fault, int error) const;

  std::filesystem::path path_;
  FileDescriptor file_;
  bool is_regular_ = false;
};

}  // namespace davit
