// davit console at a terminal, with the keys that a user types.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/complete_command.h"
#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"
#include "tests/support/child_program.h"
#include "tests/support/terminal_program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kTab = "\t";
constexpr const char* kUp = "\x1b[A";
constexpr const char* kCtrlC = "\x03";
constexpr const char* kCtrlD = "\x04";
const std::string kSystem = DAVIT_SOURCE_DIR "/systems/lifting_cylinder.xml";

class ConsoleCommandTest : public testing::Test {
 protected:
  ConsoleCommandTest()
      : state_(fs::path(testing::TempDir()) /
               (std::string("davit_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(state_);
    setenv("XDG_STATE_HOME", state_.c_str(), 1);
  }
  ~ConsoleCommandTest() override { fs::remove_all(state_); }

  void Start(std::vector<std::string> options = {}) {
    options.insert(options.begin(), {DAVIT_BINARY, "console", kSystem});
    program_ = std::make_unique<TerminalProgram>(options);
    EXPECT_THAT(program_->Await("0 s> "), HasSubstr("0 s> "));
  }
  /// What is shown after the keys, up to `text`.
  std::string Type(const std::string& keys, const std::string& text) {
    program_->Type(keys);
    std::string shown = program_->Await(text);
    EXPECT_THAT(shown, HasSubstr(text));
    return shown;
  }

  fs::path state_;
  std::unique_ptr<TerminalProgram> program_;
};

TEST_F(ConsoleCommandTest, CommandsActAtThePrompt) {
  Start();
  EXPECT_THAT(Type("until 2 s\n", "2 s> "), HasSubstr("until 2 s"));
  EXPECT_THAT(Type("get SimulatorManager.TimeStep\n", "2 s> "),
              HasSubstr("SimulatorManager.TimeStep 0.01 s"));
  EXPECT_THAT(Type("set load.mass 8 t\n", "2 s> "), HasSubstr("acts when the run continues"));
  EXPECT_THAT(Type("set load.mas 8 t\n", "2 s> "), HasSubstr("did you mean 'mass'?"));
  Type("until 2.1 s\n", "2.1 s> ");
  EXPECT_THAT(Type("get load.mass\n", "2.1 s> "), HasSubstr("load.mass 8000 kg"));
  EXPECT_THAT(Type("until 1 s\n", "2.1 s> "), HasSubstr("give a later time"));
  program_->Type("quit\n");
  EXPECT_THAT(program_->Await("status"), HasSubstr("quit 2.1 s"));
  EXPECT_EQ(program_->Finish(), 0);
}

TEST_F(ConsoleCommandTest, TabCompletesCommandsPathsAndLevels) {
  Start();
  Type(std::string("unt") + kTab + "0.1 s\n", "0.1 s> ");
  EXPECT_THAT(Type(std::string("get loa") + kTab + "mas" + kTab + "\n", "0.1 s> "),
              HasSubstr("load.mass 10000 kg"));
  Type(std::string("level cyl") + kTab + "Adv" + kTab + "\n", "acts when the run continues");
  Type("until 0.2 s\n", "0.2 s> ");
  EXPECT_THAT(Type("get cylinder.level\n", "0.2 s> "), HasSubstr("cylinder.level Advanced"));
  const std::string listed = Type(std::string("s") + kTab + kTab, "stop");
  EXPECT_THAT(listed, HasSubstr("save"));
  EXPECT_THAT(listed, HasSubstr("set"));
}

TEST_F(ConsoleCommandTest, LinesComeBackAlsoInTheNextConsole) {
  Start();
  Type("get load.mass\n", "0 s> ");
  EXPECT_THAT(Type(std::string(kUp) + "\n", "kg\r\n0 s> "), HasSubstr("get load.mass"));
  Type(kCtrlD, "status");
  EXPECT_EQ(program_->Finish(), 0);
  Start();
  EXPECT_THAT(Type(std::string(kUp) + "\n", "kg\r\n0 s> "), HasSubstr("get load.mass"));
}

TEST_F(ConsoleCommandTest, CtrlCDropsALineAndPausesARunButNotTheShell) {
  Start({"--realtime"});
  EXPECT_THAT(Type(std::string("set load.mass 8 t") + kCtrlC, "\n0 s> "), HasSubstr("^C"));
  EXPECT_THAT(Type(kCtrlC, "\n0 s> "), HasSubstr("^C")) << "on an empty line";
  program_->Type("continue\n");
  program_->Await("\n");
  usleep(300'000);
  EXPECT_THAT(Type(kCtrlC, " s> "), HasSubstr("pause"));
  EXPECT_THAT(Type("get load.mass\n", " s> "), HasSubstr("load.mass 10000 kg"));
  EXPECT_THAT(Type("until 0.1 s\n", " s> "), HasSubstr("give a later time")) << "the run has advanced";
  Type("continue\n", "\n");
  EXPECT_THAT(Type(kCtrlC, " s> "), HasSubstr("pause")) << "a second time";
}

TEST_F(ConsoleCommandTest, CtrlDEndsWithTheSummary) {
  Start();
  program_->Type(kCtrlD);
  const std::string shown = program_->Await("status");
  EXPECT_THAT(shown, HasSubstr("quit 0 s"));
  EXPECT_EQ(program_->Finish(), 0);
}

TEST_F(ConsoleCommandTest, AfterTheEndTheRunIsStillThere) {
  Start({"--stop", "0.5 s"});
  Type("continue\n", "0.5 s> ");
  EXPECT_THAT(Type("continue\n", "0.5 s> "), HasSubstr("the run is at its end"));
  EXPECT_THAT(Type("get load.mass\n", "0.5 s> "), HasSubstr("10000 kg"));
  Type("quit\n", "done");
  EXPECT_EQ(program_->Finish(), 0);
}

TEST_F(ConsoleCommandTest, WithoutATerminalItIsARunWithCommands) {
  const std::string lines = "until 0.2 s\nget load.mass\nhelp set\nquit\n";
  std::vector<std::string> outputs;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{DAVIT_BINARY, "console", kSystem, "--quiet"},
        {DAVIT_BINARY, "run", kSystem, "--quiet", "--commands", "-"}}) {
    ChildProgram program(arguments);
    program.Write(lines);
    EXPECT_EQ(program.Finish(), 0) << program.err();
    outputs.push_back(program.out());
  }
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_THAT(outputs[0], HasSubstr("load.mass 10000 kg"));
  ChildProgram refused({DAVIT_BINARY, "console", kSystem, "--commands", "-"});
  EXPECT_EQ(refused.Finish(), 2);
}

/// An option takes one file, and the events behind it are events, which the chart must know.
TEST(ChartCoverageCommand, ChecksItsEvents) {
  const std::string chart = std::string(DAVIT_SOURCE_DIR) + "/systems/charts/lift_operator.scxml";
  const std::string json = testing::TempDir() + "coverage.json";
  ChildProgram right({DAVIT_BINARY, "chart", "coverage", chart, "--coverage", json, "start"});
  EXPECT_EQ(right.Finish(), 0) << right.err();
  ChildProgram added(
      {DAVIT_BINARY, "chart", "coverage", chart, "--chart", "lift_operator", "--add", json, "start"});
  EXPECT_EQ(added.Finish(), 0) << added.err();
  ChildProgram wrong({DAVIT_BINARY, "chart", "coverage", chart, "strat"});
  EXPECT_EQ(wrong.Finish(), 2);
  EXPECT_THAT(wrong.err(),
              HasSubstr("strat: error: the chart takes no event 'strat'; did you mean 'start'?"));
}

TEST_F(ConsoleCommandTest, ABranchBeginsWhereTheRunHasGoneBackTo) {
  ChildProgram program({DAVIT_BINARY, "console", kSystem, "--quiet"});
  program.Write(
      "until 0.2 s\nset load.mass 14 t\nuntil 0.3 s\nbranch here\ngoto 0.2 s\nbranch here\nuntil 0.4 s\n"
      "get load.mass\nbranch\nquit\n");
  EXPECT_EQ(program.Finish(), 0);
  EXPECT_THAT(program.err(), HasSubstr("nothing is recorded after 0.3 s"));
  EXPECT_THAT(program.out(), HasSubstr("goto 0.2 s\nbranch-1 0.2 s\nuntil 0.4 s\nload.mass 10000 kg\n"
                                       "trunk 0 s to 0.3 s\nbranch-1 0.2 s to 0.4 s, here\n"));
}

class CompleteCommandTest : public testing::Test {
 protected:
  CompleteCommandTest() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    Diagnostics diagnostics;
    system_ = LoadSystem(kSystem, registry_, {}, diagnostics);
  }
  std::vector<std::string> Complete(const std::string& line) {
    return CompleteCommand(*system_, line).candidates;
  }
  /// All words that Tab leads to behind `line`.
  void Walk(const std::string& line, const std::string& word, std::set<std::string>& words) {
    for (const std::string& candidate : Complete(line + word)) {
      if (candidate.ends_with('.')) {
        Walk(line, candidate, words);
      } else {
        words.insert(candidate);
      }
    }
  }

