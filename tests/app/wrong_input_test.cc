// Every wrong system in tests/errors: what the program says about it, word for word.
//
// NAME.xml is run, with the options of the command line in NAME.options (one a line, where there is such a
// file), and stderr must be NAME.expected. Adding files adds tests. After a change of a text, run this
// program with DAVIT_WRITE_EXPECTED=1 in the environment, and read what changed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/run_command.h"
#include "components/register.h"
#include "simulator/simulator_manager.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

const Registry& KnownModels() {
  static const Registry registry = AllModels();
  return registry;
}

void WriteAll(const fs::path& file, std::string_view text) { std::ofstream(file, std::ios::binary) << text; }

std::vector<std::string> WrongSystems() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(DAVIT_SOURCE_DIR "/tests/errors")) {
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// `--set load.mass=5` on each line, as the command line takes them.
RunOptions ReadOptions(const fs::path& file) {
  RunOptions options;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t space = line.find(' ');
    const std::string name = line.substr(0, space);
    const std::string value = line.substr(space + 1);
    if (name == "--set")
      options.load.set.push_back(value);
    else if (name == "--level")
      options.load.level.push_back(value);
    else if (name == "--at")
      options.load.at.push_back(value);
    else if (name == "--signals")
      options.load.signals.push_back(value);
    else if (name == "--interval")
      options.load.interval = value;
    else if (name == "--stop")
      options.stop = value;
    else if (name == "-o")
      options.outputs.emplace_back(value);
    else
      ADD_FAILURE() << file << " has an option that this test does not support: " << name;
  }
  return options;
}

struct Answer {
  int code = 0;
  std::string err;
};

Answer RunSystem(RunOptions options) {
  options.is_quiet = true;
  std::ostringstream out;
  std::ostringstream err;
  Answer answer;
  answer.code = Run(options, KnownModels(), out, err);
  answer.err = err.str();
  return answer;
}

/// A folder of its own, removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "davit_wrong_input_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Files are named as a user in that folder would.
class WrongInputTest : public testing::TestWithParam<std::string> {
 protected:
  WrongInputTest() : before_(fs::current_path()) { fs::current_path(DAVIT_SOURCE_DIR "/tests/errors"); }
  ~WrongInputTest() override { fs::current_path(before_); }

 private:
  fs::path before_;
};

TEST_P(WrongInputTest, IsAnsweredWordForWord) {
  const std::string name = GetParam();
  RunOptions options = ReadOptions(name + ".options");
  options.system = name + ".xml";
  const Answer answer = RunSystem(options);
  if (std::getenv("DAVIT_WRITE_EXPECTED") != nullptr) WriteAll(name + ".expected", answer.err);
  EXPECT_EQ(answer.err, ReadAll(name + ".expected"));
  EXPECT_EQ(answer.code, kWrongInput);
}

TEST_P(WrongInputTest, EachLineHasPlaceFaultAndRemedyAndNoneComesTwice) {
  std::istringstream lines(ReadAll(GetParam() + ".expected"));
  std::vector<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_NE(line.find("error: "), std::string::npos) << line;
    EXPECT_NE(line.find("; "), std::string::npos) << line;
    EXPECT_EQ(line.find("/work"), std::string::npos) << line;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), line), 0) << line;
    seen.push_back(line);
  }
  EXPECT_FALSE(seen.empty());
}

