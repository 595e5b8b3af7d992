#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "framework/xml/file_source.h"

struct zip;

namespace davit {

/// A zip archive that is open for reading. What a hostile archive could do is refused when it is opened:
/// names that lead out of a folder, links, two files of one name, encryption, more than 100,000 files or
/// 4 GiB. Folders and files that are there several times, with the same content, are one. All functions
/// throw std::runtime_error with the archive, its entry, what is wrong and what would be right.
class ZipReader {
 public:
  /// `file` may lie in another archive: `machine.ssp/resources/engine.fmu`.
  explicit ZipReader(const std::filesystem::path& file);
  ~ZipReader();
  ZipReader(const ZipReader&) = delete;
  ZipReader& operator=(const ZipReader&) = delete;

  /// The archive as it is.
  std::string ReadArchive() const;
  bool Has(std::string_view file) const { return files_.contains(file); }
  /// The files below a folder such as `binaries`, without its name, in alphabetical order.
  std::vector<std::string> FilesBelow(std::string_view folder) const;
  /// A file that is a text of at most kLargestText. `noun` is what messages call it.
  TextResult ReadText(std::string_view file, std::string_view noun) const;

  /// Writes all files into a folder, which is made.
  void Unpack(const std::filesystem::path& folder) const;
  /// Whether a folder has all files as they are in the archive, by their sizes and checksums.
  bool IsUnpackedIn(const std::filesystem::path& folder) const;

 private:
  struct Entry {
    std::uint64_t index = 0;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
  };
  struct Discard {
    void operator()(zip* archive) const;
  };
  using Pieces = std::function<void(std::string_view piece)>;

  void Open();
  [[noreturn]] void Fail(const std::string& entry, const std::string& what) const;
  std::string NameOf(std::uint64_t index) const;
  void Check(std::uint64_t index);
  void CheckFolders(const std::string& name) const;
  const Entry& Get(std::string_view file) const;
  /// Unpacks an entry, piece by piece.
  void Read(const std::string& name, const Entry& entry, const Pieces& take) const;

  std::filesystem::path file_;
  std::string inner_;  ///< the bytes, where it lies in another archive
  std::unique_ptr<zip, Discard> archive_;
  std::map<std::string, Entry, std::less<>> files_;
  std::set<std::string> folders_;  ///< without '/' at the end
  std::uint64_t bytes_ = 0;        ///< of all entries
};

/// Unpacks an archive into a folder, which is made.
void UnpackZip(const std::filesystem::path& archive, const std::filesystem::path& folder);

}  // namespace davit