  Registry registry_;
  std::unique_ptr<System> system_;
};

TEST_F(CompleteCommandTest, LeadsToEachItemThatMayBeWritten) {
  std::set<std::string> wanted;
  for (Component* component : system_->components()) {
    for (const Item& item : system_->ItemsOf(*component)) {
      if (item.is_writable()) wanted.insert(item.path());
    }
  }
  std::set<std::string> found;
  Walk("set ", "", found);
  EXPECT_EQ(found, wanted);
  std::set<std::string> late;
  Walk("2.5 s set ", "", late);
  EXPECT_EQ(late, wanted);
}

TEST_F(CompleteCommandTest, EachWordIsOfItsKind) {
  EXPECT_THAT(Complete("level cylinder "), ElementsAre("Advanced", "Ideal", "Standard"));
  EXPECT_THAT(Complete("set cylinder.level A"), ElementsAre("Advanced"));
  EXPECT_THAT(Complete("message SimulatorManager Re"), Contains("Reset"));
  EXPECT_THAT(Complete("help c"), ElementsAre("continue"));
  EXPECT_THAT(Complete("co"), ElementsAre("continue"));
  EXPECT_THAT(Complete("load " DAVIT_SOURCE_DIR "/system"), ElementsAre(DAVIT_SOURCE_DIR "/systems/"));
  EXPECT_THAT(Complete("pause "), IsEmpty());
  EXPECT_THAT(Complete("set nothing"), IsEmpty());
  EXPECT_THAT(Complete("level load "), IsEmpty());
  EXPECT_THAT(Complete("level cylinder Ideal "), IsEmpty());
  EXPECT_THAT(Complete(""), Contains("help"));
  EXPECT_THAT(Complete("set load.mass "), Not(Contains("true")));
}

}  // namespace
}  // namespace davit
