#include "fmi/elf_library.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace davit {
namespace {

constexpr std::uint64_t kPage = 0x1000;
/// In an entry of DT_VERSYM: the number of the version.
constexpr std::uint16_t kVersionMask = 0x7fff;
/// In a version that is wanted: a definition without a version will not do.
constexpr std::uint16_t kExactly = 0x8000;

[[noreturn]] void Fail(const char* what) {
  throw std::invalid_argument(std::string("it is not a shared library for Linux on x86-64: ") + what);
}

/// The hash of the System V ABI, of the names of versions.
std::uint32_t ElfHash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    const std::uint32_t high = hash & 0xf0000000;
    hash ^= high >> 24;
    hash &= ~high;
  }
  return hash;
}

std::uint64_t RoundUp(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

template <class T>
void Append(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The way from one of several entries to the next: they do not overlap.
std::uint64_t WayOn(std::uint64_t distance, std::size_t size) {
  if (distance < size) Fail("a list of versions is damaged");
  return distance;
}

/// Makes the length a multiple of 8, and returns it.
std::uint64_t Align(std::string& bytes) {
  bytes.resize(RoundUp(bytes.size(), 8));
  return bytes.size();
}

}  // namespace

/// The versions that are wanted of one library.
struct ElfLibrary::WantedVersions {
  Elf64_Verneed head{};
  std::vector<Elf64_Vernaux> versions;
};

template <class T>
T ElfLibrary::Get(std::uint64_t offset) const {
  if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) Fail("it is cut off");
  T value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return value;
}

template <class T>
void ElfLibrary::Put(std::uint64_t offset, const T& value) {
  if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) Fail("it is cut off");
  std::memcpy(bytes_.data() + offset, &value, sizeof value);
}

ElfLibrary::ElfLibrary(std::string bytes) : bytes_(std::move(bytes)) {
  try {
    image_ = ReadElfImage(bytes_.size(), [this](std::uint64_t offset, void* to, std::size_t size) {
      std::memcpy(to, bytes_.data() + offset, size);
      return true;
    });
  } catch (const std::invalid_argument& fault) {
    Fail(fault.what());
  }
  if (image_.head.e_machine != EM_X86_64) Fail("its head is that of another file");
}

std::uint64_t ElfLibrary::OffsetOf(std::uint64_t address) const {
  const std::optional<std::uint64_t> offset = image_.FindOffset(address);
  if (!offset) Fail("an address lies outside of it");
  return *offset;
}

std::string_view ElfLibrary::names() const {
  const std::uint64_t begin = OffsetOf(Dynamic(DT_STRTAB));
  const std::uint64_t size = Dynamic(DT_STRSZ);
  if (begin > bytes_.size() || size > bytes_.size() - begin) Fail("its names are cut off");
  return std::string_view(bytes_).substr(begin, size);
}

std::string ElfLibrary::Name(std::uint64_t place) const {
  const std::string_view all = names();
  const std::size_t end = place < all.size() ? all.find('\0', place) : std::string_view::npos;
  if (end == std::string_view::npos) Fail("a name is cut off");
  return std::string(all.substr(place, end - place));
}

std::string ElfLibrary::soname() const {
  const std::uint64_t place = Dynamic(DT_SONAME);
  return place == 0 ? std::string() : Name(place);
}

std::vector<std::string> ElfLibrary::needed() const {
  std::vector<std::string> names;
  for (const Elf64_Dyn& entry : image_.dynamic) {
    if (entry.d_tag == DT_NEEDED) names.push_back(Name(entry.d_un.d_val));
  }
  return names;
}

std::uint64_t ElfLibrary::CountSymbols() const {
  if (const std::uint64_t table = Dynamic(DT_HASH); table != 0)
    return Get<std::uint32_t>(OffsetOf(table) + sizeof(std::uint32_t));
  const std::uint64_t table = Dynamic(DT_GNU_HASH);
  if (table == 0) Fail("it has no hash table of symbols");
  const std::uint64_t begin = OffsetOf(table);
  const auto buckets = Get<std::uint32_t>(begin);
  const auto first = Get<std::uint32_t>(begin + 4);
  const auto words = Get<std::uint32_t>(begin + 8);
  const std::uint64_t bucket = begin + 16 + std::uint64_t{words} * 8;
  const std::uint64_t chain = bucket + std::uint64_t{buckets} * 4;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < buckets; ++i) last = std::max(last, Get<std::uint32_t>(bucket + 4ULL * i));
  if (last < first) return first;
  while ((Get<std::uint32_t>(chain + 4ULL * (last - first)) & 1) == 0) ++last;  // the last of a chain is odd
  return last + 1ULL;
}

