// Studies in several processes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/study/case_message.h"
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

  static ProgramResult WithRanks(int ranks, std::vector<std::string> arguments) {
    std::vector<std::string> all{"--oversubscribe", "--allow-run-as-root", "-n", std::to_string(ranks),
                                 DAVIT_BINARY};
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
