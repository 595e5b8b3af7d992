// Archives as tools pack them.

#include "fmi/zip_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <fstream>
#include <iterator>

#include "fmi/zip_writer.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;

std::uint32_t CrcOf(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Numbers of so many bytes each, the lowest byte first.
std::string LittleEndian(std::initializer_list<std::pair<std::uint32_t, int>> numbers) {
  std::string bytes;
  for (const auto& [number, size] : numbers) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xffU);
  }
  return bytes;
}

/// An archive of stored files that has each entry, whether its name is new or not (APPNOTE.TXT of PKWARE,
/// 4.3.7, 4.3.12 and 4.3.16).
fs::path WriteRawZip(const std::string& name, const std::vector<ZipEntry>& entries) {
  std::string all, directory;
  for (const ZipEntry& entry : entries) {
    const auto size = static_cast<std::uint32_t>(entry.content.size());
    const auto length = static_cast<std::uint32_t>(entry.name.size());
    const std::string facts = LittleEndian({{20, 2},
                                            {0, 2},
                                            {0, 2},
                                            {0, 2},
                                            {0x21, 2},
                                            {CrcOf(entry.content), 4},
                                            {size, 4},
                                            {size, 4},
                                            {length, 2},
                                            {0, 2}});
    directory += LittleEndian({{0x02014b50, 4}, {20, 2}}) + facts +
                 LittleEndian({{0, 2}, {0, 2}, {0, 2}, {0, 4}, {static_cast<std::uint32_t>(all.size()), 4}}) +
                 entry.name;
    all += LittleEndian({{0x04034b50, 4}}) + facts + entry.name + entry.content;
  }
  const auto count = static_cast<std::uint32_t>(entries.size());
  const std::string end = LittleEndian({{0x06054b50, 4},
                                        {0, 2},
                                        {0, 2},
                                        {count, 2},
                                        {count, 2},
                                        {static_cast<std::uint32_t>(directory.size()), 4},
                                        {static_cast<std::uint32_t>(all.size()), 4},
                                        {0, 2}});
  const fs::path file = FreshFolder() / name;
  std::ofstream(file, std::ios::binary) << all << directory << end;
  return file;
}

// Law: what is there several times with the same content is there once. CMake packs the Reference FMUs so.
TEST(ZipReaderTest, IdenticalEntriesAreOne) {
  const fs::path file = WriteRawZip("doubled.zip", {{"modelDescription.xml", "x"},
                                                    {"extra/", ""},
                                                    {"extra/notes/", ""},
                                                    {"extra/notes/a.txt", "of a"},
                                                    {"extra/", ""},
                                                    {"extra/notes/", ""},
                                                    {"extra/notes/a.txt", "of a"}});
  const ZipReader archive(file);
  EXPECT_THAT(archive.FilesBelow("extra"), ElementsAre("notes/a.txt"));
  EXPECT_EQ(archive.ReadText("extra/notes/a.txt", "text").text, "of a");
  archive.Unpack(FreshFolder() / "unpacked");
  EXPECT_EQ(ReadAll(FreshFolder() / "unpacked/extra/notes/a.txt"), "of a");
  EXPECT_TRUE(archive.IsUnpackedIn(FreshFolder() / "unpacked"));
}

TEST(ZipReaderTest, TwoContentsOfOneNameAreRefused) {
  for (const char* other : {"of b", "of a longer one"}) {
    const fs::path file = WriteRawZip("two.zip", {{"extra/a.txt", "of a"}, {"extra/a.txt", other}});
    try {
      const ZipReader archive(file);
      FAIL() << other;
    } catch (const std::runtime_error& fault) {
      EXPECT_THAT(fault.what(), HasSubstr("two.zip: error: extra/a.txt: it is there twice, with different"));
    }
  }
}

// Law: an archive in an archive is read as if it lay in the folder of that name.
TEST(ZipReaderTest, ArchivesInArchivesAreRead) {
  const fs::path inner = FreshFolder() / "inner.fmu", outer = FreshFolder() / "outer.ssp";
  WriteZip(inner, {{"a.txt", "of a"}});
  WriteZip(outer, {{"resources/inner.fmu", ReadAll(inner)}, {"resources/text.fmu", "no archive"}});
  const ZipReader archive(outer / "resources/inner.fmu");
  EXPECT_EQ(archive.ReadText("a.txt", "text").text, "of a");
  EXPECT_EQ(archive.ReadArchive(), ReadAll(inner));
  for (const char* wrong : {"resources/none.fmu", "resources/text.fmu", "resources"})
    EXPECT_THROW(ZipReader(outer / wrong), std::runtime_error) << wrong;
}

}  // namespace
}  // namespace davit
