// Linear models and frequency responses as studies of a file.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/studies/frequency_study.h"
#include "analysis/studies/linearization_study.h"
#include "analysis/studies/study_file.h"
#include "app/exit_code.h"
#include "app/program.h"
#include "components/register.h"
#include "results/csv_text.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// m x'' + c x' + k x = -weight, as systems/mass_spring.xml has it.
constexpr double kMassOfLinear = 10, kStiffnessOfLinear = 394.784;
double DampingOf(double c) { return c / (2 * std::sqrt(kStiffnessOfLinear * kMassOfLinear)); }

class LinearStudyTest : public testing::Test {
 protected:
  LinearStudyTest()
      : folder_(fs::path(testing::TempDir()) / fmt::format("davit_linear_study_test_{}", getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::copy_file(DAVIT_SOURCE_DIR "/systems/mass_spring.xml", folder_ / "mass_spring.xml");
  }
  ~LinearStudyTest() override { fs::remove_all(folder_); }

  int Run(const std::vector<std::string>& words) {
    std::vector<const char*> arguments{"davit"};
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::istringstream in;
    CommandContext context{registry_, in, out_, err_};
    return RunCommandLine(static_cast<int>(arguments.size()), arguments.data(), context);
  }
  std::string Write(const std::string& study) {
    std::ofstream(folder_ / "study.xml") << "<Study>" << study << "</Study>\n";
    return PathOf("study.xml");
  }
  std::string PathOf(const std::string& name) const { return (folder_ / name).string(); }
  /// The cells of a table, the head first.
  std::vector<std::vector<std::string>> TableOf(const std::string& name) const {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(ReadAll(folder_ / name));
    for (std::string line; std::getline(lines, line);) rows.push_back(SplitCsvLine(line));
    return rows;
  }

  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
  fs::path folder_;
};

TEST_F(LinearStudyTest, AFileHasTheFilesAndTheTextOfTheCommand) {
  const std::string file = Write(
      R"(<Linearize system="mass_spring.xml" output="a.csv" response="a_r.csv" bode="a_b.svg" poles="a_p.svg"
         no_zeros="true"><Input path="load.weight"/><Output path="load.x"/><Output path="load.v"/>
         <Set path="damper.coefficient" value="20 N.s/m"/></Linearize>)");
  ASSERT_EQ(Run({"study", file}), kDone) << err_.str();
  std::string of_file = out_.str();
  out_.str("");
  ASSERT_EQ(
      Run({"linearize", PathOf("mass_spring.xml"), "-o", PathOf("b.csv"), "--response", PathOf("b_r.csv"),
           "--bode", PathOf("b_b.svg"), "--poles", PathOf("b_p.svg"), "--no-zeros", "--inputs", "load.weight",
           "--outputs", "load.x", "--outputs", "load.v", "--set", "damper.coefficient=20 N.s/m"}),
      kDone)
      << err_.str();
  for (const char* const name : {".csv", ".csv.units", "_r.csv", "_r.csv.units", "_b.svg", "_p.svg"})
    EXPECT_EQ(ReadAll(folder_ / ("a" + std::string(name))), ReadAll(folder_ / ("b" + std::string(name))))
        << name;
  for (std::size_t at = 0; (at = of_file.find("/a", at)) != std::string::npos; at += 2)
    of_file.replace(at, 2, "/b");
  EXPECT_EQ(of_file, out_.str());
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("load.weight -> load.x: static gain -0.0025"),
                                HasSubstr("_r.csv: gain and phase")));
}

// Law: omega = sqrt(k/m), damping c/(2 sqrt(k m)).
TEST_F(LinearStudyTest, TheTableOfARootLocusHasEachModeOfEachValue) {
  const std::string file = Write(
      R"(<Linearize system="mass_spring.xml" output="t.csv" poles="p.svg">
         <Vary path="damper.coefficient" values="0:20 N.s/m:100 N.s/m"/></Linearize>)");
  ASSERT_EQ(Run({"study", file}), kDone) << err_.str();
  const auto rows = TableOf("t.csv");
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"damper.coefficient", "real", "imaginary", "frequency",
                                               "damping", "time_constant", "states"}));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double c = 20 * static_cast<double>(i - 1);
    EXPECT_DOUBLE_EQ(std::stod(rows[i][0]), c);
    EXPECT_NEAR(std::stod(rows[i][3]), std::sqrt(kStiffnessOfLinear / kMassOfLinear) / (2 * std::numbers::pi),
                1e-6);
    EXPECT_NEAR(std::stod(rows[i][4]), DampingOf(c), 1e-7);
    EXPECT_NEAR(std::stod(rows[i][1]), -c / (2 * kMassOfLinear), 1e-7);
  }
  EXPECT_THAT(ReadAll(folder_ / "t.csv.units"), HasSubstr("damper.coefficient,N.s/m"));
}