std::vector<ElfSymbol> ElfLibrary::symbols() const {
  std::vector<ElfSymbol> symbols;
  const std::uint64_t table = OffsetOf(Dynamic(DT_SYMTAB));
  const std::uint64_t versions = Dynamic(DT_VERSYM) == 0 ? 0 : OffsetOf(Dynamic(DT_VERSYM));
  const std::uint64_t count = CountSymbols();
  for (std::uint64_t i = 1; i < count; ++i) {
    const auto symbol = Get<Elf64_Sym>(table + i * sizeof(Elf64_Sym));
    if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
    const bool has_version =
        versions != 0 && (Get<std::uint16_t>(versions + 2 * i) & kVersionMask) > VER_NDX_GLOBAL;
    symbols.push_back({Name(symbol.st_name), symbol.st_shndx != SHN_UNDEF,
                       ELF64_ST_BIND(symbol.st_info) == STB_WEAK,
                       ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE, has_version});
  }
  return symbols;
}

void ElfLibrary::VisitVersions(const std::function<void(std::uint64_t, const std::string&)>& visit) const {
  if (Dynamic(DT_VERDEF) == 0) return;
  std::uint64_t at = OffsetOf(Dynamic(DT_VERDEF));
  for (std::uint64_t rest = Dynamic(DT_VERDEFNUM); rest > 0; --rest) {
    const auto version = Get<Elf64_Verdef>(at);
    visit(at, Name(Get<Elf64_Verdaux>(at + version.vd_aux).vda_name));
    if (rest > 1) at += WayOn(version.vd_next, sizeof version);
  }
}

std::string ElfLibrary::version() const {
  std::string last;
  VisitVersions([&](std::uint64_t at, const std::string& name) {
    if ((Get<Elf64_Verdef>(at).vd_flags & VER_FLG_BASE) == 0) last = name;
  });
  return last;
}

void ElfLibrary::RenameIn(std::string_view from, std::string_view to) {
  if (from.empty() || from.size() != to.size()) Fail("its names cannot be replaced");
  const std::uint64_t begin = OffsetOf(Dynamic(DT_STRTAB));
  for (std::size_t at = names().find(from); at != std::string_view::npos;
       at = names().find(from, at + from.size()))
    bytes_.replace(begin + at, from.size(), to);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> hashes;
  VisitVersions([&](std::uint64_t at, const std::string& name) { hashes.emplace_back(at, ElfHash(name)); });
  for (const auto& [at, hash] : hashes) {
    auto version = Get<Elf64_Verdef>(at);
    version.vd_hash = hash;
    Put(at, version);
  }
}

std::vector<ElfLibrary::WantedVersions> ElfLibrary::ReadWanted() const {
  std::vector<WantedVersions> wanted;
  std::size_t count = 0;
  std::uint64_t at = OffsetOf(Dynamic(DT_VERNEED));
  for (std::uint64_t rest = Dynamic(DT_VERNEEDNUM); rest > 0; --rest) {
    WantedVersions& one = wanted.emplace_back(WantedVersions{Get<Elf64_Verneed>(at), {}});
    std::uint64_t of_version = at + one.head.vn_aux;
    for (int left = one.head.vn_cnt; left > 0; --left) {
      const Elf64_Vernaux& version = one.versions.emplace_back(Get<Elf64_Vernaux>(of_version));
      if (++count > kVersionMask) Fail("it wants more versions than there are numbers");
      if (left > 1) of_version += WayOn(version.vna_next, sizeof version);
    }
    if (rest > 1) at += WayOn(one.head.vn_next, sizeof one.head);
  }
  return wanted;
}

void ElfLibrary::BindSymbols(const ElfLibrary& host, const std::vector<std::string_view>& kept,
                             std::uint16_t version) {
  std::set<std::string> offered;
  for (const ElfSymbol& symbol : host.symbols()) {
    if (symbol.is_defined) offered.insert(symbol.name);
  }
  const std::uint64_t table = OffsetOf(Dynamic(DT_SYMTAB));
  const std::uint64_t versions = OffsetOf(Dynamic(DT_VERSYM));
  const std::uint64_t count = CountSymbols();
  for (std::uint64_t i = 1; i < count; ++i) {
    const std::uint64_t place = table + i * sizeof(Elf64_Sym);
    auto symbol = Get<Elf64_Sym>(place);
    const std::string name = Name(symbol.st_name);
    if (symbol.st_shndx != SHN_UNDEF) {
      if (std::ranges::find(kept, name) != kept.end()) continue;
      symbol.st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(symbol.st_info));
      Put(place, symbol);
    } else if ((Get<std::uint16_t>(versions + 2 * i) & kVersionMask) <= VER_NDX_GLOBAL &&
               offered.contains(name)) {
      Put(versions + 2 * i, version);
    }
  }
}

