// Snapshots and command streams of the program.

#include "app/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "app/exit_code.h"
#include "tests/support/child_program.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string SystemFile(const std::string& name) { return DAVIT_SOURCE_DIR "/systems/" + name + ".xml"; }

/// What a CSV file has behind its header and the rows until t.
std::string RowsAfter(const std::string& csv, double t) {
  std::istringstream stream(csv);
  std::string rows;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    if (std::stod(line) > t) rows += line + '\n';
  }
  return rows;
}

class RunCommandTest : public testing::Test {
 protected:
  RunCommandTest() {
    std::string pattern = (fs::temp_directory_path() / "davit_run_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~RunCommandTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string In(const std::string& name) const { return (folder_ / name).string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return In(name);
  }
  static std::vector<std::string> Line(const std::string& system, std::vector<std::string> options) {
    options.insert(options.begin(), {DAVIT_BINARY, "run", system});
    return options;
  }
  /// Runs `davit run`; the answer on stderr is in err_.
  int Run(const std::string& system, const std::vector<std::string>& options, const std::string& input = {}) {
    ChildProgram program(Line(system, options));
    program.Write(input);
    const int code = program.Finish();
    err_ = program.err();
    out_ = program.out();
    return code;
  }

  fs::path folder_;
  std::string err_, out_;
};

TEST_F(RunCommandTest, ASnapshotGoesOnWithTheRowsAfterIt) {
  for (const char* name : {"mass_spring", "bouncing_ball", "lifting_cylinder", "water_hammer"}) {
    const std::string system = SystemFile(name);
    ASSERT_EQ(Run(system, {"-o", In("whole.csv")}), kDone);
    // 3 % of lifting_cylinder, 30 % of others.
    const std::string t = std::string(name) == "water_hammer" ? "0.1503" : "1.5";
    ASSERT_EQ(Run(system, {"-o", In("saving.csv"), "--save-state", In("a.snap") + '@' + t}), kDone) << err_;
    EXPECT_EQ(ReadAll(In("saving.csv")), ReadAll(In("whole.csv")));
    ASSERT_EQ(Run(system, {"-o", In("rest.csv"), "--load-state", In("a.snap")}), kDone) << err_;
    const std::string rest = RowsAfter(ReadAll(In("whole.csv")), std::stod(t) + 1e-12);
    EXPECT_EQ(RowsAfter(ReadAll(In("rest.csv")), -1), rest);
    EXPECT_FALSE(rest.empty());
  }
}

TEST_F(RunCommandTest, EnergyIsThatOfTheEnergyCommandAndResultsAreTheSame) {
  // Implicit and explicit methods, fixed-step components, events.
  for (const char* name : {"lifting_cylinder", "bouncing_ball", "water_hammer", "mass_spring"}) {
    const std::string system = SystemFile(name);
    ASSERT_EQ(Run(system, {"-o", In("a.csv")}), kDone) << err_;
    EXPECT_THAT(out_, Not(HasSubstr("energy from")));
    ASSERT_EQ(Run(system, {"-o", In("b.csv"), "--energy", "--summary", In("run.json")}), kDone) << err_;
    EXPECT_THAT(out_, HasSubstr("energy from 0 s to "));
    EXPECT_EQ(ReadAll(In("a.csv")), ReadAll(In("b.csv"))) << name;
    ChildProgram energy({DAVIT_BINARY, "energy", system, "--summary", In("energy.json")});
    ASSERT_EQ(energy.Finish(), kDone) << energy.err();
    EXPECT_EQ(nlohmann::json::parse(ReadAll(In("run.json")))["energy"],
              nlohmann::json::parse(ReadAll(In("energy.json"))))
        << name;
  }
}

TEST_F(RunCommandTest, EnergyAfterASnapshotIsThatOfTheRest) {
  const std::string system = SystemFile("lifting_cylinder");
  const auto energy = [&](const std::string& key) {
    return nlohmann::json::parse(ReadAll(In("e.json")))["energy"][key].get<double>();
  };
  ASSERT_EQ(Run(system, {"--stop", "4 s", "--energy", "--summary", In("e.json")}), kDone) << err_;
  const double whole = energy("in");
  ASSERT_EQ(Run(system, {"--stop", "2 s", "--energy", "--summary", In("e.json"), "--save-state", In("a")}),
            kDone)
      << err_;
  const double first = energy("in");
  ASSERT_EQ(Run(system, {"--stop", "4 s", "--energy", "--summary", In("e.json"), "--load-state", In("a")}),
            kDone)
      << err_;
  EXPECT_EQ(energy("begin_s"), 2);
  // Sums of some thousand powers.
  EXPECT_NEAR(energy("in"), whole - first, 1e-10 * whole);
  ASSERT_EQ(Run(system, {"--stop", "4 s", "--energy", "--summary", In("e.json"), "--commands", "-"},
                "until 3 s\nload " + In("a") + "\nuntil 4 s\nquit\n"),
            kDone)
      << err_;
  EXPECT_EQ(energy("begin_s"), 2) << "what came before is of another run";
  EXPECT_NEAR(energy("in"), whole - first, 1e-10 * whole);
}

TEST_F(RunCommandTest, EnergyGoesOnThroughAReset) {
  const std::string system = SystemFile("lifting_cylinder");
  ASSERT_EQ(Run(system, {"--stop", "2 s", "--energy", "--summary", In("e.json")}), kDone) << err_;
  const double before = nlohmann::json::parse(ReadAll(In("e.json")))["energy"]["in"];
  ASSERT_EQ(Run(system, {"--stop", "4 s", "--energy", "--summary", In("e.json"), "--commands", "-"},
                "2 message SimulatorManager Reset\n"),
            kDone)
      << err_;
  const auto json = nlohmann::json::parse(ReadAll(In("e.json")))["energy"];
  EXPECT_EQ(json["begin_s"], 0);
  EXPECT_GT(json["in"].get<double>(), 1.1 * before);
  EXPECT_LT(json["balance_error"].get<double>(), 1e-6);
}

TEST_F(RunCommandTest, SeveralSnapshotsAndOneAtTheEnd) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"--stop", "20 s", "-o", In("whole.csv")}), kDone);
  ASSERT_EQ(Run(system, {"--save-state", In("end"), "--save-state", In("late") + "@5000 ms", "--save-state",
                         In("start") + "@0"}),
            kDone)
      << err_;
  EXPECT_EQ(Run(system, {"--load-state", In("start"), "-o", In("all.csv")}), kDone);
  EXPECT_EQ(Run(system, {"--load-state", In("end")}), kWrongInput);
  EXPECT_THAT(err_,
              HasSubstr(In("end") +
                        ": error: nothing is left to run: the snapshot was saved at 10 s, StopTime is 10 s; "
                        "give a later end with --stop\n"));
  ASSERT_EQ(Run(system, {"--load-state", In("end"), "--stop", "20 s", "-o", In("rest.csv")}), kDone) << err_;
  std::istringstream rest(RowsAfter(ReadAll(In("rest.csv")), -1));
  std::istringstream whole(RowsAfter(ReadAll(In("whole.csv")), 10));
  // The solver of the first run has ended a step at its StopTime, so values agree to its tolerance only.
  for (std::string a, b; std::getline(rest, a) && std::getline(whole, b);) {
    EXPECT_EQ(a.substr(0, a.find(',')), b.substr(0, b.find(',')));
  }
  EXPECT_TRUE(rest.eof());
}

