#include "studio/folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/studio/studio_rig.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using Status = WriteResult::Status;

TEST(Folder, NothingOutsideIsRead) {
  const TestFolder test("studio_folder_outside");
  test.Write("own.xml", "<System/>");
  fs::create_symlink(test.outside() / "secret.xml", test.path() / "absolute.xml");
  fs::create_symlink("../secret.xml", test.path() / "relative.xml");
  fs::create_directory_symlink("..", test.path() / "up");
  fs::create_symlink("own.xml", test.path() / "inside.xml");
  const Folder folder(test.path());
  const std::string secret = test.outside() / "secret.xml";
  for (const std::string& path :
       {std::string("../secret.xml"), secret, std::string("absolute.xml"), std::string("relative.xml"),
        std::string("up/secret.xml"), std::string("up/folder/../secret.xml"), std::string("/etc/passwd"),
        std::string(""), std::string("."), std::string("own.xml\0x", 9)}) {
    const TextResult read = folder.Read(path);
    EXPECT_FALSE(read.fault.empty()) << path;
    EXPECT_EQ(read.text, "") << path;
  }
  EXPECT_EQ(folder.Read("own.xml").text, "<System/>");
  EXPECT_EQ(folder.Read("inside.xml").text, "<System/>");
  std::vector<std::string> listed;
  for (const FolderFile& file : folder.List().files) listed.push_back(file.path);
  EXPECT_EQ(listed, (std::vector<std::string>{"inside.xml", "own.xml"}));
}

TEST(Folder, NothingOutsideIsWritten) {
  const TestFolder test("studio_folder_writes");
  fs::create_directory_symlink("..", test.path() / "up");
  fs::create_symlink("../secret.xml", test.path() / "link.xml");
  const std::string before = ReadAllOf(test.outside() / "secret.xml");
  const Folder folder(test.path());
  for (const char* const path :
       {"../new.xml", "up/new.xml", "up/secret.xml", "link.xml", ".hidden.xml", ".git/config.xml",
        "a/../../new.xml", "a//b.xml", "script.sh", "/new.xml", "", ".xml", "a/.xml", "con\n.xml",
        "a b<script>.xml", "a\\b.xml", "c:d.xml", "what?.xml", "\x7f.xml"}) {
    for (const std::optional<std::string>& known :
         {std::optional<std::string>(), std::optional(HashOf(before))}) {
      const WriteResult written = folder.Write(path, "changed", known);
      EXPECT_EQ(written.status, Status::kRefused) << path;
      EXPECT_NE(written.fault, "") << path;
    }
  }
  EXPECT_EQ(ReadAllOf(test.outside() / "secret.xml"), before);
  std::size_t outside = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(test.outside())) ++outside;
  EXPECT_EQ(outside, 2U);
}

TEST(Folder, AFileThatHasChangedIsNotOverwritten) {
  const TestFolder test("studio_folder_conflict");
  const Folder folder(test.path());
  ASSERT_EQ(folder.Write("parts/a.xml", "one", {}).status, Status::kWritten);
  EXPECT_EQ(test.Read("parts/a.xml"), "one");
  EXPECT_EQ(folder.Write("parts/a.xml", "two", HashOf("one")).status, Status::kWritten);
  test.Write("parts/a.xml", "of somebody else");
  const WriteResult refused = folder.Write("parts/a.xml", "three", HashOf("two"));
  EXPECT_EQ(refused.status, Status::kChanged);
  EXPECT_EQ(refused.text, "of somebody else");
  EXPECT_EQ(test.Read("parts/a.xml"), "of somebody else");
  // A new file does not replace one, and one that is gone is not made again unasked.
  EXPECT_EQ(folder.Write("parts/a.xml", "new", {}).status, Status::kChanged);
  fs::remove(test.path() / "parts/a.xml");
  const WriteResult gone = folder.Write("parts/a.xml", "three", HashOf("two"));
  EXPECT_EQ(gone.status, Status::kChanged);
  EXPECT_EQ(gone.text, std::nullopt);
  // Nothing is left behind.
  EXPECT_TRUE(fs::is_empty(test.path() / "parts"));
}

