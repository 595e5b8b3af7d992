#pragma once

#include <elf.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/library/elf_image.h"

namespace davit {

/// A name that a shared library defines for others, or wants of them.
struct ElfSymbol {
  std::string name;
  bool is_defined = false;
  bool is_weak = false;      ///< may stay undefined
  bool is_unique = false;    ///< all libraries of a process share one definition
  bool has_version = false;  ///< and so names the library that it is wanted of
};

/// A shared library for Linux on x86-64 (ELF): what the loader reads of it, and changes to that.
///
/// Throws std::invalid_argument where the bytes are no such library: "it is no shared library ...".
class ElfLibrary {
 public:
  explicit ElfLibrary(std::string bytes);

  const std::string& bytes() const { return bytes_; }
  /// Its SONAME; empty where it has none.
  std::string soname() const;
  /// The libraries it is linked with (DT_NEEDED).
  std::vector<std::string> needed() const;
  std::vector<ElfSymbol> symbols() const;
  /// The last version that it defines; empty where it defines none.
  std::string version() const;

  /// Replaces a part of its SONAME and of the names of its versions by another one of the same length.
  void RenameIn(std::string_view from, std::string_view to);

  /// Binds it to `host`, a library with a SONAME and one version of its symbols: it needs that library and
  /// takes what it lacks from there, and from nowhere else, whatever the process has loaded before. What it
  /// defines is for itself only, but for the names in `kept`. What only debuggers and linkers read of it is
  /// left out.
  void BindTo(const ElfLibrary& host, const std::vector<std::string_view>& kept);

 private:
  struct WantedVersions;

  template <class T>
  T Get(std::uint64_t offset) const;
  template <class T>
  void Put(std::uint64_t offset, const T& value);
  /// The place in the file of an address in memory.
  std::uint64_t OffsetOf(std::uint64_t address) const;
  std::uint64_t Dynamic(std::int64_t tag) const { return image_.Dynamic(tag); }
  /// The string table.
  std::string_view names() const;
  /// A text of it.
  std::string Name(std::uint64_t place) const;
  std::uint64_t CountSymbols() const;
  /// Calls `visit(offset, name)` for each version that it defines.
  void VisitVersions(const std::function<void(std::uint64_t, const std::string&)>& visit) const;
  std::vector<WantedVersions> ReadWanted() const;
  /// Of BindTo: `version` is the number of that of the host.
  void BindSymbols(const ElfLibrary& host, const std::vector<std::string_view>& kept, std::uint16_t version);
  /// Of BindTo: a segment behind the others, for the tables that are larger than before: segments, wanted
  /// versions, names, and the dynamic section.
  void AppendTables(const std::string& names, std::vector<WantedVersions> wanted);

  std::string bytes_;
  ElfImage image_;
};

}  // namespace davit
