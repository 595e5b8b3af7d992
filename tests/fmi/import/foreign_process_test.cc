// FMUs that hang, end their process or print: what becomes of the program and of the process they run in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "fmi/import/fmu_cache.h"
#include "fmi/import/isolated_fmu.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"
#include "tests/fmi/outside_program.h"
#include "tests/support/child_program.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr int kHang = 7, kExitAsIfDone = 8;

/// A system with the FMU that goes wrong after 0.5 s.
std::filesystem::path WriteWrongSystem(int fault, bool is_isolated) {
  PackWrong2();
  const std::filesystem::path file = FreshFolder() / "wrong.xml";
  std::ofstream(file) << "<System name=\"test\">\n<SimulatorManager TimeStep=\"10 ms\" StopTime=\"2 s\"/>\n"
                      << "<fmi.Fmu name=\"f\" file=\"wrong.fmu\" fault=\"" << fault << "\" isolated=\""
                      << (is_isolated ? "true" : "false")
                      << "\"/>\n<Record signals=\"f.y\" interval=\"10 ms\"/></System>\n";
  return file;
}

/// `davit run` of a system whose FMU hangs, in a call that has begun.
class HangingRun {
 public:
  HangingRun()
      : program_({DAVIT_BINARY, "run", WriteWrongSystem(kHang, true).string(), "-o", csv_.string(),
                  "--summary", summary_.string()}) {
    EXPECT_TRUE(program_.WaitForError("the valve sticks"));
  }
  ChildProgram& program() { return program_; }
  std::string rows() const { return ReadAll(csv_); }
  std::string summary() const { return ReadAll(summary_); }

 private:
  const std::filesystem::path csv_ = FreshFolder() / "rows.csv", summary_ = FreshFolder() / "summary.json";
  ChildProgram program_;
};

// Law: the first signal ends a run whose isolated FMU does not return, with all results so far. The process
// of the FMU has ended then: it had the other end of a pipe that is read to its end.
TEST(ForeignProcessTest, ASignalEndsAnFmuThatHangs) {
  for (const int signal : {SIGINT, SIGTERM}) {
    HangingRun run;
    run.program().Send(signal);
    EXPECT_EQ(run.program().Finish(), 0);
    EXPECT_THAT(run.program().err(), HasSubstr("interrupted inside the TimeStep from 0.5 s on"));
    EXPECT_THAT(run.rows(), HasSubstr("\n0.5,"));
    EXPECT_THAT(run.rows(), Not(HasSubstr("\n0.51,")));
    EXPECT_THAT(run.summary(), HasSubstr("\"status\": \"interrupted\""));
  }
}

// Law: the process of an FMU ends with the program, however that ends.
TEST(ForeignProcessTest, AnFmuThatHangsEndsWithTheProgram) {
  HangingRun run;
  run.program().Send(SIGKILL);
  EXPECT_EQ(run.program().Finish(), -1);
}

// Law: what an isolated FMU prints is no output of the program.
TEST(ForeignProcessTest, PrintsToTheStandardErrorOutput) {
  HangingRun run;
  run.program().Send(SIGINT);
  run.program().Finish();
  EXPECT_THAT(run.program().err(), HasSubstr("the valve sticks"));
  EXPECT_THAT(run.program().out(), Not(HasSubstr("the valve sticks")));
}

// Law: an FMU lives as long as its object, not as the thread that has made it.
TEST(ForeignProcessTest, OutlivesTheThreadThatMadeIt) {
  ModelsWithFmus();
  const ForeignFmuSource source{UnpackToCache(PackWrong2()), FmuKind::kCoSimulation, "f", false};
  std::unique_ptr<ForeignFmu> fmu;
  std::thread([&] { fmu = MakeIsolatedFmu({}, source); }).join();
  fmu->EnterInitialization(0, {}, {});
  fmu->ExitInitialization();
  EXPECT_TRUE(fmu->DoStep(0, 0.01));
}

// Law: an FMU that calls exit does not make a run that is not done look as if it were.
TEST(ForeignProcessTest, ExitOfAnFmuIsAFailure) {
  const std::filesystem::path system = WriteWrongSystem(kExitAsIfDone, false);
  const ProgramResult alone = RunDavit({"run", system.string()});
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_THAT(alone.messages, HasSubstr("wrong.xml:3: error: /f: wrong.fmu: the FMU has called exit"));
  const ProgramResult checked =
      RunDavit({"run", (FreshFolder() / "wrong.fmu").string(), "--set", "wrong.fault=8"});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.messages, HasSubstr("error: /wrong: wrong.fmu: the FMU has called exit"));
  WriteWrongSystem(kExitAsIfDone, true);
  const ProgramResult isolated = RunDavit({"run", system.string()});
  EXPECT_EQ(isolated.exit_code, 1);
  EXPECT_THAT(isolated.messages, HasSubstr("wrong.fmu: its process has ended by itself with code 0"));
}

}  // namespace
}  // namespace davit