TEST_P(WrongInputTest, AnEarlierResultIsKept) {
  const TemporaryFolder folder;
  const fs::path result = folder.path() / "result.csv";
  WriteAll(result, "an earlier result");
  RunOptions options = ReadOptions(GetParam() + ".options");
  options.system = GetParam() + ".xml";
  options.outputs.push_back(result);
  EXPECT_EQ(RunSystem(options).code, kWrongInput);
  EXPECT_EQ(ReadAll(result), "an earlier result");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

INSTANTIATE_TEST_SUITE_P(Errors, WrongInputTest, testing::ValuesIn(WrongSystems()),
                         [](const auto& instance) { return instance.param; });

// ---- what is too large to be kept as a file, or depends on the machine --------------------------

class WrongFileTest : public testing::Test {
 protected:
  WrongFileTest() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
  ~WrongFileTest() override { fs::current_path(before_); }

  static std::string ErrorsOf(const std::string& file) {
    RunOptions options;
    options.system = file;
    const Answer answer = RunSystem(options);
    EXPECT_EQ(answer.code, kWrongInput);
    return answer.err;
  }
  static std::string ErrorsOfText(const std::string& text) {
    WriteAll("system.xml", text);
    return ErrorsOf("system.xml");
  }

 private:
  TemporaryFolder folder_;
  fs::path before_;
};

TEST_F(WrongFileTest, MissingFile) {
  EXPECT_EQ(ErrorsOf("crane.xml"),
            "crane.xml: error: /: cannot read 'crane.xml': no such file; name a readable system file\n");
}

TEST_F(WrongFileTest, Folder) {
  fs::create_directory("crane");
  EXPECT_EQ(ErrorsOf("crane"),
            "crane: error: /: cannot read 'crane': it is a folder; name a system file in it\n");
}

TEST_F(WrongFileTest, UnreadableFile) {
  WriteAll("crane.xml", "<System/>");
  fs::permissions("crane.xml", fs::perms::none);
  if (std::ifstream("crane.xml")) GTEST_SKIP() << "this user may read everything";
  EXPECT_EQ(ErrorsOf("crane.xml"),
            "crane.xml: error: /: cannot read 'crane.xml': permission denied; check its permissions\n");
}

TEST_F(WrongFileTest, AttributeOf100Megabytes) {
  const std::string text =
      "<System><mechanical.Mass name=\"load\" mass=\"" + std::string(100'000'000, '1') + "\"/></System>";
  EXPECT_EQ(
      ErrorsOfText(text),
      "system.xml: error: /: cannot read 'system.xml': it has more than 64 MiB; a system file has less\n");
}

TEST_F(WrongFileTest, AttributeOf50Megabytes) {
  const std::string text =
      "<System><mechanical.Mass name=\"load\" mass=\"" + std::string(50'000'000, '1') + "\"/></System>";
  EXPECT_EQ(ErrorsOfText(text),
            "system.xml:1: error: /load: mass: '" + std::string(57, '1') +
                "...' is beyond what a number can hold (about 1e-308 to 1e308); write for example 10 t\n");
}

TEST_F(WrongFileTest, MillionNestedElements) {
  std::string text = "<System>";
  for (int i = 0; i < 1'000'000; ++i) text += "<a>";
  EXPECT_EQ(
      ErrorsOfText(text),
      "system.xml:1: error: /: elements are nested too deeply; a system file needs about three levels\n");
}

TEST_F(WrongFileTest, MillionComponents) {
  std::string text = "<System>\n";
  for (int i = 0; i < 1'000'000; ++i) text += "<signal.Sine name=\"s" + std::to_string(i) + "\"/>\n";
  text += "</System>";
  EXPECT_EQ(ErrorsOfText(text),
            "system.xml:500002: error: /: the system has more than 500000 components; split it or look for a "
            "sub-system that multiplies itself\n");
}

TEST_F(WrongFileTest, MillionElements) {
  std::string text = "<System>";
  for (int i = 0; i < 5'000'000; ++i) text += "<a/>";
  text += "</System>";
  EXPECT_EQ(ErrorsOfText(text),
            "system.xml:1: error: /: the file has more than 4000000 elements; split the system into several "
            "files\n");
}

TEST_F(WrongFileTest, MillionAttributes) {
  std::string text = "<System ";
  for (int i = 0; i < 1'000'000; ++i) text += "a" + std::to_string(i) + "=\"\" ";
  EXPECT_EQ(ErrorsOfText(text),
            "system.xml:1: error: /: an element has more than 256 attributes; look for attributes that "
            "belong elsewhere\n");
}

TEST_F(WrongFileTest, FileThatIncludesTwoOfTheNextEach) {
  for (int i = 0; i < 30; ++i) {
    const std::string next = "l" + std::to_string(i + 1) + ".xml";
    WriteAll("l" + std::to_string(i) + ".xml", "<System><Subsystem name=\"a\" src=\"" + next +
                                                   "\"/><Subsystem name=\"b\" src=\"" + next +
                                                   "\"/></System>");
  }
  WriteAll("l30.xml", "<System/>");
  const std::string errors = ErrorsOf("l0.xml");
  EXPECT_NE(
      errors.find("more than 500000 components; split it or look for a sub-system that multiplies itself"),
      std::string::npos);
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 1) << errors;
}