TEST_F(RunCommandTest, WrongUsesOfSnapshotsAreAnswered) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"--save-state", In("a.snap") + "@5"}), kDone);
  const auto fault = [&](std::vector<std::string> options) {
    EXPECT_EQ(Run(system, options), kWrongInput);
    return err_;
  };
  EXPECT_THAT(fault({"--load-state", In("none")}), HasSubstr("none: error: cannot be read; name a file"));
  EXPECT_THAT(fault({"--load-state", system}),
              HasSubstr("mass_spring.xml: error: is not a snapshot; name a file"));
  EXPECT_THAT(fault({"--load-state", In("a.snap"), "--steady"}),
              HasSubstr("leave out --steady or --load-state"));
  EXPECT_THAT(fault({"--load-state", In("a.snap"), "--save-state", In("b") + "@4"}),
              HasSubstr("error: the run goes from 5 s to 10 s; write a time between"));
  EXPECT_THAT(fault({"--save-state", In("b") + "@11"}),
              HasSubstr("error: the run goes from 0 s to 10 s; write a time between"));
  EXPECT_THAT(fault({"--save-state", In("b") + "@home"}), HasSubstr("'home' is not a number"));
  EXPECT_THAT(fault({"--save-state", "@3"}), HasSubstr("no file; write FILE or FILE@T"));
  EXPECT_EQ(Run(SystemFile("two_tanks"), {"--load-state", In("a.snap")}), kWrongInput);
  EXPECT_THAT(err_,
              HasSubstr("error: /load: is in the snapshot (a mechanical.Mass), but not in this system; "));
  EXPECT_EQ(Run(system, {"--quiet", "--save-state", In("no/folder/b")}), kWrongInput);
  EXPECT_THAT(err_, HasSubstr("error: there is no folder " + In("no/folder")));
}

TEST_F(RunCommandTest, LinesOfAFileDoWhatAtDoes) {
  for (const char* name : {"mass_spring", "slider_crank"}) {
    const std::string system = SystemFile(name);
    const std::string item = std::string(name) == "mass_spring" ? "spring.stiffness" : "crank.stiffness";
    ASSERT_EQ(Run(system, {"-o", In("at.csv"), "--at", "2.5:" + item + "=3", "--at", "7:" + item + "=200"}),
              kDone)
        << err_;
    const std::string lines =
        Write("lines", "# later first\n7 s set " + item + " 200\n\n2500 ms set " + item + " 3");
    ASSERT_EQ(Run(system, {"-o", In("lines.csv"), "--commands", lines}), kDone) << err_;
    EXPECT_EQ(ReadAll(In("lines.csv")), ReadAll(In("at.csv")));
    EXPECT_THAT(err_, HasSubstr("t = 2.5 s: "));
    // And as a snapshot between both has it, whether the file is given again or not.
    ASSERT_EQ(Run(system, {"-o", In("saving.csv"), "--commands", lines, "--save-state", In("a.snap") + "@5"}),
              kDone);
    const std::string rest = RowsAfter(ReadAll(In("saving.csv")), 5);
    ASSERT_EQ(Run(system, {"-o", In("rest.csv"), "--load-state", In("a.snap")}), kDone) << err_;
    EXPECT_EQ(RowsAfter(ReadAll(In("rest.csv")), -1), rest);
    ASSERT_EQ(Run(system, {"-o", In("again.csv"), "--load-state", In("a.snap"), "--commands", lines}), kDone);
    EXPECT_EQ(RowsAfter(ReadAll(In("again.csv")), -1), rest);
    EXPECT_THAT(err_, HasSubstr("line 4 belongs to the time before the snapshot and is ignored"));
  }
}

/// The lines of a text.
std::vector<std::string> LinesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(RunCommandTest, AnswersAreOneLineEach) {
  const std::string state = In("a.state");
  const std::string lines = "get load.x\nlist load.?\nuntil 2 s\nget load.x\nsave " + state +
                            "\nuntil 5 s\nload " + state +
                            "\nget load.x\n4 s get load.mass\nuntil 4500 ms\nquit\n";
  ASSERT_EQ(Run(SystemFile("mass_spring"), {"--quiet", "--commands", Write("lines", lines)}), kDone) << err_;
  const std::vector<std::string> answers = LinesOf(out_);
  ASSERT_EQ(answers.size(), 11U) << out_;
  EXPECT_THAT(answers[0], testing::StartsWith("load.x "));
  EXPECT_EQ(answers[1], "load.x load.v");
  EXPECT_EQ(answers[2], "until 2 s");
  EXPECT_NE(answers[3], answers[0]);
  EXPECT_EQ(answers[4], "save " + state + " 2 s");
  EXPECT_EQ(answers[5], "until 5 s");
  EXPECT_EQ(answers[6], "load " + state + " 2 s");
  EXPECT_EQ(answers[7], answers[3]);
  EXPECT_THAT(answers[8], testing::StartsWith("load.mass "));
  EXPECT_EQ(answers[9], "until 4.5 s");
  EXPECT_EQ(answers[10], "quit 4.5 s");
}

