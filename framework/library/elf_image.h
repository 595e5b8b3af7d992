#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace davit {

/// The tables of a shared library (ELF, 64 bits, lowest byte first) that say where everything else lies.
struct ElfImage {
  Elf64_Ehdr head{};
  std::vector<Elf64_Phdr> segments;
  std::vector<Elf64_Dyn> dynamic;  ///< without the DT_NULL at its end

  /// The offset in the file of `size` bytes at an address in memory; nothing where the file does not have
  /// them.
  std::optional<std::uint64_t> FindOffset(std::uint64_t address, std::uint64_t size = 1) const;
  /// The value of the first entry of a kind; 0 without one.
  std::uint64_t Dynamic(std::int64_t tag) const;
};

/// Copies `size` bytes at `offset` of a file to `to`; false where they cannot be read.
using ReadBytes = std::function<bool(std::uint64_t offset, void* to, std::size_t size)>;

/// Reads the tables of a file of `file_size` bytes, and checks that all they name lies in the file. The
/// loader of the system does not check that: it ends the process by a signal. Contents are not checked
/// (machine code, names, relocations), which only the maker of the library could.
///
/// Throws std::invalid_argument with what is wrong.
ElfImage ReadElfImage(std::uint64_t file_size, const ReadBytes& read);

/// Whether a file that begins so is one for ReadElfImage: a shared library of 64 bits.
bool IsElfLibrary(const Elf64_Ehdr& head);

}  // namespace davit