// Law: x/weight = -1/(k - m w^2 + i c w).
TEST_F(LinearStudyTest, TheTableOfAResponseHasGainAndPhase) {
  const std::string file = Write(
      R"(<Linearize system="mass_spring.xml" response="r.csv" from="0.1 Hz" to="10 Hz">
         <Input path="load.weight"/><Output path="load.x"/>
         <Set path="damper.coefficient" value="20 N.s/m"/></Linearize>)");
  ASSERT_EQ(Run({"study", file}), kDone) << err_.str();
  const auto rows = TableOf("r.csv");
  ASSERT_GT(rows.size(), 600U);
  EXPECT_EQ(rows[0][1], "load.weight -> load.x gain");
  EXPECT_DOUBLE_EQ(std::stod(rows[1][0]), 0.1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double w = 2 * std::numbers::pi * std::stod(rows[i][0]);
    const std::complex<double> exact =
        -1.0 / std::complex<double>(kStiffnessOfLinear - kMassOfLinear * w * w, 20 * w);
    ASSERT_NEAR(std::stod(rows[i][1]) / std::abs(exact), 1, 1e-6) << w;
    const double phase = std::stod(rows[i][2]) - std::arg(exact) * 180 / std::numbers::pi;
    ASSERT_NEAR(std::remainder(phase, 360), 0, 1e-4) << w;
  }
  EXPECT_THAT(ReadAll(folder_ / "r.csv.units"), HasSubstr("load.weight -> load.x gain,m/N"));
}

TEST_F(LinearStudyTest, AMeasurementThatIsStoppedKeepsWhatItHas) {
  FrequencyStudyOptions options;
  options.system = folder_ / "mass_spring.xml";
  options.simulation.is_steady = true;
  options.input = "load.weight";
  options.outputs = {"load.x"};
  options.from = VariationText{"1 Hz"};
  options.to = VariationText{"4 Hz"};
  options.amplitude = VariationText{"10 N"};
  options.points = 5;
  options.table = folder_ / "f.csv";
  FrequencyStudy study(options);
  Diagnostics diagnostics;
  study.Check(registry_, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics);
  std::stop_source stop;
  EXPECT_THROW(study.Run({.stop = stop.get_token(),
                          .progress =
                              [&](std::uint64_t done, std::uint64_t all, const std::string& /*what*/) {
                                EXPECT_EQ(all, 5U);
                                if (done == 2) stop.request_stop();
                              }}),
               std::runtime_error);
  EXPECT_TRUE(study.has_result());
  EXPECT_EQ(TableOf("f.csv").size(), 3U);
  EXPECT_EQ(study.result().points.size(), 2U);
}

TEST_F(LinearStudyTest, ARootLocusThatIsStoppedKeepsWhatItHas) {
  LinearizationOptions options;
  options.system = folder_ / "mass_spring.xml";
  options.vary = {{"damper.coefficient=1:1:50"}};
  options.files = {folder_ / "t.csv"};
  LinearizationStudy study(options);
  Diagnostics diagnostics;
  study.Check(registry_, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics);
  std::stop_source stop;
  study.Run({.stop = stop.get_token(),
             .progress = [&](std::uint64_t done, std::uint64_t /*all*/, const std::string& /*what*/) {
               if (done == 3) stop.request_stop();
             }});
  EXPECT_FALSE(study.result().is_complete);
  EXPECT_EQ(study.result().cases.size(), 3U);
  EXPECT_EQ(TableOf("t.csv").size(), 4U);
}

TEST_F(LinearStudyTest, WhatIsWrongIsSaidWithItsLineInOnePass) {
  const std::string file = Write(R"(
<Linearize system="mass_spring.xml" bode="b.svg" at="1 m"><Vary path="load.mass" values="1,2"/>
<Output path="lode.x"/></Linearize>
<Frequency system="mass_spring.xml" from="2 Hz" to="1 Hz" amplitude="1 N"><Input path="load.x"/>
<Output path="load.y"/></Frequency>)");
  EXPECT_EQ(Run({"study", file}), kWrongInput);
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("study.xml:2: error: '1 m' is m, but s is needed"),
                    HasSubstr("study.xml:2: error: bode shows one model, and <Vary> makes several"),
                    HasSubstr("study.xml:4: error: to: is below"), HasSubstr("study.xml:4: error: <Input>: "),
                    HasSubstr("study.xml:4: error: <Output>: "), HasSubstr("lode")));
  err_.str("");
  EXPECT_EQ(Run({"study", Write(R"(<Frequency system="mass_spring.xml" from="1 Hz" to="2 Hz" amplitude="1 N">
<Input path="load.weight"/><Input path="load.weight"/></Frequency>)")}),
            kWrongInput);
  EXPECT_THAT(err_.str(),
              AllOf(HasSubstr("study.xml:2: error: <Frequency> has a second <Input>; leave one"),
                    HasSubstr("study.xml:1: error: <Frequency> has no <Output>; write <Output path=")));
  err_.str("");
  EXPECT_EQ(Run({"study", Write(R"(<Linearize system="mass_spring.xml" bode="b.svg"/>)")}), kWrongInput);
  EXPECT_THAT(err_.str(),
              HasSubstr("there is no input of which a response could be drawn; give <Input path="));
}

}  // namespace
}  // namespace davit