/// Also where the run ends first: a program that waits for the answer gets one.
TEST_F(RunCommandTest, EveryUntilIsAnswered) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"--quiet", "--commands", Write("never", "until load.x gt 1000 m\n")}), kDone)
      << err_;
  EXPECT_EQ(out_, "until 10 s: the condition did not become true\n");
  ASSERT_EQ(Run(system, {"--quiet", "--commands", Write("already", "until load.x lt 1000 m\n")}), kDone)
      << err_;
  EXPECT_EQ(out_,
            "until 10 s: the condition was true when the command came, and did not become true again\n");
}

/// What a snapshot or a recording replaces is named.
TEST_F(RunCommandTest, SettingsThatASnapshotReplacesHaveAWarning) {
  const std::string system = SystemFile("mass_spring");
  const std::string state = In("a.state");
  ASSERT_EQ(Run(system, {"--quiet", "--save-state", state + "@2"}), kDone) << err_;
  ASSERT_EQ(Run(system, {"--quiet", "--load-state", state, "--set", "load.mass=77 kg"}), kDone) << err_;
  EXPECT_THAT(
      err_, testing::AllOf(HasSubstr("--set load.mass=77 kg: warning: has no effect: the run continues with "
                                     "load.mass = "),
                           HasSubstr("set it with <At> or --at")));
  ASSERT_EQ(Run(system, {"--quiet", "--load-state", state}), kDone) << err_;
  EXPECT_EQ(err_, "");
  ASSERT_EQ(Run(system, {"--quiet", "--stop", "1 s", "--record", In("a.rec")}), kDone) << err_;
  ASSERT_EQ(Run(system, {"--quiet", "--stop", "2 s", "--record", In("a.rec"), "--set", "load.mass=77 kg"}),
            kDone)
      << err_;
  EXPECT_THAT(err_, HasSubstr("--set load.mass=77 kg: warning: has no effect"));
}

TEST_F(RunCommandTest, QuestionsLeaveTheResultsAsTheyAre) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"--quiet", "-o", In("plain.csv")}), kDone);
  const std::string lines =
      Write("lines", "get load.x\nuntil 2 s\nlist\nsave " + In("a.state") + "\nuntil 3 s\nget load.v.ddt");
  ASSERT_EQ(Run(system, {"--quiet", "-o", In("asked.csv"), "--commands", lines}), kDone) << err_;
  EXPECT_EQ(ReadAll(In("asked.csv")), ReadAll(In("plain.csv")));
  // The state is that of --save-state.
  ASSERT_EQ(Run(system, {"--quiet", "--save-state", In("b.state") + "@2"}), kDone);
  EXPECT_EQ(ReadAll(In("a.state")), ReadAll(In("b.state")));
}

TEST_F(RunCommandTest, QuestionsThatHaveNoAnswerAreRefused) {
  const std::string lines =
      "get load.y\nlist x*\nuntil 1 h\nload " + In("none") + "\nuntil 1 s\nuntil 1 s\nquit\n";
  ASSERT_EQ(Run(SystemFile("mass_spring"), {"--quiet", "--commands", Write("lines", lines)}), kDone);
  const std::vector<std::string> faults = LinesOf(err_);
  ASSERT_EQ(faults.size(), 5U) << err_;
  EXPECT_THAT(faults[0], HasSubstr("lines:1: error: /load: no variable 'y' on mechanical.Mass"));
  EXPECT_THAT(faults[1], HasSubstr("lines:2: error: list: no item matches 'x*'; try 'list *'"));
  EXPECT_THAT(faults[2], HasSubstr("lines:3: error: until: the run ends at 10 s"));
  EXPECT_THAT(faults[3], HasSubstr("none"));
  EXPECT_THAT(faults[4], HasSubstr("lines:6: error: until: the run is at 1 s already; give a later time"));
}

TEST_F(RunCommandTest, WrongLinesAreAnsweredAndChangeNothing) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"-o", In("plain.csv")}), kDone);
  const std::string lines =
      Write("lines", "set load.mas 5\n" + std::string(5000, 'x') +
                         "\nblah\n3 set load.mass -1\nlevel load Ideal\nevent\n3 continue");
  ASSERT_EQ(Run(system, {"--quiet", "-o", In("lines.csv"), "--commands", lines}), kDone);
  EXPECT_EQ(ReadAll(In("lines.csv")), ReadAll(In("plain.csv")));
  EXPECT_EQ(err_,
            lines + ":1: error: /load: no parameter 'mas' on mechanical.Mass; did you mean 'mass'?\n" +
                lines + ":2: error: the line has more than 4096 characters; write a shorter one\n" + lines +
                ":3: error: no command 'blah'; use one of set, level, message, event, pause, continue, stop, "
                "get, list, save, load, until, ...\n" +
                lines + ":4: error: /load: mass: '-1' is out of range; it must be > 0 kg\n" + lines +
                ":5: error: /load: mechanical.Mass has no levels; leave out 'level'\n" + lines +
                ":6: error: event is incomplete; write [T] event NAME, for example 'event operator.lift'\n" +
                lines +
                ":7: error: time does not advance during a pause, so continue takes no time; leave it out\n");
}

TEST_F(RunCommandTest, AnyBytesAreAnsweredAndChangeNothing) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"-o", In("plain.csv")}), kDone);
  std::mt19937 random(11);
  for (int i = 0; i < 5; ++i) {
    std::string noise;
    for (int k = 0; k < 20'000; ++k) {
      if (k % 37 == 0) noise += random() % 2 == 0 ? "\nset load." : "\n5 level ";
      noise += static_cast<char>(random());
    }
    ASSERT_EQ(Run(system, {"--quiet", "-o", In("noise.csv"), "--commands", Write("noise", noise)}), kDone);
    EXPECT_EQ(ReadAll(In("noise.csv")), ReadAll(In("plain.csv")));
    EXPECT_THAT(err_, HasSubstr(": error: "));
    ASSERT_EQ(Run(system, {"--quiet", "-o", In("noise.csv"), "--commands", "-"}, noise), kDone);
    EXPECT_EQ(ReadAll(In("noise.csv")), ReadAll(In("plain.csv")));
  }
}