TEST_F(WrongFileTest, ParameterThatDoublesInEachFile) {
  constexpr int kFiles = 31;
  for (int i = 0; i < kFiles; ++i) {
    WriteAll("l" + std::to_string(i) + ".xml",
             "<System><Parameter name=\"p\" value=\"0123456789\"/><Subsystem name=\"s\" "
             "src=\"l" +
                 std::to_string(i + 1) + ".xml\" p=\"${p}${p}\"/></System>");
  }
  WriteAll("l31.xml", "<System><Parameter name=\"p\" value=\"1\"/></System>");
  EXPECT_NE(ErrorsOf("l0.xml").find("error: /s/s/s"), std::string::npos);
}

TEST_F(WrongFileTest, ThousandsOfFaultsEndWithAWordAboutIt) {
  std::string text = "<System>\n";
  for (int i = 0; i < 20'000; ++i) text += "<mechanical.Mass name=\"m" + std::to_string(i) + "\"/>\n";
  for (int i = 0; i < 20'000; ++i) text += "<Connect from=\"n" + std::to_string(i) + ".a\" to=\"o.b\"/>\n";
  text += "</System>";
  const std::string errors = ErrorsOfText(text);
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 901);
  EXPECT_TRUE(
      errors.ends_with("error: /: more than 900 errors; correct these first, the rest was not checked\n"));
}

TEST_F(WrongFileTest, Utf16) {
  std::string text = "\xff\xfe";
  for (const char c : std::string("<System/>")) text += {c, '\0'};
  EXPECT_EQ(ErrorsOfText(text), "system.xml:1: error: /: the file is written in UTF-16; save it as UTF-8\n");
  EXPECT_EQ(ErrorsOfText(text.substr(2)),
            "system.xml:1: error: /: the file is written in UTF-16; save it as UTF-8\n");
}

TEST_F(WrongFileTest, ZeroByte) {
  EXPECT_EQ(
      ErrorsOfText(std::string("<System>\n</System>\n\0<more/>", 27)),
      "system.xml:3: error: /: the file has a zero byte, so it is not text; name an XML file in UTF-8\n");
}

TEST_F(WrongFileTest, ResultThatCannotBeWritten) {
  WriteAll("system.xml", "<System/>");
  RunOptions options;
  options.system = "system.xml";
  fs::create_directory("result.csv");
  options.outputs = {"result.csv"};
  const Answer answer = RunSystem(options);
  EXPECT_EQ(answer.code, kWrongInput);
  EXPECT_NE(answer.err.find("result.csv"), std::string::npos) << answer.err;
}

// ---- what looks odd and is right ----------------------------------------------------------------

TEST_F(WrongFileTest, ByteOrderMarkWindowsLineEndsAndAHugeCommentAreRead) {
  WriteAll("system.xml",
           "\xef\xbb\xbf<?xml version=\"1.0\"?>\r\n<System>\r\n<!-- x" + std::string(50'000'000, 'c') +
               " -->\r\n<mechanical.Mass name=\"load\"\r\nmass=\"5 &#107;g\"/>\r\n</System>\r\n");
  RunOptions options;
  options.system = "system.xml";
  const Answer answer = RunSystem(options);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.code, kDone);
}

}  // namespace
}  // namespace davit
