// Shared libraries that are cut off or changed: the process stays, and is told why.

#include "framework/library/shared_library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string LibraryBytes() {
  // One that every process has loaded, so it is there and whole.
  Dl_info info{};
  EXPECT_NE(dladdr(reinterpret_cast<const void*>(&std::strlen), &info), 0);
  void* const unwinder = dlopen("libgcc_s.so.1", RTLD_NOW);
  EXPECT_NE(dladdr(dlsym(unwinder, "_Unwind_GetIP"), &info), 0);
  std::ifstream stream(info.dli_fname, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Tests run at the same time: each process has a file of its own.
fs::path WriteLibrary(const std::string& bytes) {
  fs::path file = fs::path(testing::TempDir()) / fmt::format("shared_library_test_{}.so", getpid());
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

/// What is said of a library; the loader has it only where nothing is damaged.
std::string DamageOf(const std::string& bytes) { return FindLibraryDamage(WriteLibrary(bytes)); }

TEST(SharedLibraryTest, AWholeLibraryIsOpened) {
  const fs::path file = WriteLibrary(LibraryBytes());
  const LibraryResult opened = OpenLibrary(file, RTLD_NOW | RTLD_LOCAL);
  EXPECT_EQ(opened.fault, "");
  ASSERT_NE(opened.handle, nullptr);
  dlclose(opened.handle);
}

// Law: no part of a library that has lost its end reaches the loader, which would end this process.
TEST(SharedLibraryTest, EachBeginningOfALibraryIsRefused) {
  const std::string whole = LibraryBytes();
  ASSERT_GT(whole.size(), 10'000U);
  for (std::size_t parts = 1; parts < 100; ++parts) {
    const std::string bytes = whole.substr(0, whole.size() * parts / 100);
    EXPECT_THAT(DamageOf(bytes), HasSubstr("it is damaged (it is cut off: it has " +
                                           std::to_string(bytes.size()) + " bytes and needs at least "));
  }
  EXPECT_THAT(DamageOf(whole.substr(0, whole.size() - 1)), HasSubstr("copy it again"));
  EXPECT_EQ(OpenLibrary(WriteLibrary(whole.substr(0, whole.size() / 2)), RTLD_NOW).handle, nullptr);
}

TEST(SharedLibraryTest, OtherFilesAreNamedByTheLoader) {
  const LibraryResult text =
      OpenLibrary(WriteLibrary("this is a text that is as long as the head of a library is"), RTLD_NOW);
  EXPECT_EQ(text.handle, nullptr);
  EXPECT_TRUE(text.is_of_loader);
  EXPECT_EQ(text.fault.find('/'), std::string::npos) << "the name of the file comes from the caller";
  EXPECT_THAT(OpenLibrary(WriteLibrary(""), RTLD_NOW).fault, HasSubstr("it cannot be read, or it is empty"));
  EXPECT_THAT(OpenLibrary(testing::TempDir(), RTLD_NOW).fault, HasSubstr("it cannot be read"));
}

// Law: a place or a size that leads out of the file is found, wherever it stands in the tables.
TEST(SharedLibraryTest, PlacesOutsideOfTheFileAreFound) {
  const std::string whole = LibraryBytes();
  Elf64_Ehdr head{};
  std::memcpy(&head, whole.data(), sizeof head);
  const auto with = [&](std::size_t place, std::uint64_t value) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + place, &value, sizeof value);
    return DamageOf(bytes);
  };
  constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();
  for (const std::size_t place : {offsetof(Elf64_Ehdr, e_phoff), offsetof(Elf64_Ehdr, e_shoff)}) {
    EXPECT_NE(with(place, whole.size()), "") << place;
    EXPECT_NE(with(place, kFar), "") << place;
  }
  std::size_t tables = 0;
  for (std::size_t i = 0; i < head.e_phnum; ++i) {
    const std::size_t begin = head.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment{};
    std::memcpy(&segment, whole.data() + begin, sizeof segment);
    if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
    for (const std::size_t member : {offsetof(Elf64_Phdr, p_offset), offsetof(Elf64_Phdr, p_vaddr)})
      EXPECT_NE(with(begin + member, kFar), "") << i;
    if (segment.p_type == PT_LOAD) {
      EXPECT_NE(with(begin + offsetof(Elf64_Phdr, p_filesz), whole.size() + 1), "") << i;
    }
    for (std::size_t at = segment.p_offset; segment.p_type == PT_DYNAMIC; at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      std::memcpy(&entry, whole.data() + at, sizeof entry);
      if (entry.d_tag == DT_NULL) break;
      const bool is_place = entry.d_tag == DT_STRTAB || entry.d_tag == DT_SYMTAB || entry.d_tag == DT_RELA ||
                            entry.d_tag == DT_INIT_ARRAY || entry.d_tag == DT_VERNEED;
      if (!is_place) continue;
      ++tables;
      EXPECT_NE(with(at + offsetof(Elf64_Dyn, d_un), kFar), "") << entry.d_tag;
    }
  }
  EXPECT_EQ(tables, 5U);
}

}  // namespace
}  // namespace davit