TEST_F(RunCommandTest, APersonCanPauseChangeGoOnAndStop) {
  const std::string system = SystemFile("mass_spring");
  ChildProgram program(
      Line(system, {"--realtime", "--commands", "-", "-o", In("a.csv"), "--summary", In("s.json")}));
  program.Write("pause\n");
  ASSERT_TRUE(program.WaitForError(": pause\n"));
  program.Write("set load.mass 20 kg\nset load.mas 1\n");
  ASSERT_TRUE(program.WaitForError("stdin:3: error: /load: no parameter 'mas'"));
  program.Write("event operator.lift\ncontinue\n");
  ASSERT_TRUE(program.WaitForError(": continue\n"));
  ASSERT_TRUE(program.WaitForError("set=\"load.mass\" value=\"20 kg\"/>"));
  ASSERT_TRUE(program.WaitForError("event=\"operator.lift\"/>"));
  program.Write("stop\n");
  EXPECT_EQ(program.Finish(), kDone);
  EXPECT_THAT(program.err(), HasSubstr(": stop\n"));
  EXPECT_THAT(ReadAll(In("s.json")), HasSubstr("\"status\": \"stopped\""));
}

TEST_F(RunCommandTest, APauseEndsWithTheLines) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"-o", In("plain.csv")}), kDone);
  for (const char* factor : {"", "--realtime=1000"}) {
    std::vector<std::string> options{"--commands", "-", "-o", In("paused.csv")};
    if (*factor != 0) options.emplace_back(factor);
    EXPECT_EQ(Run(system, options, "pause\n"), kDone);
    EXPECT_EQ(ReadAll(In("paused.csv")), ReadAll(In("plain.csv")));
  }
  EXPECT_EQ(Run(system, {"--commands", Write("lines", "5 pause\n"), "-o", In("paused.csv")}), kDone);
  EXPECT_THAT(err_, HasSubstr("t = 5 s: pause\nt = 5 s: no more commands can come: the run resumes\n"));
  EXPECT_EQ(ReadAll(In("paused.csv")), ReadAll(In("plain.csv")));
}

TEST_F(RunCommandTest, APacedRunTellsTheLargestShareOfComputing) {
  const std::string system = SystemFile("mass_spring");
  EXPECT_EQ(Run(system, {"--realtime=1000", "--summary", In("paced.json")}), kDone);
  EXPECT_GT(nlohmann::json::parse(ReadAll(In("paced.json")))["largest_work_share"], 0);
  EXPECT_EQ(Run(system, {"--summary", In("free.json")}), kDone);
  EXPECT_EQ(nlohmann::json::parse(ReadAll(In("free.json")))["largest_work_share"], 0);
}

TEST_F(RunCommandTest, CtrlCEndsAPauseWithTheResultsSoFar) {
  ChildProgram program(Line(SystemFile("mass_spring"), {"--commands", "-", "-o", In("a.csv"), "--save-state",
                                                        In("a.snap"), "--summary", In("s.json")}));
  program.Write("pause\n");
  // The run may be over before the line comes.
  if (program.WaitForError(": pause\n")) program.Send(SIGINT);
  EXPECT_EQ(program.Finish(), kDone);
  EXPECT_TRUE(fs::exists(In("a.snap")));
}

/// The second file is a pipe that has no reader yet, so the signal comes when the first file is open and no
/// step was taken.
TEST_F(RunCommandTest, ASignalBeforeTheFirstStepCompletesTheFiles) {
  const std::string system = SystemFile("mass_spring"), pipe = In("pipe.csv"), first = In("a.csv");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ChildProgram program(
      Line(system, {"-o", first, "-o", pipe, "--save-state", In("a.snap"), "--summary", In("s.json")}));
  while (!fs::exists(first)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  program.Send(SIGINT);
  ASSERT_TRUE(program.WaitForError("interrupted: the run ends at the next communication point"));
  ChildProgram reader({"/bin/cat", pipe});
  EXPECT_EQ(program.Finish(), kDone);
  EXPECT_EQ(reader.Finish(), 0);
  EXPECT_THAT(ReadAll(In("s.json")), HasSubstr("\"status\": \"interrupted\""));
  const std::string rows = ReadAll(first);
  EXPECT_EQ(RowsAfter(rows, -1).substr(0, 2), "0,");
  EXPECT_EQ(RowsAfter(rows, 0), "");
  EXPECT_EQ(reader.out(), rows);
  // The run can be resumed, and is that which nothing has interrupted.
  ASSERT_EQ(Run(system, {"--load-state", In("a.snap"), "-o", In("rest.csv")}), kDone) << err_;
  ASSERT_EQ(Run(system, {"-o", In("whole.csv")}), kDone);
  EXPECT_EQ(RowsAfter(ReadAll(In("rest.csv")), 0), RowsAfter(ReadAll(In("whole.csv")), 0));
}

/// 1e8 swings in the third TimeStep, of 2 s: it lasts for minutes, and is no fault. `reset` on stderr says
/// that it begins.
std::string LongStep(const std::string& method) {
  return "<System><SimulatorManager TimeStep='1 s' StopTime='1e9 s'><Integration solver='ODE' method='" +
         method +
         "'/></SimulatorManager>"
         "<mechanical.MassSpringDamper name='m' damping='0 N.s/m'><Start "
         "x='1'/></mechanical.MassSpringDamper>"
         "<At time='2 s' set='m.stiffness' value='1e17 N/m'/>"
         "<At time='2 s' set='SimulatorManager.TimeStep' value='2 s'/></System>";
}

TEST_F(RunCommandTest, ASignalEndsATimeStepInside) {
  for (const char* method : {"runge_kutta_dopri5", "rosenbrock4", "ida", "bulirsch_stoer"}) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      ChildProgram program(
          Line(Write("long.xml", LongStep(method)),
               {"-o", In("a.csv"), "--summary", In("s.json"), "--save-state", In("a.snap")}));
      ASSERT_TRUE(program.WaitForError("reset: all"));
      program.Send(signal);
      EXPECT_EQ(program.Finish(), kDone) << method;
      EXPECT_THAT(program.err(),
                  HasSubstr(": the run ends at the next communication point, or inside the TimeStep"));
      EXPECT_THAT(program.err(), HasSubstr("interrupted inside the TimeStep from 2 s on, at t = "));
      EXPECT_THAT(program.err(), HasSubstr("a.snap: warning: not written"));
      EXPECT_THAT(ReadAll(In("s.json")), HasSubstr("\"status\": \"interrupted\""));
      const std::string rows = ReadAll(In("a.csv"));
      EXPECT_EQ(RowsAfter(rows, -1).substr(0, 2), "0,");
      EXPECT_EQ(RowsAfter(rows, 1).substr(0, 2), "2,");
      EXPECT_EQ(RowsAfter(rows, 2), "");
    }
  }
}

