// Libraries that are cut off or changed: a message, whatever they say, and always an end.

#include "fmi/elf_library.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace davit {
namespace {

std::string Bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A plug-in, as far as the loader reads it.
std::string Plugin() { return Bytes(std::filesystem::path(DAVIT_TEST_PLUGINS) / "own_chart.so"); }

const ElfLibrary& Host() {
  static const ElfLibrary kHost(
      Bytes(std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_plugin_runtime.so"));
  return kHost;
}

/// What is wrong with a library that is read and bound; empty: nothing.
std::string FaultOf(const std::string& bytes) {
  try {
    ElfLibrary library(bytes);
    library.soname();
    library.needed();
    library.symbols();
    library.version();
    library.BindTo(Host(), {"davit_plugin"});
    return ElfLibrary(library.bytes()).needed().empty() ? "it needs nothing" : "";
  } catch (const std::invalid_argument& fault) {
    return fault.what();
  }
}

template <class T>
T At(const std::string& bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

template <class T>
void Put(const T& value, std::size_t place, std::string& bytes) {
  std::memcpy(bytes.data() + place, &value, sizeof value);
}

struct Table {
  std::size_t begin = 0, size = 0;
};

/// The program headers, and the dynamic section.
Table Segments(const std::string& bytes) {
  const auto head = At<Elf64_Ehdr>(bytes, 0);
  return {head.e_phoff, head.e_phnum * sizeof(Elf64_Phdr)};
}
Table Dynamic(const std::string& bytes) {
  const Table segments = Segments(bytes);
  for (std::size_t i = 0; i < segments.size; i += sizeof(Elf64_Phdr)) {
    const auto segment = At<Elf64_Phdr>(bytes, segments.begin + i);
    if (segment.p_type == PT_DYNAMIC) return {segment.p_offset, segment.p_filesz};
  }
  return {};
}
/// The place of the value of a dynamic entry.
std::size_t EntryOf(std::int64_t tag, const std::string& bytes) {
  const Table dynamic = Dynamic(bytes);
  std::size_t at = dynamic.begin;
  while (At<std::int64_t>(bytes, at) != tag) at += sizeof(Elf64_Dyn);
  return at + sizeof tag;
}

TEST(ElfLibraryTest, ReadsAPlugin) { EXPECT_EQ(FaultOf(Plugin()), ""); }

TEST(ElfLibraryTest, ALibraryThatIsCutOffIsRefused) {
  const std::string whole = Plugin();
  const Table dynamic = Dynamic(whole);
  for (std::size_t parts = 0; parts < 64; ++parts)
    EXPECT_NE(FaultOf(whole.substr(0, dynamic.begin * parts / 64)), "") << parts;
  EXPECT_NE(FaultOf(whole.substr(0, sizeof(Elf64_Ehdr) - 1)), "");
  EXPECT_NE(FaultOf(""), "");
}

// Law: whichever word of the headers or of the dynamic section is wrong, the answer is a library or a
// message.
TEST(ElfLibraryTest, EachWrongWordOfItsTablesHasAnAnswer) {
  const std::string whole = Plugin();
  std::size_t refused = 0;
  for (const Table& table : {Table{0, sizeof(Elf64_Ehdr)}, Segments(whole), Dynamic(whole)}) {
    for (std::size_t place = table.begin; place < table.begin + table.size; place += 8) {
      for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{whole.size()},
                                        std::numeric_limits<std::uint64_t>::max()}) {
        std::string bytes = whole;
        Put(wrong, place, bytes);
        refused += FaultOf(bytes).empty() ? 0 : 1;
      }
    }
  }
  EXPECT_GT(refused, 50U);
}

// Law: a list of versions comes to an end, whatever it says of its length.
TEST(ElfLibraryTest, AListOfVersionsEnds) {
  const std::string whole = Plugin();
  std::string endless = whole;
  Put(std::numeric_limits<std::uint64_t>::max(), EntryOf(DT_VERNEEDNUM, whole), endless);
  EXPECT_THAT(FaultOf(endless), testing::HasSubstr("a list of versions is damaged"));
  const auto names = At<std::uint64_t>(whole, EntryOf(DT_STRSZ, whole));
  std::string short_names = whole;
  Put(names / 2, EntryOf(DT_STRSZ, whole), short_names);
  EXPECT_THAT(FaultOf(short_names), testing::HasSubstr("a name is cut off"));
}

}  // namespace
}  // namespace davit
