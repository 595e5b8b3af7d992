#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/program.h"
#include "components/register.h"
#include "tests/support/read_all.h"

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
  int Run(const fs::path& system, const std::vector<std::string>& words) {
    std::vector<const char*> arguments{"davit", "frequency", system.c_str()};
    arguments.reserve(words.size() + 3);
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::istringstream in;
    CommandContext context{registry_, in, out_, err_};
    return RunCommandLine(static_cast<int>(arguments.size()), arguments.data(), context);
  }

  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("frequency_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path mass_spring_ = DAVIT_SOURCE_DIR "/systems/mass_spring.xml";
};

// Law: a saturated output has no response, neither a gain of rounding errors nor their coherence.
TEST_F(FrequencyCommandTest, AConstantOutputHasNoResponse) {
  const fs::path system = folder_ / "saturated.xml";
  std::ofstream(system)
      << "<System name='saturated'><SimulatorManager TimeStep='1 ms' StopTime='1 s'/>"
         "<signal.LowPass name='lag' time_constant='10 ms'><Start y='5'/></signal.LowPass>"
         "<signal.Constant name='five' value='5'/><signal.Limiter name='limiter' low='-1.1' "
         "high='1.1'/><Route from='five.y' to='lag.u'/><Route from='lag.y' to='limiter.u'/>"
         "</System>";
  ASSERT_EQ(Run(system, {"--input", "lag.u", "--output", "lag.y", "--output", "limiter.y", "--from", "1 Hz",
                         "--to", "2 Hz", "--points", "2", "--amplitude", "0.1"}),
            kDone)
      << err_.str();
  EXPECT_THAT(out_.str(),
              AllOf(HasSubstr("1 Hz  limiter.y: no response"), HasSubstr("1 Hz  lag.y: gain 0.998")));
}

TEST_F(FrequencyCommandTest, WritesATableAndDraws) {
  const fs::path table = folder_ / "t.csv", bode = folder_ / "b.svg";
  ASSERT_EQ(Run(mass_spring_, {"--input", "load.weight", "--output", "load.x", "--output", "load.v", "--from",
                               "0.5 Hz", "--to", "2 Hz", "--points", "3", "--amplitude", "10 N", "--steady",
                               "-o", table.string(), "--bode", bode.string()}),
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
  EXPECT_THAT(ReadAll(bode), AllOf(HasSubstr("Gain [dB re 1 m/N]"), HasSubstr("Gain [dB re 1 (m/s)/N]")));
  EXPECT_THAT(out_.str(), HasSubstr("0.5 Hz  load.x: gain 0.0033"));  // 1/(k - m w^2) = 1/(394.8 - 98.7)
}

TEST_F(FrequencyCommandTest, AllThatIsWrongIsToldTogether) {
  EXPECT_EQ(Run(mass_spring_, {"--input", "load.wait", "--output", "load.z", "--from", "1 m", "--to", "2 Hz",
                               "--amplitude", "many", "-o", "t.txt", "--bode", "b.gif"}),
            kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("--from 1 m: error: '1 m' is m"),
                                HasSubstr("--amplitude many: error: 'many' is not a number"),
                                HasSubstr("-o t.txt: error: a table is a .csv file"),
                                HasSubstr("--bode b.gif: error: a picture is"), HasSubstr("--input: error"),
                                HasSubstr("--output: error")));
}

}  // namespace
}  // namespace davit
