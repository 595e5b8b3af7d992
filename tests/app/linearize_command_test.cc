#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/studies/linearization_study.h"
#include "app/exit_code.h"
#include "app/program.h"
#include "components/register.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class LinearizeCommandTest : public testing::Test {
 protected:
  LinearizeCommandTest() { fs::create_directories(folder_); }
  ~LinearizeCommandTest() override { fs::remove_all(folder_); }
  /// The command, with the mass on the spring and these words behind it.
  int Run(const std::vector<std::string>& words) {
    std::vector<const char*> arguments{"davit", "linearize", mass_spring_.c_str()};
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
      (std::string("linearize_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  const fs::path mass_spring_ = DAVIT_SOURCE_DIR "/systems/mass_spring.xml";
};

TEST_F(LinearizeCommandTest, PrintsTheModes) {
  EXPECT_EQ(Run({}), kDone) << err_.str();
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("at 0 s: 2 states, 0 inputs, 5 outputs"),
                                HasSubstr("eigenvalue [1/s]  frequency [Hz]  damping"),
                                HasSubstr("-0.3 +- 6.27602j"), HasSubstr("load.x 50 %, load.v 50 %")));
}

TEST_F(LinearizeCommandTest, WritesTheMatricesAndDraws) {
  const fs::path json = folder_ / "a.json", mat = folder_ / "a.mat", bode = folder_ / "bode.svg",
                 poles = folder_ / "poles.svg", step = folder_ / "step.svg",
                 nyquist = folder_ / "nyquist.svg";
  ASSERT_EQ(Run({"--inputs", "load.weight", "--outputs", "load.x", "-o", json.string(), "-o", mat.string(),
                 "--bode", bode.string(), "--nyquist", nyquist.string(), "--step", step.string(), "--poles",
                 poles.string()}),
            kDone)
      << err_.str();
  std::ifstream stream(json);
  const nlohmann::json model = nlohmann::json::parse(stream);
  EXPECT_EQ(model["states"], (nlohmann::json{"load.x", "load.v"}));
  EXPECT_EQ(model["inputs"], nlohmann::json{"load.weight"});
  EXPECT_NEAR(model["A"][1][0].get<double>(), -39.4784, 1e-7);
  EXPECT_NEAR(std::abs(model["B"][1][0].get<double>()), 0.1, 1e-9);
  ASSERT_EQ(model["eigenvalues"].size(), 2U);
  EXPECT_NEAR(model["eigenvalues"][0][0].get<double>(), -0.3, 1e-8);
  for (const fs::path& file : {mat, bode, poles, step, nyquist}) EXPECT_GT(fs::file_size(file), 500U) << file;
  EXPECT_THAT(ReadAll(bode), HasSubstr("Gain [dB re 1 m/N]"));
  EXPECT_THAT(err_.str(), IsEmpty());
}

TEST_F(LinearizeCommandTest, VariesAParameter) {
  ASSERT_EQ(Run({"--vary", "damper.coefficient=0 N.s/m:6 N.s/m:12 N.s/m"}), kDone) << err_.str();
  EXPECT_THAT(out_.str(),
              AllOf(HasSubstr("damper.coefficient = 0 "), HasSubstr("-0.3 +- "), HasSubstr("-0.6 +- ")));
}

// m x'' + c x' + k x = -weight: static gain -1/k, so a gain of k is the margin.
TEST_F(LinearizeCommandTest, WritesTheFamilyOfModels) {
  const fs::path file = folder_ / "family.json";
  ASSERT_EQ(Run({"--inputs", "load.weight", "--outputs", "load.x", "--outputs", "load.v", "-o", file.string(),
                 "--vary", "damper.coefficient=0 N.s/m:6 N.s/m:12 N.s/m"}),
            kDone)
      << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("family.json: 3 linear models"));
  std::ifstream stream(file);
  const nlohmann::json family = nlohmann::json::parse(stream);
  EXPECT_EQ(family["varied"]["path"], "damper.coefficient");
  EXPECT_EQ(family["varied"]["unit"], "N.s/m");
  ASSERT_EQ(family["models"].size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    const nlohmann::json& model = family["models"][i];
    const double c = 6.0 * static_cast<double>(i);
    EXPECT_EQ(model["value"], c);
    EXPECT_NEAR(model["A"][1][1].get<double>(), -c / 10, 1e-7);
    ASSERT_EQ(model["pairs"].size(), 2U);
    const nlohmann::json& place = model["pairs"][0];
    EXPECT_EQ(place["output"], "load.x");
    EXPECT_NEAR(place["static_gain"].get<double>() * -394.784, 1, 1e-8);
    EXPECT_TRUE(place["zeros"].empty());
    EXPECT_NEAR(place["gain_margin"].get<double>() / 394.784, 1, 1e-8);
    EXPECT_EQ(place["gain_margin_frequency"], 0);
    EXPECT_EQ(model["pairs"][1]["zeros"], nlohmann::json::parse("[[0, 0]]"));
    EXPECT_EQ(model["pairs"][1]["static_gain"], 0);
  }
}

TEST_F(LinearizeCommandTest, ZerosAndMarginsCanBeLeftOut) {
  const fs::path file = folder_ / "model.json";
  ASSERT_EQ(Run({"--inputs", "load.weight", "--outputs", "load.v", "-o", file.string(), "--no-zeros",
                 "--no-margins"}),
            kDone)
      << err_.str();
  std::ifstream stream(file);
  const nlohmann::json model = nlohmann::json::parse(stream);
  EXPECT_EQ(model["pairs"],
            nlohmann::json::parse(R"([{"input": "load.weight", "output": "load.v", "static_gain": 0}])"));
  EXPECT_THAT(out_.str(),
              AllOf(HasSubstr("load.weight -> load.v: static gain 0\n"), Not(HasSubstr("zeros"))));
}

TEST_F(LinearizeCommandTest, WhatHoldsOneModelIsRefusedForSeveral) {
  EXPECT_EQ(Run({"-o", (folder_ / "a.mat").string(), "--bode", (folder_ / "b.svg").string(), "--nyquist",
                 (folder_ / "n.svg").string(), "--step", (folder_ / "s.svg").string(), "--vary",
                 "damper.coefficient=0,6"}),
            kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("a .mat file holds one model, and --vary makes several"),
                                HasSubstr("--bode"), HasSubstr("--nyquist"), HasSubstr("--step")));
}

TEST_F(LinearizeCommandTest, AllThatIsWrongIsToldTogether) {
  EXPECT_EQ(Run({"--at", "5 m", "--inputs", "load.wait", "--outputs", "lode.x", "-o", "a.txt", "--from",
                 "-1 Hz", "--bode", "b.gif", "--vary", "load.mass"}),
            kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("--at 5 m: error: '5 m' is m, but s is needed"),
                                HasSubstr("-o a.txt: error: 'a.txt' is not a file of a linear model"),
                                HasSubstr("--bode b.gif: error: a picture is a .svg or .png file"),
                                HasSubstr("--vary load.mass: error: 'load.mass' has no '='"),
                                HasSubstr("--from -1 Hz: error: '-1 Hz' is not above 0"),
                                HasSubstr("--inputs: error"), HasSubstr("lode")));
  EXPECT_EQ(Run({"--pade", "99"}), kWrongInput);
}

}  // namespace
}  // namespace davit
