// Studies, and one large system, in several processes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/case_message.h"
#include "app/mpi_start.h"
#include "results/program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class MpiTest : public testing::Test {
 protected:
  MpiTest() : folder_(fs::path(testing::TempDir()) / ("davit_mpi_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~MpiTest() override { fs::remove_all(folder_); }
  void SetUp() override {
    if (!fs::exists(fs::path(DAVIT_BINARY).parent_path() / "davit_mpi.so") ||
        !RunProgram("mpirun", {"--version"}, ""))
      GTEST_SKIP() << "OpenMPI is not installed (libopenmpi-dev, openmpi-bin)";
  }

  ProgramResult WithRanks(int ranks, std::vector<std::string> arguments) const {
    // Open MPI removes the folder that all runs of a user share when one of them ends.
    std::vector<std::string> all{
        "--mca", "orte_tmpdir_base",    folder_.string(), "--oversubscribe", "--allow-run-as-root",
        "-n",    std::to_string(ranks), DAVIT_BINARY};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return *RunProgram("mpirun", std::move(all), "");
  }
  std::string Table(const std::string& name) const {
    std::ifstream file(folder_ / name);
    std::string text;
    for (std::string line; std::getline(file, line);) text += line.substr(0, line.rfind(',')) + '\n';
    return text;
  }
  static std::string SystemFile() { return DAVIT_SOURCE_DIR "/systems/mass_spring.xml"; }
  std::string File(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

/// srun --mpi=pmix tells the number of processes by SLURM's own variable only.
TEST(MpiStartTest, SrunWithPmixStartsRanks) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"})
    unsetenv(name);
  EXPECT_FALSE(IsStartedByMpi());
  setenv("SLURM_STEP_NUM_TASKS", "4", 1);
  EXPECT_FALSE(IsStartedByMpi());  // srun --mpi=none: independent copies
  setenv("PMIX_RANK", "0", 1);
  EXPECT_TRUE(IsStartedByMpi());
  setenv("SLURM_STEP_NUM_TASKS", "1", 1);
  EXPECT_FALSE(IsStartedByMpi());
  unsetenv("PMIX_RANK");
  setenv("PMI_SIZE", "2", 1);
  EXPECT_TRUE(IsStartedByMpi());
  unsetenv("PMI_SIZE");
  unsetenv("SLURM_STEP_NUM_TASKS");
}

TEST_F(MpiTest, ASweepHasTheSameTable) {
  const std::vector<std::string> sweep{"sweep",     SystemFile(),     "--stop",
                                       "2 s",       "--vary",         "load.mass=5 kg:500 g:15 kg",
                                       "--measure", "top=max(load.v)"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = sweep;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  ASSERT_EQ(RunProgram(DAVIT_BINARY, with({"-o", File("one.csv"), "-j", "1"}), "")->exit_code, 0);
  const ProgramResult parallel = WithRanks(3, with({"-o", File("ranks.csv")}));
  ASSERT_EQ(parallel.exit_code, 0) << parallel.messages;
  EXPECT_THAT(parallel.output, HasSubstr("processes         3"));
  EXPECT_EQ(Table("ranks.csv"), Table("one.csv"));
  EXPECT_NE(Table("one.csv"), "");
  // Resumed from the first half of the table.
  std::ifstream whole(folder_ / "one.csv");
  std::ofstream half(folder_ / "half.csv");
  std::string line;
  for (int i = 0; i < 10 && std::getline(whole, line); ++i) half << line << '\n';
  half.close();
  const ProgramResult resumed = WithRanks(2, with({"-o", File("half.csv"), "--resume"}));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.messages;
  EXPECT_EQ(Table("half.csv"), Table("one.csv"));
}

// Law: the probes of several processes give the table and the schedule of one.
TEST_F(MpiTest, LevelsAreTheSame) {
  const auto with = [&](const std::string& name) {
    return std::vector<std::string>{"levels",      DAVIT_SOURCE_DIR "/systems/lifting_cylinder.xml",
                                    "--stop",      "6 s",
                                    "--windows",   "1 s",
                                    "--rounds",    "1",
                                    "--metric",    "lift=load.x",
                                    "--tolerance", "lift=1%",
                                    "-o",          File(name + ".csv"),
                                    "-o",          File(name + ".xml"),
                                    "-j",          "1"};
  };
  ASSERT_EQ(RunProgram(DAVIT_BINARY, with("one"), "")->exit_code, 0);
  const ProgramResult parallel = WithRanks(3, with("ranks"));
  ASSERT_EQ(parallel.exit_code, 0) << parallel.messages;
  EXPECT_EQ(Table("ranks.csv"), Table("one.csv"));
  EXPECT_EQ(Table("ranks.xml"), Table("one.xml"));
  EXPECT_NE(Table("one.csv"), "");
}

TEST_F(MpiTest, ASearchHasTheSameCases) {
  const std::vector<std::string> search{
      "optimize",   SystemFile(),  "--stop",   "2 s", "--vary",   "damper.coefficient=1 N.s/m:1000 N.s/m log",
      "--minimize", "rms(load.x)", "--method", "de",  "--budget", "60",
      "-o"};
  std::vector<std::string> one = search, two = search;
  one.push_back(File("one.csv"));
  two.push_back(File("two.csv"));
  ASSERT_EQ(RunProgram(DAVIT_BINARY, one, "")->exit_code, 0);
  const ProgramResult parallel = WithRanks(2, two);
  ASSERT_EQ(parallel.exit_code, 0) << parallel.messages;
  EXPECT_EQ(Table("two.csv"), Table("one.csv"));
}

TEST_F(MpiTest, AStudyOfSeveralPartsRunsThemInTheirOrder) {
  fs::copy_file(SystemFile(), folder_ / "mass_spring.xml");
  std::ofstream(folder_ / "study.xml") << R"xml(<Study>
  <Sweep system="mass_spring.xml" output="sweep.csv" stop="1 s">
    <Vary path="load.mass" values="5 kg:1 kg:15 kg"/> <Measure name="top" expr="max(load.v)"/>
  </Sweep>
  <Optimize system="mass_spring.xml" output="search.csv" stop="1 s" budget="20">
    <Vary path="damper.coefficient" values="1 N.s/m:1000 N.s/m log"/> <Minimize expr="rms(load.x)"/>
  </Optimize>
</Study>
)xml";
  const ProgramResult parallel = WithRanks(2, {"study", File("study.xml")});
  ASSERT_EQ(parallel.exit_code, 0) << parallel.messages;
  const std::string sweep = Table("sweep.csv"), search = Table("search.csv");
  ASSERT_EQ(RunProgram(DAVIT_BINARY, {"study", File("study.xml"), "-j", "1"}, "")->exit_code, 0);
  EXPECT_EQ(Table("sweep.csv"), sweep);
  EXPECT_EQ(Table("search.csv"), search);
}

TEST_F(MpiTest, WrongInputIsToldOnceAndEndsAllProcesses) {
  const ProgramResult wrong = WithRanks(3, {"sweep", SystemFile(), "--vary", "load.mas=5 kg", "--measure",
                                            "top=max(load.v)", "-o", File("table.csv")});
  EXPECT_NE(wrong.exit_code, 0);
  const std::size_t first = wrong.messages.find("load.mas=5 kg: error");
  ASSERT_NE(first, std::string::npos) << wrong.messages;
  EXPECT_EQ(wrong.messages.find("load.mas=5 kg: error", first + 1), std::string::npos);
  const ProgramResult unwritable = WithRanks(2, {"sweep", SystemFile(), "--vary", "load.mass=5 kg",
                                                 "--measure", "top=max(load.v)", "-o", "/nowhere/table.csv"});
  EXPECT_NE(unwritable.exit_code, 0);
}

/// A ring of volumes, each with a line to the next, a signal that samples the one before, and an island.
std::string RingText() {
  std::string text = R"(<System name="ring" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="0.1 ms" StopTime="0.2 s"/>
)";
  for (int i = 0; i < 5; ++i) {
    std::string part = R"(
  <signal.Sine name="demand#" amplitude="1e-4" frequency="250 rad/s"/>
  <hydraulic.FlowSource name="source#"/>
  <hydraulic.VolumeC name="volume#" volume="0.5 l" bulk_modulus="1.6e9 Pa"><Start p="20 bar"/></hydraulic.VolumeC>
  <hydraulic.Orifice name="out#" area="20 mm2"/> <hydraulic.Orifice name="in#" area="30 mm2"/>
  <hydraulic.Line name="line#" inner_diameter="20 mm" length="1.3 m"/>
  <signal.Gain name="drive#" gain="1e-5"/>
  <mechanical.Mass name="mass#" mass="3 kg" solver="Differential"/>
  <mechanical.Spring name="spring#" stiffness="2 kN/m"/>
  <mechanical.Fixed name="wall#"/> <mechanical.Force name="push#"/>
  <Connect from="source#.port" to="volume#.port"/> <Connect from="volume#.port" to="out#.a"/>
  <Connect from="out#.b" to="line#.a"/> <Connect from="line#.b" to="in%.a"/>
  <Connect from="in%.b" to="volume%.port"/>
  <Connect from="mass#.a" to="spring#.a"/> <Connect from="spring#.b" to="wall#.port"/>
  <Connect from="mass#.b" to="push#.port"/>
  <Route from="demand#.y" to="source#.flow"/>
  <Route from="volume%.p" to="drive#.u"/> <Route from="drive#.y" to="push#.force"/>
)";
    for (char& c : part)
      c = c == '#' ? static_cast<char>('0' + i) : c == '%' ? static_cast<char>('0' + (i + 1) % 5) : c;
    text += part;
  }
  return text + "<Record signals=\"volume*.p mass*.x out*.q\" interval=\"1 ms\"/>\n</System>\n";
}

