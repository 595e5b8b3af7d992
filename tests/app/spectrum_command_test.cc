#include "app/studies/spectrum_command.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "app/exit_code.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class SpectrumCommandTest : public testing::Test {
 protected:
  SpectrumCommandTest() {
    fs::create_directories(folder_);
    std::ofstream file(result_);
    file << "time,u,y\n";
    for (int i = 0; i < 1000; ++i) {
      const double t = i * 1e-3, angle = 2 * std::numbers::pi * 50 * t;
      file << fmt::format("{},{},{}\n", t, 2 * std::sin(angle), 3 + 0.5 * std::cos(angle));
    }
  }
  ~SpectrumCommandTest() override { fs::remove_all(folder_); }

  std::ostringstream out_, err_;
  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("spectrum_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  fs::path result_ = folder_ / "r.csv";
};

TEST_F(SpectrumCommandTest, PrintsTheHighestLines) {
  EXPECT_EQ(RunSpectrum({.result = result_, .signals = {"u", "y"}}, out_, err_), kDone) << err_.str();
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("1000 points, 0.001 s apart, window hann"), HasSubstr("50 Hz  2\n"),
                                HasSubstr("50 Hz  0.5\n")));
}

TEST_F(SpectrumCommandTest, WritesATableAndAPicture) {
  const fs::path table = folder_ / "t.csv", plot = folder_ / "p.svg";
  ASSERT_EQ(RunSpectrum({.result = result_,
                         .signals = {"y"},
                         .over = "u",
                         .segment = "0.2 s",
                         .table = table,
                         .plot = plot},
                        out_, err_),
            kDone)
      << err_.str();
  std::ifstream stream(table);
  std::string line;
  std::getline(stream, line);
  EXPECT_EQ(line, "frequency,y.gain,y.phase,y.coherence");
  EXPECT_THAT(ReadAll(plot), HasSubstr("Gain [dB]"));
}

TEST_F(SpectrumCommandTest, TheResultIsNotOverwritten) {
  const auto size = fs::file_size(result_);
  EXPECT_EQ(RunSpectrum({.result = result_, .signals = {"y"}, .table = result_}, out_, err_), kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("would overwrite it"));
  EXPECT_EQ(fs::file_size(result_), size);
  EXPECT_EQ(
      RunSpectrum({.result = result_, .signals = {"y"}, .table = folder_ / "none" / "t.csv"}, out_, err_),
      kWrongInput);
  EXPECT_THAT(err_.str(), HasSubstr("there is no folder"));
}

TEST_F(SpectrumCommandTest, AllThatIsWrongIsToldTogether) {
  EXPECT_EQ(RunSpectrum({.result = result_,
                         .signals = {"yy"},
                         .over = "v",
                         .is_density = true,
                         .window = "han",
                         .segment = "1 m",
                         .begin = "2 s",
                         .end = "1 s",
                         .overlap = 99,
                         .table = "t.txt",
                         .plot = "p.gif"},
                        out_, err_),
            kWrongInput);
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("SIGNAL: no signal is named 'yy'"), HasSubstr("--over: no signal is named 'v'"),
                    HasSubstr("--density: and --over exclude"), HasSubstr("did you mean 'hann'"),
                    HasSubstr("--segment: '1 m' is m"), HasSubstr("--begin: is not before --end")));
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("--overlap: 99 %"), HasSubstr("-o: 't.txt'"), HasSubstr("--plot: 'p.gif'")));
}

}  // namespace
}  // namespace davit
