#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/xml/file_source.h"
#include "results/file_descriptor.h"

namespace davit {

/// A file of the folder.
struct FolderFile {
  std::string path;  ///< seen from the folder, with '/'
  std::uint64_t size = 0;
};

struct FolderList {
  std::vector<FolderFile> files;  ///< ordered by path
  bool is_complete = true;        ///< whether no limit was met
};

/// What became of a text that was to be written.
struct WriteResult {
  enum class Status : std::uint8_t {
    kWritten,
    kChanged,  ///< the file has another text than the writer knows; nothing was written
    kRefused,  ///< `fault` says why; nothing was written
  };
  Status status = Status::kWritten;
  std::string fault;
  std::optional<std::string> text;  ///< of kChanged: what the file has; nothing where it is gone
};

/// The hash of a text by which a file is known: SHA-256, in hexadecimal digits.
std::string HashOf(std::string_view text);

/// A folder that is read and written, and nothing outside of it: the kernel follows a path from the folder
/// down, and refuses `..` and symbolic links that lead out of it. Any thread may call it.
class Folder {
 public:
  static constexpr std::size_t kLargestFile = 16U << 20;  ///< that is read or written [bytes]
  static constexpr std::size_t kMostFiles = 5'000;
  static constexpr std::size_t kMostEntries = 100'000;  ///< that are looked at for a list
  static constexpr int kMostLevels = 16;

  /// Throws std::runtime_error where it cannot be read.
  explicit Folder(const std::filesystem::path& folder);

  /// Absolute and without links.
  const std::filesystem::path& root() const { return root_; }
  /// Whether files can be made in it.
  bool is_writable() const { return is_writable_; }
  /// The path of a file of the folder, seen from it and with '/'; nothing where it is absolute and elsewhere,
  /// or leads out of it.
  std::optional<std::string> Find(const std::filesystem::path& file) const;

  /// The files whose names do not begin with a dot, and that have one of kEndings.
  FolderList List() const;
  /// Why a text is not one of a file of the folder, read, written or not saved yet; the remedy. Else empty.
  static std::string FaultOf(std::string_view text);
  TextResult Read(std::string_view path, std::string_view noun = "file") const;
  /// Whether there is a regular file.
  bool Has(std::string_view path) const;
  /// Writes a system (.xml) or a chart (.scxml) as a whole, or not at all. `known`: the hash of the text that
  /// it replaces; nothing: there is no such file yet. Folders on the way are made.
  WriteResult Write(std::string_view path, std::string_view text,
                    const std::optional<std::string>& known) const;

 private:
  FileDescriptor Open(std::string_view path, int flags) const;
  /// The open folder of a file, which is made where it is missing.
  FileDescriptor OpenFolderOf(std::string_view path, std::string& fault) const;

  std::filesystem::path root_;
  FileDescriptor folder_;
  bool is_writable_ = false;
};

}  // namespace davit