// What a write has left that was ended by force goes with the next one, but not what another one writes.
TEST(Folder, RemovesWhatInterruptedWritesHaveLeft) {
  const TestFolder test("folder_leftovers");
  const auto hours_ago = fs::file_time_type::clock::now() - std::chrono::hours(3);
  const std::vector<std::string> stale{"boom/.crane.xml.0123456789ab.tmp",
                                       "boom/.gone.scxml.abcdefabcdef.tmp"};
  const std::vector<std::string> kept{".crane.xml.0123456789ab.tmp",  // of another folder
                                      "boom/.crane.xml.0123456789.tmp", "boom/.crane.xml.0123456789aB.tmp",
                                      "boom/.notes.0123456789ab.tmp", "boom/crane.xml.0123456789ab.tmp"};
  for (const auto& names : {stale, kept}) {
    for (const std::string& name : names) {
      test.Write(name, "<Sys");
      fs::last_write_time(test.path() / name, hours_ago);
    }
  }
  test.Write("boom/.now.xml.0123456789ab.tmp", "<Sys");
  fs::create_directory(test.path() / "boom/.folder.xml.0123456789ab.tmp");
  fs::last_write_time(test.path() / "boom/.folder.xml.0123456789ab.tmp", hours_ago);
  const Folder folder(test.path());
  ASSERT_EQ(folder.Write("boom/crane.xml", "<System/>", std::nullopt).status, WriteResult::Status::kWritten);
  for (const std::string& name : stale) EXPECT_FALSE(fs::exists(test.path() / name)) << name;
  for (const std::string& name : kept) EXPECT_TRUE(fs::exists(test.path() / name)) << name;
  EXPECT_TRUE(fs::exists(test.path() / "boom/.now.xml.0123456789ab.tmp"));
  EXPECT_TRUE(fs::exists(test.path() / "boom/.folder.xml.0123456789ab.tmp"));
}

TEST(Folder, KeepsPermissionsAndBytes) {
  const TestFolder test("studio_folder_bytes");
  const std::string text = "\xef\xbb\xbf<System>\r\n\t<!-- \xc3\xa4 --></System>";
  test.Write("a.xml", text);
  ASSERT_EQ(::chmod((test.path() / "a.xml").c_str(), 0640), 0);
  const Folder folder(test.path());
  const TextResult read = folder.Read("a.xml");
  EXPECT_EQ(read.text, text);
  EXPECT_EQ(folder.Write("a.xml", read.text + " ", HashOf(text)).status, Status::kWritten);
  EXPECT_EQ(test.Read("a.xml"), text + " ");
  EXPECT_EQ(static_cast<unsigned>(fs::status(test.path() / "a.xml").permissions()), 0640U);
}

TEST(Folder, SaysWhyATextCannotBeEdited) {
  const TestFolder test("studio_folder_text");
  test.Write("latin1.xml", "<System name=\"K\xf6ln\"/>");
  fs::create_directory(test.path() / "folder.xml");
  ASSERT_EQ(::mkfifo((test.path() / "pipe.xml").c_str(), 0600), 0);
  const Folder folder(test.path());
  EXPECT_NE(folder.Read("latin1.xml").fault.find("save it as UTF-8"), std::string::npos);
  EXPECT_NE(folder.Read("folder.xml").fault.find("not a file"), std::string::npos);
  EXPECT_NE(folder.Read("pipe.xml").fault.find("not a file"), std::string::npos);
  EXPECT_NE(folder.Read("none.xml").fault.find("no such file"), std::string::npos);
  EXPECT_THROW(Folder(test.path() / "none"), std::runtime_error);
  EXPECT_THROW(Folder(test.path() / "latin1.xml"), std::runtime_error);
}

TEST(Folder, FindsPathsAsTheyAreSeenFromIt) {
  const TestFolder test("studio_folder_find");
  const Folder folder(test.path());
  EXPECT_EQ(folder.Find("a.xml"), "a.xml");
  EXPECT_EQ(folder.Find("parts/../a.xml"), "a.xml");
  EXPECT_EQ(folder.Find(folder.root() / "parts/a.xml"), "parts/a.xml");
  EXPECT_EQ(folder.Find("../a.xml"), std::nullopt);
  EXPECT_EQ(folder.Find("/etc/passwd"), std::nullopt);
  EXPECT_EQ(folder.Find(folder.root().string() + "2/a.xml"), std::nullopt);
}

}  // namespace
}  // namespace davit