TEST_F(RunCommandTest, ASignalBetweenStepsEndsWithASnapshot) {
  ChildProgram program(
      Line(SystemFile("mass_spring"), {"--realtime", "--save-state", In("a.snap"), "--commands",
                                       Write("lines", "0.1 set load.mass 20 kg\n")}));
  ASSERT_TRUE(program.WaitForError("load.mass"));
  program.Send(SIGHUP);
  EXPECT_EQ(program.Finish(), kDone);
  EXPECT_TRUE(fs::exists(In("a.snap")));
}

// Parameters by which steps have to be so small that the run does not get on: no method helps.
TEST_F(RunCommandTest, ARunWithoutProgressEndsAndNamesTheReason) {
  for (const char* level : {"", "--level=*=Advanced"}) {
    for (const char* what : {"boom_cylinder.port_b_diameter=1e9 m", "crane.wire_damping_ratio=1e9"}) {
      std::vector<std::string> options{"--set", what, "--summary", In("s.json")};
      if (*level != 0) options.emplace_back(level);
      EXPECT_EQ(Run(SystemFile("laboratory_crane"), options), kRunFailed);
      EXPECT_THAT(err_, HasSubstr(": the run makes no progress at t = "));
      EXPECT_THAT(err_,
                  HasSubstr(std::string(what).starts_with("boom") ? ": error: /boom_" : ": error: /crane: "));
      EXPECT_THAT(ReadAll(In("s.json")), HasSubstr("\"status\": \"diverged\""));
    }
  }
}

TEST_F(RunCommandTest, TheSameSignalTwiceAtOnceIsOne) {
  ChildProgram program(Line(Write("long.xml", LongStep("runge_kutta_dopri5")), {"--summary", In("s.json")}));
  ASSERT_TRUE(program.WaitForError("reset: all"));
  program.Send(SIGTERM);
  ASSERT_TRUE(program.WaitForError("terminated: "));
  program.Send(SIGTERM);
  EXPECT_EQ(program.Finish(), kDone);
  EXPECT_THAT(ReadAll(In("s.json")), HasSubstr("\"status\": \"interrupted\""));
}

TEST_F(RunCommandTest, ASecondSignalEndsAStepWithoutEnd) {
  const std::string system = Write("long.xml", LongStep("runge_kutta_dopri5"));
  ChildProgram program(Line(system, {}));
  ASSERT_TRUE(program.WaitForError("reset: all"));
  program.Send(SIGINT);
  program.Send(SIGTERM);
  EXPECT_EQ(program.Finish(), -1);
}

TEST_F(RunCommandTest, AStopAtATimeEndsWithTheRowOfThatTime) {
  const std::string system = SystemFile("mass_spring");
  ASSERT_EQ(Run(system, {"--commands", Write("lines", "2.5 stop\n"), "-o", In("a.csv")}), kDone);
  const std::string rows = ReadAll(In("a.csv"));
  EXPECT_EQ(RowsAfter(rows, 2.495).substr(0, 4), "2.5,");
  EXPECT_EQ(RowsAfter(rows, 2.5), "");
}

