#include "framework/library/elf_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

namespace davit {
namespace {

/// No address of a process is higher.
constexpr std::uint64_t kHighest = 1ULL << 47;
/// More dynamic entries are no table.
constexpr std::size_t kMostEntries = 10'000;

[[noreturn]] void Fail(const std::string& what) { throw std::invalid_argument(what); }

/// An address among the dynamic entries, with the entry that has the size of what is there.
struct AddressTag {
  std::int64_t address;
  std::int64_t size;  ///< 0: not known, at least one byte
};
constexpr std::array kAddresses{AddressTag{DT_STRTAB, DT_STRSZ},
                                AddressTag{DT_SYMTAB, 0},
                                AddressTag{DT_HASH, 0},
                                AddressTag{DT_GNU_HASH, 0},
                                AddressTag{DT_RELA, DT_RELASZ},
                                AddressTag{DT_JMPREL, DT_PLTRELSZ},
                                AddressTag{DT_INIT, 0},
                                AddressTag{DT_FINI, 0},
                                AddressTag{DT_INIT_ARRAY, DT_INIT_ARRAYSZ},
                                AddressTag{DT_FINI_ARRAY, DT_FINI_ARRAYSZ},
                                AddressTag{DT_VERSYM, 0},
                                AddressTag{DT_VERNEED, 0},
                                AddressTag{DT_VERDEF, 0}};

class ImageReader {
 public:
  ImageReader(std::uint64_t file_size, const ReadBytes& read) : file_size_(file_size), read_(read) {}

  ElfImage Read() {
    image_.head = Get<Elf64_Ehdr>(0);
    if (!IsElfLibrary(image_.head)) Fail("its head is that of another file");
    const Elf64_Ehdr& head = image_.head;
    if (head.e_phnum >= PN_XNUM - 1) Fail("it has too many segments");
    for (std::uint64_t i = 0; i < head.e_phnum; ++i)
      image_.segments.push_back(Get<Elf64_Phdr>(head.e_phoff + i * sizeof(Elf64_Phdr)));
    // Behind all that is loaded: without it the file has lost its end. 0: it was stripped.
    if (head.e_shoff != 0) RequireInFile(head.e_shoff, std::uint64_t{head.e_shnum} * head.e_shentsize);
    CheckSegments();
    ReadDynamic();
    for (const AddressTag& tag : kAddresses) {
      const std::uint64_t address = image_.Dynamic(tag.address);
      const std::uint64_t size = tag.size == 0 ? 1 : image_.Dynamic(tag.size);
      if (address != 0 && size != 0 && !image_.FindOffset(address, size))
        Fail("an address lies outside of it");
    }
    return std::move(image_);
  }

 private:
  void RequireInFile(std::uint64_t offset, std::uint64_t size) const {
    if (offset <= file_size_ && size <= file_size_ - offset) return;
    const bool is_number = offset <= kHighest && size <= kHighest;
    Fail(is_number
             ? fmt::format("it is cut off: it has {} bytes and needs at least {}", file_size_, offset + size)
             : "its tables lead out of the file");
  }

  template <class T>
  T Get(std::uint64_t offset) const {
    RequireInFile(offset, sizeof(T));
    T value;
    if (!read_(offset, &value, sizeof value)) Fail("it cannot be read");
    return value;
  }

  void CheckSegments() const {
    std::uint64_t end = 0;
    bool has_loaded = false;
    for (const Elf64_Phdr& segment : image_.segments) {
      if (segment.p_type == PT_DYNAMIC || segment.p_type == PT_NOTE || segment.p_type == PT_TLS)
        RequireInFile(segment.p_offset, segment.p_filesz);
      if (segment.p_type != PT_LOAD) continue;
      RequireInFile(segment.p_offset, segment.p_filesz);
      if (segment.p_vaddr > kHighest || segment.p_memsz > kHighest) Fail("a segment lies nowhere");
      if (segment.p_filesz > segment.p_memsz) Fail("a segment is larger in the file than in memory");
      if (has_loaded && segment.p_vaddr < end) Fail("its segments overlap");
      end = segment.p_vaddr + segment.p_memsz;
      has_loaded = true;
    }
    if (!has_loaded) Fail("it has nothing to load");
  }

  void ReadDynamic() {
    const auto dynamic = std::ranges::find(image_.segments, PT_DYNAMIC, &Elf64_Phdr::p_type);
    if (dynamic == image_.segments.end()) Fail("it has no dynamic section");
    if (image_.FindOffset(dynamic->p_vaddr, sizeof(Elf64_Dyn)) != dynamic->p_offset)
      Fail("its dynamic section lies elsewhere in memory");
    for (std::uint64_t at = dynamic->p_offset;; at += sizeof(Elf64_Dyn)) {
      const auto entry = Get<Elf64_Dyn>(at);
      if (entry.d_tag == DT_NULL) break;
      image_.dynamic.push_back(entry);
      if (image_.dynamic.size() > kMostEntries) Fail("its dynamic section has no end");
    }
    if (image_.Dynamic(DT_STRTAB) == 0 || image_.Dynamic(DT_SYMTAB) == 0) Fail("it has no symbols");
  }

  std::uint64_t file_size_;
  const ReadBytes& read_;
  ElfImage image_;
};

}  // namespace

std::optional<std::uint64_t> ElfImage::FindOffset(std::uint64_t address, std::uint64_t size) const {
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t place = address - segment.p_vaddr;
    if (place <= segment.p_filesz && size <= segment.p_filesz - place) return place + segment.p_offset;
  }
  return std::nullopt;
}

std::uint64_t ElfImage::Dynamic(std::int64_t tag) const {
  const auto entry = std::ranges::find(dynamic, tag, &Elf64_Dyn::d_tag);
  return entry == dynamic.end() ? 0 : entry->d_un.d_val;
}

bool IsElfLibrary(const Elf64_Ehdr& head) {
  return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_ident[EI_CLASS] == ELFCLASS64 &&
         head.e_ident[EI_DATA] == ELFDATA2LSB && head.e_type == ET_DYN &&
         head.e_phentsize == sizeof(Elf64_Phdr);
}

ElfImage ReadElfImage(std::uint64_t file_size, const ReadBytes& read) {
  return ImageReader(file_size, read).Read();
}

}  // namespace davit