void ElfLibrary::BindTo(const ElfLibrary& host, const std::vector<std::string_view>& kept) {
  if (Dynamic(DT_VERSYM) == 0 || Dynamic(DT_VERNEED) == 0) Fail("it is not linked with the C library");
  std::vector<WantedVersions> wanted = ReadWanted();
  std::uint16_t number = VER_NDX_GLOBAL;
  for (const WantedVersions& one : wanted) {
    for (const Elf64_Vernaux& version : one.versions)
      number = std::max<std::uint16_t>(number, version.vna_other & kVersionMask);
  }
  if (number == kVersionMask) Fail("it wants more versions than there are numbers");
  ++number;
  BindSymbols(host, kept, number);

  std::string with_host(names());
  const auto add_name = [&with_host](const std::string& name) {
    const std::size_t place = with_host.size();
    with_host += name + '\0';
    return static_cast<std::uint32_t>(place);
  };
  const std::uint32_t soname = add_name(host.soname());
  const std::string version = host.version();
  WantedVersions of_host;
  of_host.head.vn_version = VER_NEED_CURRENT;
  of_host.head.vn_file = soname;
  of_host.versions.push_back({.vna_hash = ElfHash(version),
                              .vna_flags = 0,
                              .vna_other = static_cast<std::uint16_t>(number | kExactly),
                              .vna_name = add_name(version),
                              .vna_next = 0});
  wanted.push_back(std::move(of_host));
  std::erase_if(image_.dynamic, [](const Elf64_Dyn& entry) {
    return entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH;  // all that it needs is loaded already
  });
  image_.dynamic.insert(image_.dynamic.begin(), Elf64_Dyn{DT_NEEDED, {soname}});
  AppendTables(with_host, std::move(wanted));
}

void ElfLibrary::AppendTables(const std::string& names, std::vector<WantedVersions> wanted) {
  std::uint64_t end_of_file = 0;
  std::uint64_t end_of_memory = 0;
  for (const Elf64_Phdr& segment : image_.segments) {
    if (segment.p_type != PT_LOAD) continue;
    end_of_file = std::max(end_of_file, segment.p_offset + segment.p_filesz);
    end_of_memory = std::max(end_of_memory, segment.p_vaddr + segment.p_memsz);
  }
  const std::uint64_t offset = RoundUp(end_of_file, kPage);
  const std::uint64_t address = RoundUp(end_of_memory, kPage);

  std::string added((image_.segments.size() + 1) * sizeof(Elf64_Phdr), '\0');
  const std::uint64_t of_segments = added.size();
  const std::uint64_t of_wanted = Align(added);
  for (WantedVersions& one : wanted) {
    const std::size_t size = sizeof one.head + one.versions.size() * sizeof(Elf64_Vernaux);
    one.head.vn_cnt = static_cast<std::uint16_t>(one.versions.size());
    one.head.vn_aux = sizeof one.head;
    one.head.vn_next = &one == &wanted.back() ? 0 : static_cast<std::uint32_t>(size);
    Append(one.head, added);
    for (Elf64_Vernaux& version : one.versions) {
      version.vna_next = &version == &one.versions.back() ? 0 : sizeof version;
      Append(version, added);
    }
  }
  const std::uint64_t of_names = Align(added);
  added += names;
  const std::uint64_t of_dynamic = Align(added);
  for (Elf64_Dyn& entry : image_.dynamic) {
    if (entry.d_tag == DT_STRTAB) entry.d_un.d_ptr = address + of_names;
    if (entry.d_tag == DT_STRSZ) entry.d_un.d_val = names.size();
    if (entry.d_tag == DT_VERNEED) entry.d_un.d_ptr = address + of_wanted;
    if (entry.d_tag == DT_VERNEEDNUM) entry.d_un.d_val = wanted.size();
    Append(entry, added);
  }
  Append(Elf64_Dyn{DT_NULL, {0}}, added);

  const auto move = [&](Elf64_Phdr& segment, std::uint64_t place, std::uint64_t size) {
    segment.p_offset = offset + place;
    segment.p_vaddr = segment.p_paddr = address + place;
    segment.p_filesz = segment.p_memsz = size;
  };
  for (Elf64_Phdr& segment : image_.segments) {
    if (segment.p_type == PT_DYNAMIC) move(segment, of_dynamic, added.size() - of_dynamic);
    if (segment.p_type == PT_PHDR) move(segment, 0, of_segments);
  }
  // The loader writes into the dynamic section.
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R | PF_W;
  segment.p_align = kPage;
  move(segment, 0, added.size());
  image_.segments.push_back(segment);
  std::memcpy(added.data(), image_.segments.data(), of_segments);

  bytes_.resize(end_of_file);  // behind it is what linkers and debuggers read
  bytes_.resize(offset);
  bytes_ += added;
  auto head = Get<Elf64_Ehdr>(0);
  head.e_phoff = offset;
  head.e_phnum = static_cast<std::uint16_t>(image_.segments.size());
  head.e_shoff = 0;
  head.e_shnum = 0;
  head.e_shstrndx = 0;
  Put(0, head);
}

}  // namespace davit
