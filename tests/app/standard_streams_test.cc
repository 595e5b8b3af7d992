// What becomes of a run whose streams, files or limits fail.

#include "app/standard_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "results/load_result.h"
#include "tests/support/child_program.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class FailingOutputTest : public testing::Test {
 protected:
  FailingOutputTest() {
    std::string pattern = (fs::temp_directory_path() / "davit_output_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    fs::copy_file(DAVIT_SOURCE_DIR "/systems/mass_spring.xml", System());
  }
  ~FailingOutputTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string In(const std::string& name) const { return (folder_ / name).string(); }
  std::string System() const { return In("system.xml"); }
  /// A line of bash in the folder, where `davit` is the program.
  int Bash(const std::string& line) {
    ChildProgram program(
        {"/bin/bash", "-c", "cd " + folder_.string() + "; davit() { " DAVIT_BINARY " \"$@\"; }; " + line});
    const int code = program.Finish();
    out_ = program.out();
    err_ = program.err();
    return code;
  }
  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    return names;
  }
  static std::size_t Rows(const fs::path& file) {
    Diagnostics diagnostics;
    const auto table = LoadResult(file, diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << file;
    return table ? table->time.size() : 0;
  }

  fs::path folder_;
  std::string out_, err_;
};

TEST_F(FailingOutputTest, ClosedStreamsLeaveResultsAlone) {
  EXPECT_EQ(Bash("davit run system.xml --verbose -o whole.csv"), kDone);
  for (const std::string closed : {"2>&-", ">&-", "<&-", "<&- >&- 2>&-"}) {
    EXPECT_EQ(Bash("davit run system.xml --verbose -o r.csv -o r.h5 -o r.mat " + closed), kDone) << closed;
    EXPECT_EQ(ReadAll(In("r.csv")), ReadAll(In("whole.csv"))) << closed;
    EXPECT_EQ(Rows(In("r.h5")), Rows(In("whole.csv"))) << closed;
  }
}

TEST_F(FailingOutputTest, LostStandardOutputIsAnError) {
  for (const std::string command : {"schema", "list", "check system.xml", "run system.xml",
                                    "describe mechanical.Mass", "--help", "--version"}) {
    EXPECT_EQ(Bash("davit " + command + " > /dev/full"), kRunFailed) << command;
    EXPECT_THAT(err_, HasSubstr("error: the standard output cannot be written")) << command;
  }
  EXPECT_EQ(Bash("davit check none.xml > /dev/full"), kWrongInput);
}

TEST_F(FailingOutputTest, AReaderThatLeavesHarmsNoFile) {
  EXPECT_EQ(Bash("davit run system.xml -o whole.csv --quiet"), kDone);
  Bash("davit run system.xml --verbose -o r.csv -o r.h5 2>&1 | true");
  EXPECT_EQ(ReadAll(In("r.csv")), ReadAll(In("whole.csv")));
  EXPECT_EQ(Rows(In("r.h5")), Rows(In("whole.csv")));
  EXPECT_EQ(Bash("set -o pipefail; davit schema | true"), kRunFailed);
  EXPECT_THAT(err_, IsEmpty());
  // A pipe as a result: its reader goes.
  EXPECT_EQ(Bash("mkfifo p.csv; head -c 10 < p.csv > /dev/null & davit run system.xml --stop 1e4 --quiet -o "
                 "p.csv -o q.h5"),
            kRunFailed);
  EXPECT_THAT(err_, HasSubstr("p.csv: cannot be written: Broken pipe"));
  EXPECT_GT(Rows(In("q.h5")), 0U);
}

TEST_F(FailingOutputTest, ALimitOfFileSizesIsAnErrorOfTheRun) {
  for (const std::string kind : {"csv", "mat", "h5"}) {
    EXPECT_EQ(Bash("ulimit -f 20; davit run system.xml --stop 1e4 --quiet -o r." + kind), kRunFailed) << kind;
    EXPECT_THAT(err_, HasSubstr("r." + kind + ": cannot be written")) << kind;
    EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << err_;
    if (kind == "h5") continue;
    EXPECT_GT(Rows(In("r." + kind)), 0U);
  }
}

TEST_F(FailingOutputTest, NoRoomAtTheStartLeavesNoFile) {
  for (const std::string files : {"-o r.csv", "-o r.mat", "-o r.h5", "-o empty.csv -o r.mat -o r.h5"}) {
    EXPECT_EQ(Bash("ulimit -f 0; davit run system.xml --quiet " + files), kRunFailed) << files;
    EXPECT_THAT(err_, HasSubstr("cannot be written")) << files;
    EXPECT_THAT(Files(), testing::ElementsAre("system.xml")) << files;
  }
  // What cannot be made at another place leaves nothing either, and is wrong input.
  EXPECT_EQ(Bash("davit run system.xml --quiet -o r.csv -o none/r.mat"), kWrongInput);
  EXPECT_THAT(Files(), testing::ElementsAre("system.xml"));
}

TEST_F(FailingOutputTest, FilesThatAreReadOrWrittenOtherwiseAreRefused) {
  const std::string system = ReadAll(System());
  fs::create_symlink(System(), In("link"));
  std::ofstream(folder_ / "commands") << "1 stop\n";
  for (const std::string options :
       {"--save-state system.xml", "--save-state system.xml@1", "--summary ./system.xml", "--log link",
        "--plot link", "-o r.csv --save-state r.csv", "-o r.csv --summary r.csv", "-o r.csv -o ./r.csv",
        "--log x --summary x", "--commands commands --log commands"}) {
    EXPECT_EQ(Bash("davit run system.xml --quiet " + options), kWrongInput) << options;
    EXPECT_THAT(err_, HasSubstr("error: ")) << options;
    EXPECT_THAT(err_, HasSubstr("give another name")) << options;
    EXPECT_EQ(ReadAll(System()), system) << options;
  }
  EXPECT_EQ(Bash("davit run system.xml --quiet --save-state s@1 --save-state s"), kDone) << err_;
  EXPECT_EQ(Bash("davit run system.xml --quiet --load-state s --stop 20 --save-state s"), kDone) << err_;
  EXPECT_EQ(Bash("davit run system.xml --quiet --summary /dev/null --log /dev/null"), kDone) << err_;
}

TEST_F(FailingOutputTest, MissingFoldersAreToldBeforeTheRun) {
  EXPECT_EQ(Bash("davit run system.xml -o r.csv --save-state none/s --summary none/x.json --log none/l "
                 "--plot none/p.svg"),
            kWrongInput);
  for (const std::string option :
       {"--save-state none/s", "--summary none/x.json", "--log none/l", "--plot none/p.svg"})
    EXPECT_THAT(err_, HasSubstr(option + ": error: there is no folder none; make it first"));
  EXPECT_FALSE(fs::exists(In("r.csv")));
  EXPECT_EQ(Bash("davit run system.xml --summary ."), kWrongInput);
}

}  // namespace
}  // namespace davit
