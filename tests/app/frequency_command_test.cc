#include "app/studies/frequency_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/exit_code.h"
#include "components/register.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class FrequencyCommandTest : public testing::Test {
 protected:
  FrequencyCommandTest() { fs::create_directories(folder_); }
  ~FrequencyCommandTest() override { fs::remove_all(folder_); }
  int Run(const FrequencyCommandOptions& options) { return RunFrequency(options, registry_, out_, err_); }

  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("frequency_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path mass_spring_ = DAVIT_SOURCE_DIR "/systems/mass_spring.xml";
};

TEST_F(FrequencyCommandTest, WritesATableAndDraws) {
  const fs::path table = folder_ / "t.csv", bode = folder_ / "b.svg";
  ASSERT_EQ(Run({.system = mass_spring_,
                 .input = "load.weight",
                 .outputs = {"load.x", "load.v"},
                 .from = "0.5 Hz",
                 .to = "2 Hz",
                 .points = 3,
                 .amplitude = "10 N",
                 .is_steady = true,
                 .table = table,
                 .bode = bode}),
            kDone)
      << err_.str();
  std::ifstream stream(table);
  std::string header, row;
  std::getline(stream, header);
  EXPECT_THAT(header,
              StartsWith("frequency,amplitude,load.x.gain,load.x.phase,load.x.coherence,load.x.distortion"));
  int rows = 0;
  while (std::getline(stream, row)) ++rows;
  EXPECT_EQ(rows, 3);
  EXPECT_GT(fs::file_size(bode), 1000U);
  EXPECT_THAT(out_.str(), HasSubstr("0.5 Hz  load.x: gain 0.0033"));  // 1/(k - m w^2) = 1/(394.8 - 98.7)
}

TEST_F(FrequencyCommandTest, AllThatIsWrongIsToldTogether) {
  EXPECT_EQ(Run({.system = mass_spring_,
                 .input = "load.wait",
                 .outputs = {"load.z"},
                 .from = "1 m",
                 .to = "2 Hz",
                 .amplitude = "many",
                 .table = "t.txt",
                 .bode = "b.gif"}),
            kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("--from: '1 m' is m"),
                                HasSubstr("--amplitude: 'many' is not a number"), HasSubstr("-o: 't.txt'"),
                                HasSubstr("--bode: 'b.gif'"), HasSubstr("--input"), HasSubstr("--output")));
}

}  // namespace
}  // namespace davit