TEST_F(RunCommandTest, ANamedPipeWaitsForItsWriter) {
  const std::string pipe = In("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ChildProgram program(Line(SystemFile("mass_spring"), {"--realtime", "--commands", pipe}));
  std::ofstream(pipe) << "stop\n";
  EXPECT_EQ(program.Finish(), kDone);
  EXPECT_THAT(program.err(), HasSubstr(": stop\n"));
  EXPECT_EQ(Run(SystemFile("mass_spring"), {"--commands", In("none")}), kWrongInput);
  EXPECT_EQ(err_, "error: " + In("none") +
                      ": cannot be read (No such file or directory); name a file, a pipe, "
                      "or - for the standard input\n");
}

// Ten times as many as may wait: the file is read on as there is room, and the result is that of a short one.
TEST_F(RunCommandTest, AFileOfAnyLengthIsReadAsThereIsRoom) {
  const std::string system = SystemFile("mass_spring");
  std::string lines;
  for (int i = 1; i <= 100'000; ++i)
    lines += std::to_string(i * 1e-4) + " set load.mass " + std::to_string(10 + i % 2) + '\n';
  ASSERT_EQ(Run(system, {"--quiet", "--summary", In("s.json"), "--commands", Write("lines", lines)}), kDone)
      << err_;
  EXPECT_EQ(err_, "");
  EXPECT_THAT(ReadAll(In("s.json")),
              HasSubstr("\"commands\": 99900"));  // until 9.99 s, where the last step begins
}

// 1 us of real time for 10 s: no machine keeps to that.
TEST_F(RunCommandTest, ABudgetThatIsOverrunIsToldWithRealTimeOnly) {
  const std::string system = SystemFile("mass_spring");
  const std::vector<std::string> budget{"--set", "SimulatorManager.RealTimeBudget=0.8"};
  std::vector<std::string> options = budget;
  EXPECT_EQ(Run(system, options), kDone);
  EXPECT_THAT(err_, Not(HasSubstr("budget")));
  options.emplace_back("--realtime=1e7");
  EXPECT_EQ(Run(system, options), kDone);
  EXPECT_THAT(err_, HasSubstr("<At time=\"0.02 s\" event=\"budget.overrun\"/>"));
  EXPECT_THAT(err_, Not(HasSubstr("budget.recovered")));
}

TEST_F(RunCommandTest, AnEventCanBeGivenInTheSystemFile) {
  const std::string text =
      "<System name='s' xmlns='urn:davit:system:1'><SimulatorManager StopTime='1 s'/>"
      "<signal.Sine name='sine'/>";
  EXPECT_EQ(Run(Write("s.xml", text + "<At time='0.5 s' event='operator.lift'/></System>"), {}), kDone);
  EXPECT_THAT(err_, HasSubstr("t = 0.5 s: no receiver: <At time=\"0.5 s\" event=\"operator.lift\"/>"));
  EXPECT_EQ(Run(Write("s.xml",
                      text + "<At time='1' event='a..b'/><At time='1' event='a' set='sine.phase'/></System>"),
                {}),
            kWrongInput);
  EXPECT_THAT(err_, HasSubstr("'a..b' is not an event name; write words joined by dots"));
  EXPECT_THAT(err_, HasSubstr("At has 'set' and 'event'; write one At for each"));
}

// The command of README.md. Nothing but the run itself, its events and its summary, and no progress bar.
TEST_F(RunCommandTest, TheCraneWritesAtMostFiftyLines) {
  const std::string crane = SystemFile("knuckle_boom_crane");
  ASSERT_EQ(Run(crane, {"-o", In("crane.csv"), "--plot", In("crane.svg"), "--log", In("crane.log")}), kDone);
  EXPECT_LE(std::ranges::count(err_ + out_, '\n'), 50) << err_ << out_;
  EXPECT_THAT(err_ + out_, Not(HasSubstr("\r")));
  EXPECT_THAT(err_, HasSubstr("/operator: waiting -> raising: lift\n"));
  EXPECT_THAT(err_, HasSubstr("/slew_motor: level Ideal -> Standard"));
  EXPECT_THAT(err_, Not(HasSubstr("/boom_check_b: position")));
  const std::string log = ReadAll(In("crane.log"));
  EXPECT_THAT(log, HasSubstr("/boom_check_b: position Close -> Partial at t = "));
  EXPECT_THAT(log, HasSubstr("/crane: by /safety: <At time=\"0 s\" set=\"crane.release\" value=\"0\"/>"));
  EXPECT_THAT(log, HasSubstr("/operator: waiting -> raising: lift\n"));

  ASSERT_EQ(Run(crane, {"--verbose"}), kDone);
  EXPECT_EQ(err_, log);  // whatever is shown

  const std::string line = std::string(DAVIT_BINARY) + " run " + crane;
  ChildProgram terminal({"/usr/bin/script", "-qec", line, "/dev/null"});
  ASSERT_EQ(terminal.Finish(), kDone);
  EXPECT_LE(std::ranges::count(terminal.out(), '\n'), 50) << terminal.out();
  EXPECT_THAT(terminal.out(), HasSubstr("/operator: waiting -> raising: lift"));
}

TEST_F(RunCommandTest, ResultsInDisplayUnitsSayTheSame) {
  const std::string crane = SystemFile("knuckle_boom_crane");
  const std::string second = In("display.h5");
  ASSERT_EQ(Run(crane, {"--stop", "5s", "--quiet", "-o", In("si.csv")}), kDone);
  ASSERT_EQ(
      Run(crane, {"--stop", "5s", "--quiet", "--units", "display", "-o", In("display.csv"), "-o", second}),
      kDone);
  const std::string units = ReadAll(In("display.csv.units"));
  EXPECT_THAT(units, HasSubstr("crane.q0,deg,\n"));
  EXPECT_THAT(units, HasSubstr("boom_cylinder.p_a,bar,\n"));
  EXPECT_THAT(units, HasSubstr("crane.hook_load,kN,\n"));
  EXPECT_THAT(ReadAll(In("display.csv")), HasSubstr("\n0,0,20,"));  // boom at 20 degrees
  for (const std::string& display : {In("display.csv"), second}) {
    ChildProgram compare({DAVIT_BINARY, "compare", In("si.csv"), display});
    EXPECT_EQ(compare.Finish(), kDone) << compare.out();
  }
  ASSERT_EQ(mkfifo(In("pipe.csv").c_str(), 0600), 0);
  ChildProgram reader({"/bin/cat", In("pipe.csv")});
  EXPECT_EQ(Run(crane, {"--units", "display", "-o", In("pipe.csv")}), kWrongInput);
  EXPECT_THAT(err_, HasSubstr("which a pipe or device does not allow; name a file"));
}

TEST_F(RunCommandTest, AProfileAddsUpToTheWallTimeAndChangesNoResult) {
  for (const std::vector<std::string>& threads :
       {std::vector<std::string>{}, {"--threads", "2", "--always-threads"}}) {
    for (const char* name : {"knuckle_boom_crane", "water_hammer", "two_tanks", "bouncing_ball"}) {
      std::vector<std::string> plain{"--stop", "0.5s", "--quiet", "-o", In("plain.csv")};
      std::vector<std::string> profiled{"--stop",           "0.5s",      "--quiet",   "-o",
                                        In("profiled.csv"), "--profile", "--summary", In("s.json")};
      plain.insert(plain.end(), threads.begin(), threads.end());
      profiled.insert(profiled.end(), threads.begin(), threads.end());
      ASSERT_EQ(Run(SystemFile(name), plain), kDone) << err_;
      ASSERT_EQ(Run(SystemFile(name), profiled), kDone) << err_;
      EXPECT_EQ(ReadAll(In("plain.csv")), ReadAll(In("profiled.csv"))) << name;
      std::istringstream table(err_);
      std::string line;
      std::getline(table, line);
      EXPECT_THAT(line, testing::ContainsRegex("^where the time went +share +seconds +count$"));
      double sum = 0;
      double wall = 0;
      double last = std::numeric_limits<double>::infinity();
      while (std::getline(table, line) && !line.empty()) {
        const std::size_t percent = line.find(" %");
        ASSERT_NE(percent, std::string::npos) << line;
        const double seconds = std::stod(line.substr(percent + 2));
        if (line.starts_with("wall time")) {
          wall = seconds;
        } else {
          if (line.find(" more ") == std::string::npos) {  // the sum of the cheapest comes last
            EXPECT_LE(seconds, last) << "the most costly first";
            last = seconds;
          }
          sum += seconds;
        }
      }
      if (std::string(name) == "knuckle_boom_crane") {  // the states that set its steps follow
        ASSERT_TRUE(std::getline(table, line));
        EXPECT_THAT(line, testing::ContainsRegex(
                              "^largest errors in the island of .*: [0-9]+ steps, [0-9]+ rejected$"));
        EXPECT_THAT(err_, HasSubstr("\nJacobians of the island of "));
        EXPECT_THAT(err_, HasSubstr("\nsolves with LU factors of the island of "));
      }
      EXPECT_GT(wall, 0);
      EXPECT_NEAR(sum, wall, 3e-5) << name << '\n' << err_;  // 30 rows with 6 digits
      EXPECT_NEAR(nlohmann::json::parse(ReadAll(In("s.json")))["wall_s"].get<double>(), wall, 1e-6);
      if (std::string(name) == "water_hammer") {
        EXPECT_THAT(err_, HasSubstr("\nhydraulic.Line "));
      }
    }
  }
  EXPECT_EQ(Run(SystemFile("two_tanks"), {"--profile", "--check-allocations"}), kWrongInput);
}

TEST_F(RunCommandTest, TheEventLogEndsWithWhyTheRunHasFailed) {
  const std::string system =
      Write("broken.xml",
            "<System><SimulatorManager TimeStep='10 ms' StopTime='10 s'><Integration solver='ODE' "
            "method='runge_kutta4'/></SimulatorManager>"
            "<mechanical.MassSpringDamper name='m' mass='1 kg' stiffness='1e30'><Start x='1'/>"
            "</mechanical.MassSpringDamper></System>");
  EXPECT_EQ(Run(system, {"--quiet", "--log", In("events.log")}), kRunFailed);
  EXPECT_THAT(err_, HasSubstr("error: "));
  EXPECT_EQ(ReadAll(In("events.log")), err_);
  EXPECT_EQ(Run(system, {"--log", In("no/such/folder")}), kWrongInput);
  EXPECT_THAT(err_, HasSubstr("there is no folder"));
}

TEST_F(RunCommandTest, WithoutAutostartItWaitsForStart) {
  const std::string system = SystemFile("mass_spring");
  const std::string off = "--set=SimulatorManager.Autostart=false";
  EXPECT_EQ(Run(system, {off}), kWrongInput);
  EXPECT_THAT(
      err_,
      HasSubstr(
          "/SimulatorManager: Autostart is false, and nothing can send the message Start; give --commands"));
  ASSERT_EQ(Run(system, {"-o", In("plain.csv"), "--set=load.mass=3 kg"}), kDone);
  // Time stands still until the message comes; what came before it holds from the start.
  ChildProgram program(Line(system, {off, "-o", In("waited.csv"), "--commands", "-"}));
  program.Write("set load.mass 3 kg\n");
  ASSERT_TRUE(program.WaitForError("t = 0 s: /load: by stdin:1:"));
  program.Write("message SimulatorManager Start\n");
  EXPECT_EQ(program.Finish(), kDone);
  const auto rows = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  EXPECT_EQ(rows(ReadAll(In("waited.csv"))), rows(ReadAll(In("plain.csv"))));
  EXPECT_EQ(Run(system, {off, "--commands", Write("lines", "# nothing\n5 message SimulatorManager Start\n")}),
            kWrongInput);
  EXPECT_THAT(err_, HasSubstr("lines: error: the run has not begun"));
  // A chart may send it.
  Write("operator.scxml",
        "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'><state id='s'><transition event='go' "
        "target='t'>"
        "<send target='SimulatorManager' event='Start'/></transition></state><state id='t'/></scxml>");
  const std::string operated = Write("operated.xml",
                                     "<System><SimulatorManager StopTime='1 s' Autostart='false'/>"
                                     "<Statechart name='operator' src='operator.scxml'/></System>");
  EXPECT_EQ(Run(operated, {"--commands", "-"}, "event go\n"), kDone) << err_;
  // Ctrl-C ends the waiting.
  ChildProgram waiting(Line(system, {off, "--commands", "-"}));
  waiting.Write("set load.mass 3 kg\n");
  ASSERT_TRUE(waiting.WaitForError("by stdin:1:"));
  waiting.Send(SIGINT);
  EXPECT_EQ(waiting.Finish(), kDone);
}

TEST_F(RunCommandTest, DevicesAsCommandsDoNotHoldUpTheRun) {
  for (const char* device : {"/dev/zero", "/dev/urandom"}) {
    EXPECT_EQ(Run(SystemFile("mass_spring"),
                  {"--quiet", "--stop", "0.05", "--commands", device, "--summary", In("s.json")}),
              kDone)
        << device;
    EXPECT_THAT(ReadAll(In("s.json")), HasSubstr("\"status\": \"done\"")) << device;
  }
}

TEST_F(RunCommandTest, ALastLineWithoutItsEndIsLeftOutOfAPipe) {
  const std::string system = SystemFile("mass_spring");
  EXPECT_EQ(Run(system, {"--commands", "-"}, "1 set load.mass 4 kg\n2 set load.mass 8"), kDone);
  EXPECT_THAT(err_, HasSubstr("value=\"4 kg\""));
  EXPECT_THAT(err_, HasSubstr("stdin:2: error: the last line has no end"));
  EXPECT_THAT(err_, Not(HasSubstr("value=\"8")));
  EXPECT_EQ(Run(system, {"--commands", Write("lines", "2 set load.mass 8")}), kDone);
  EXPECT_THAT(err_, HasSubstr("value=\"8"));
}

TEST_F(RunCommandTest, ALevelByGlobLeavesThoseWithoutItAlone) {
  EXPECT_EQ(Run(SystemFile("hydrostatic_transmission"), {"--stop", "0.1", "--level", "*=Advanced"}), kDone)
      << err_;
  EXPECT_THAT(err_, HasSubstr("components have no level 'Advanced' and keep theirs: hydraulic.Orifice"));
  EXPECT_EQ(Run(SystemFile("hydrostatic_transmission"), {"--level", "case_leakage_forward=Advanced"}),
            kWrongInput);
  EXPECT_EQ(Run(SystemFile("hydrostatic_transmission"), {"--level", "*typo*=Advanced"}), kWrongInput);
}

/// The same where no component of the system has the level, or any: the results are those without the option.
TEST_F(RunCommandTest, ALevelByGlobThatNothingHasChangesNothing) {
  const auto rows = [&](const std::string& system, std::vector<std::string> options) {
    for (const char* one : {"--quiet", "--stop", "0.1", "-o"}) options.emplace_back(one);
    options.push_back(In("level.csv"));
    EXPECT_EQ(Run(SystemFile(system), options), kDone) << err_;
    return ReadAll(In("level.csv"));
  };
  for (const char* system : {"series_orifices", "two_tanks"}) {
    const std::string without = rows(system, {});
    EXPECT_EQ(rows(system, {"--level", "*=Advanced"}), without);
    EXPECT_THAT(err_, HasSubstr("components have no level 'Advanced' and keep theirs"));
  }
  const std::string without = rows("mass_spring", {});
  EXPECT_EQ(rows("mass_spring", {"--level", "*=Ideal"}), without);
  EXPECT_THAT(err_, HasSubstr("warning: no component that matches '*' has levels; nothing changes"));
}

TEST_F(RunCommandTest, GlobsThatNameAChartFindItsStates) {
  const auto header = [&](const std::string& globs) {
    EXPECT_EQ(Run(SystemFile("lifting_cylinder"),
                  {"--quiet", "--stop", "0.1", "--signals", globs, "-o", In("g.csv")}),
              kDone)
        << err_;
    const std::string text = ReadAll(In("g.csv"));
    return text.substr(0, text.find('\n'));
  };
  EXPECT_THAT(header("cylinder.chart.*"), HasSubstr("cylinder.chart.state.piston.StopLeft"));
  EXPECT_THAT(header("*.chart.state.piston.*"), HasSubstr("cylinder.chart.state.piston.StopLeft"));
  EXPECT_THAT(header("cylinder.chart.state.*"), Not(HasSubstr("region")));
  EXPECT_THAT(header("cylinder.*"), Not(HasSubstr("chart")));
}

TEST_F(RunCommandTest, ALevelThatReplacesAspectsOfTheFileWarnsOnce) {
  const std::string off = "--set=dcv.compensator=Off";
  EXPECT_EQ(Run(SystemFile("lifting_cylinder"), {off, "--stop", "3", "--level", "dcv=Standard", "--at",
                                                 "1:dcv.level=Ideal", "--at", "2:dcv.level=Standard"}),
            kDone)
      << err_;
  EXPECT_THAT(
      err_,
      HasSubstr(
          "the level Standard sets all aspects, so compensator = Off of the system file is lost; to keep "
          "it, define <Level name=\"own\" base=\"Standard\" compensator=\"Off\"/>"));
  EXPECT_EQ(err_.find("sets all aspects"), err_.rfind("sets all aspects"));
}

TEST_F(RunCommandTest, ADefaultThatContradictsTheNominalFlowIsTold) {
  const auto valve = [&](const std::string& attributes) {
    return Write(
        "valve.xml",
        "<System><hydraulic.DirectionalControlValve name='valve' level='Standard' "
        "nominal_flow='40 l/min' nominal_pressure_drop='35 bar' " +
            attributes +
            "/>"
            "<hydraulic.Tank name='tank'/><Connect from='valve.p' to='tank.port'/><Connect from='valve.a' "
            "to='tank.port'/><Connect from='valve.b' to='tank.port'/><Connect from='valve.t' to='tank.port'/>"
            "</System>");
  };
  // sqrt(5/35) of 40 l/min.
  EXPECT_EQ(Run(valve(""), {"--stop", "0.1"}), kDone) << err_;
  EXPECT_THAT(
      err_,
      HasSubstr("/valve: the compensator keeps 5 bar over an edge (compensator_pressure, its default), the "
                "nominal flow of 40 l/min needs 35 bar: at most 15.12 l/min pass"));
  for (const char* right : {"compensator_pressure='35 bar'", "compensator='Off'"}) {
    EXPECT_EQ(Run(valve(right), {"--stop", "0.1"}), kDone) << err_;
    EXPECT_THAT(err_, Not(HasSubstr("compensator"))) << right;
  }
}

TEST_F(RunCommandTest, ARefusedRouteIsTheOnlyFault) {
  std::string text = ReadAll(SystemFile("tutorial_pump_and_mass"));
  const std::string input = "to=\"force.force\"";
  text.replace(text.find(input), input.size(), "to=\"mass.solver\"");
  EXPECT_EQ(Run(Write("wrong.xml", text), {}), kWrongInput);
  EXPECT_THAT(err_, HasSubstr("is a setting that is not a number, not an input"));
  EXPECT_EQ(std::ranges::count(err_, '\n'), 1) << err_;
}

TEST_F(RunCommandTest, DevicesThatLookLikeFilesAreNotWaitedFor) {
  if (access("/proc/kmsg", R_OK) != 0) GTEST_SKIP() << "/proc/kmsg cannot be read here";
  for (const std::string element : {"<Statechart name='c' src='/proc/kmsg'/>",
                                    "<Subsystem name='s' src='/proc/kmsg'/>", "<Plugin src='/proc/kmsg'/>"}) {
    EXPECT_EQ(Run(Write("device.xml", "<System>" + element + "</System>"), {}), kWrongInput) << element;
  }
}

}  // namespace
}  // namespace davit