/// Masses without a connection that one source pushes, which a command changes: each process evaluates it.
constexpr std::string_view kFan = R"(<System name="fan" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="1 ms" StopTime="0.15 s"/>
  <signal.Constant name="force" value="10 N"/>
  <For name="i" from="1" to="3">
    <mechanical.Force name="push{i}"/><mechanical.Mass name="mass{i}" mass="1 kg"/>
    <Connect from="push{i}.port" to="mass{i}.a"/><Route from="force.y" to="push{i}.force"/>
  </For>
  <At time="50 ms" set="force.value" value="-7 N"/>
  <Record signals="mass*.x mass*.v" interval="1 ms"/>
</System>
)";

std::string Bytes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(MpiTest, OneSystemOverRanksHasTheBytesOfOneProcess) {
  std::ofstream(folder_ / "ring.xml") << RingText();
  std::ofstream(folder_ / "fan.xml") << kFan;
  const std::string systems = DAVIT_SOURCE_DIR "/systems/";
  for (const std::string& system : {File("ring.xml"), File("fan.xml"), systems + "water_hammer.xml",
                                    systems + "hydrostatic_transmission.xml"}) {
    const std::vector<std::string> run{"run", system, "--stop", "0.15 s"};
    const auto with = [&](const std::string& name) {
      std::vector<std::string> all = run;
      for (const std::string& more : {std::string("-o"), File(name + ".csv"), std::string("-o"),
                                      File(name + ".h5"), std::string("--save-state"), File(name + ".state"),
                                      std::string("--save-state"), File(name + ".early") + "@20 ms"})
        all.push_back(more);
      return all;
    };
    ASSERT_EQ(RunProgram(DAVIT_BINARY, with("whole"), "")->exit_code, 0) << system;
    ASSERT_GT(Bytes(folder_ / "whole.csv").size(), 1000U);
    for (const int ranks : {1, 2, 3}) {
      const ProgramResult parts = WithRanks(ranks, with("parts"));
      ASSERT_EQ(parts.exit_code, 0) << parts.messages;
      for (const char* ending : {".csv", ".state", ".early"})
        EXPECT_TRUE(Bytes(folder_ / ("parts" + std::string(ending))) ==
                    Bytes(folder_ / ("whole" + std::string(ending))))
            << system << " on " << ranks << ": " << ending;
      EXPECT_EQ(parts.output.find("process 1 ") != std::string::npos, ranks > 1) << parts.output;
    }
    // From the snapshot on.
    std::vector<std::string> rest{"run", system, "--stop", "0.15 s", "--load-state", File("whole.early"),
                                  "-o"};
    rest.push_back(File("rest.csv"));
    ASSERT_EQ(RunProgram(DAVIT_BINARY, rest, "")->exit_code, 0);
    rest.back() = File("rest_of_parts.csv");
    ASSERT_EQ(WithRanks(3, rest).exit_code, 0);
    EXPECT_TRUE(Bytes(folder_ / "rest_of_parts.csv") == Bytes(folder_ / "rest.csv")) << system;
  }
}

TEST_F(MpiTest, ARankThatFailsEndsAllWithItsMessage) {
  std::ofstream(folder_ / "ring.xml") << RingText();
  const std::vector<std::string> run{"run", File("ring.xml"), "--at", "50 ms:mass4.mass=1e-300", "-o"};
  const auto with = [&](const std::string& name) {
    std::vector<std::string> all = run;
    all.push_back(File(name));
    return all;
  };
  const ProgramResult whole = *RunProgram(DAVIT_BINARY, with("whole.csv"), "");
  ASSERT_EQ(whole.exit_code, 1);
  const std::string fault = whole.messages.substr(whole.messages.find("ring.xml: error: "));
  for (const int ranks : {2, 3}) {
    const ProgramResult parts = WithRanks(ranks, with("parts.csv"));
    EXPECT_EQ(parts.exit_code, 1);
    EXPECT_THAT(parts.messages, HasSubstr(fault.substr(0, fault.find('\n'))));
    EXPECT_TRUE(Bytes(folder_ / "parts.csv") == Bytes(folder_ / "whole.csv")) << ranks;
  }
}

TEST_F(MpiTest, WhatCannotBeDealtOutIsWrongInput) {
  const std::string systems = DAVIT_SOURCE_DIR "/systems/";
  const ProgramResult ball = WithRanks(2, {"run", systems + "bouncing_ball.xml", "-o", File("ball.csv")});
  EXPECT_EQ(ball.exit_code, 2);
  EXPECT_THAT(ball.messages, HasSubstr("bouncing_ball.xml: error: mpirun: /"));
  EXPECT_FALSE(fs::exists(folder_ / "ball.csv"));
  const ProgramResult paced = WithRanks(2, {"run", systems + "water_hammer.xml", "--realtime"});
  EXPECT_EQ(paced.exit_code, 2);
  EXPECT_THAT(paced.messages, HasSubstr("--realtime: error: not over several processes"));
  const ProgramResult missing = WithRanks(2, {"run", File("missing.xml")});
  EXPECT_EQ(missing.exit_code, 2);
  const ProgramResult unwritable =
      WithRanks(2, {"run", systems + "water_hammer.xml", "-o", "/nowhere/rows.csv"});
  EXPECT_EQ(unwritable.exit_code, 2);
}

TEST(CaseMessageTest, BytesGiveBackEveryBit) {
  CaseMessage message{.kind = CaseMessage::Kind::kResult, .number = 7, .values = {{0.1, ""}, {2, "Ideal"}}};
  message.result = {.is_done = true, .measures = {-0.0, 1e-320}, .message = "a; b", .wall_s = 0.5};
  message.result.curves = {.time = {0, 1}, .signals = {{1, 2}, {}}};
  const CaseMessage read = ReadCaseMessage(ToBytes(message));
  EXPECT_EQ(ToBytes(read), ToBytes(message));
  EXPECT_EQ(read.values[1].text, "Ideal");
  EXPECT_EQ(read.result.curves.signals[0][1], 2);
  const std::string bytes = ToBytes(message);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(ReadCaseMessage(std::string_view(bytes).substr(0, size)), std::runtime_error) << size;
}

}  // namespace
}  // namespace davit
