// `davit optimize` and `davit fit` as a user meets them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/studies/fit_study.h"
#include "analysis/studies/optimization_study.h"
#include "analysis/study/portable_random.h"
#include "app/exit_code.h"
#include "app/studies/study_run.h"
#include "components/register.h"
#include "framework/xml/schedule_reader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class StudyCommandTest : public testing::Test {
 protected:
  StudyCommandTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_study_command_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~StudyCommandTest() override { fs::remove_all(folder_); }

  static void Begin(StudyOptions& study, const std::vector<std::string>& vary) {
    study.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "mass_spring.xml";
    study.stop = "3 s";
    study.workers = 1;
    for (const std::string& text : vary) study.vary.push_back({text, OptionPlace("--vary", text)});
  }
  int Optimize(const OptimizationOptions& options) {
    out_.str("");
    err_.str("");
    OptimizationStudy study(options);
    return RunStudy(study, true, registry_, out_, err_);
  }
  int Fit(const FitOptions& options) {
    out_.str("");
    err_.str("");
    FitStudy study(options);
    return RunStudy(study, true, registry_, out_, err_);
  }
  static std::string ReadFile(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  /// The free oscillation of 12 kg with a damper of 9 N s/m, x(0) = 0.1 m, and noise.
  fs::path WriteData(double noise, std::uint64_t seed, double ahead = 0, const std::string& name = "data.csv",
                     double start = 0.1, double mass = 12) const {
    constexpr double kRate = 394.784, kDamping = 9;
    const double decay = kDamping / (2 * mass);
    const double w = std::sqrt(kRate / mass - decay * decay);
    const fs::path file = folder_ / name;
    std::ofstream data(file);
    data.precision(17);
    data << "time,x\n";
    PortableRandom random(seed);
    for (int i = 0; i <= 50; ++i) {
      const double t = 0.2 + 0.05 * i;
      const double x = start * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
      data << t + ahead << ',' << x + noise * random.Normal() << '\n';
    }
    return file;
  }

  fs::path folder_;
  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
};

TEST_F(StudyCommandTest, OptimumAtABoundIsTold) {
  OptimizationOptions options;
  Begin(options, {"damper.coefficient=1 N.s/m:40 N.s/m"});
  options.goals = {{.text = "rms(load.x)"}};
  EXPECT_EQ(Optimize(options), kDone) << err_.str();
  EXPECT_THAT(err_.str(), HasSubstr("damper.coefficient is at its upper bound, 40 N.s/m"));
}

TEST_F(StudyCommandTest, AnInterruptedSearchContinuesToTheSameTable) {
  OptimizationOptions options;
  Begin(options, {"damper.coefficient=1 N.s/m:1000 N.s/m log"});
  options.goals = {{.text = "rms(load.x)"}};
  options.constraints = {{"max(abs(load.acceleration)) <= 3.95 m/s2"}};
  options.output = folder_ / "whole.csv";
  ASSERT_EQ(Optimize(options), kDone) << err_.str();
  const std::string whole = out_.str();
  EXPECT_THAT(whole, AllOf(HasSubstr("converged"), HasSubstr("active")));
  options.output = folder_ / "part.csv";
  options.budget = 11;
  Optimize(options);
  options.budget = 500;
  options.is_resumed = true;
  ASSERT_EQ(Optimize(options), kDone) << err_.str();
  EXPECT_EQ(out_.str(), whole);
}

TEST_F(StudyCommandTest, WrongSearchesAreToldInOnePass) {
  OptimizationOptions options;
  Begin(options, {"load.mass=20 kg:5 kg", "load.mas=1:2"});
  options.goals = {{.text = "rms(load.y)"}};
  options.constraints = {{"max(load.x)"}, {"max(load.x) <= 3 bar"}};
  options.output = folder_ / "table.txt";
  EXPECT_EQ(Optimize(options), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("wrong way round"), HasSubstr("did you mean 'mass'?"),
                                HasSubstr("neither '<=' nor '>='"), HasSubstr("a .csv file")));
}

TEST_F(StudyCommandTest, ParametersAreFoundWithinTwoStandardErrors) {
  FitOptions options;
  Begin(options, {"load.mass=5 kg:20 kg", "damper.coefficient=1 N.s/m:50 N.s/m"});
  options.matches = {{"load.x=x"}};
  int hits = 0;
  constexpr int kSeeds = 100;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    options.data = {WriteData(0.002, static_cast<std::uint64_t>(seed))};
    ASSERT_EQ(Fit(options), kDone) << err_.str();
    std::istringstream text(out_.str());
    for (std::string name; text >> name;) {
      double value = 0, error = 0;
      if (name != "load.mass" && name != "damper.coefficient") continue;
      text >> value >> error;
      hits += std::abs(value - (name == "load.mass" ? 12 : 9)) < 2 * error ? 1 : 0;
      if (name == "damper.coefficient") break;  // below come the correlations
    }
  }
  EXPECT_GE(hits, 2 * kSeeds * 9 / 10);
}

TEST_F(StudyCommandTest, TheClockOfTheDataIsFound) {
  FitOptions options;
  Begin(options, {"load.mass=5 kg:20 kg", "damper.coefficient=1 N.s/m:50 N.s/m"});
  options.matches = {{"load.x=x:1000"}};
  options.offset = "-0.1 s:0.15 s";
  options.data = {WriteData(0, 1, 0.04)};
  ASSERT_EQ(Fit(options), kDone) << err_.str();
  std::istringstream text(out_.str());
  std::string word;
  while (text >> word && word != "offset") {
  }
  double offset = 0;
  text >> offset;
  // Straight lines between rows 10 ms apart are wrong by x'' h^2 / 8 = 4e-5 m, which the largest speed, 0.57
  // m/s, passes in 7e-5 s.
  EXPECT_NEAR(offset, 0.04, 1e-4);
}

TEST_F(StudyCommandTest, WhatDataCannotTellApartIsNamed) {
  FitOptions options;
  Begin(options,
        {"load.mass=5 kg:20 kg", "damper.coefficient=1 N.s/m:50 N.s/m", "spring.stiffness=200 N/m:800 N/m"});
  options.matches = {{"load.x=x"}};
  options.data = {WriteData(0.001, 3)};
  Fit(options);
  EXPECT_THAT(err_.str(), HasSubstr("load.mass, damper.coefficient, spring.stiffness cannot be told apart"));
}

/// Two sensors of one signal: with the same data twice the sum of squares doubles, the optimum stays, and
/// the standard error falls by sqrt((n - 1)/(2 n - 1)) of one with n values and 1 unknown.
TEST_F(StudyCommandTest, OneSignalMayFollowTwoColumns) {
  FitOptions options;
  Begin(options, {"load.mass=5 kg:20 kg"});
  options.data = {WriteData(0.002, 7)};
  const auto fit = [&] {
    EXPECT_EQ(Fit(options), kDone) << err_.str();
    std::istringstream text(out_.str());
    std::string word;
    while (text >> word && word != "load.mass") {
    }
    std::pair<double, double> found;  // value, standard error
    text >> found.first >> found.second;
    return found;
  };
  options.matches = {{"load.x=x"}};
  const auto [once, error_once] = fit();
  options.matches = {{"load.x=x"}, {"load.x=x"}};
  const auto [twice, error_twice] = fit();
  EXPECT_NEAR(twice, once, 0.01 * error_once);
  constexpr double kValues = 51;
  EXPECT_NEAR(error_twice / error_once, std::sqrt((kValues - 1) / (2 * kValues - 1)),
              0.01);  // shown with 3 digits
}

TEST_F(StudyCommandTest, ASearchWithoutAnyValueHasFailed) {
  OptimizationOptions options;
  Begin(options, {"load.mass=5 kg:20 kg"});
  options.goals = {{.text = "crossing(load.x, 1000 m)"}};
  options.budget = 5;
  EXPECT_EQ(Optimize(options), kRunFailed);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("failed"), Not(HasSubstr("converged"))));
  EXPECT_THAT(err_.str(), HasSubstr("no case has given a value"));
}

TEST_F(StudyCommandTest, WrongDataAreToldInOnePass) {
  FitOptions options;
  Begin(options, {"load.mass=5 kg:20 kg"});
  options.data = {folder_ / "gaps.csv"};
  std::ofstream(options.data[0]) << "time,x,p\n0,0.1,nan\n1,,\n9,0.2,nan\n";
  options.matches = {{"load.x=x"}, {"load.x=y"}, {"load.y=x"}, {"load.x=p"}, {"load.x=x:-1"}};
  EXPECT_EQ(Fit(options), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("1 of 3 rows have no number"), HasSubstr("no column 'y'"),
                                HasSubstr("no variable 'y'"), HasSubstr("the column has no values"),
                                HasSubstr("is not a weight"), HasSubstr("the run is from 0 s to 3 s")));
}

/// The value, standard error and bounds of a parameter of the report.
std::array<double, 4> Reported(const std::string& report, const std::string& parameter) {
  std::istringstream text(report);
  std::string word;
  while (text >> word && word != parameter) {
  }
  std::array<double, 4> numbers{};
  for (double& number : numbers) text >> number;
  return numbers;
}

TEST_F(StudyCommandTest, SeveralExperimentsAreFittedWithTheirOwnStarts) {
  // 12 and 15 kg with one damper: the mass is known of each, the damping and stiffness are of both.
  FitOptions options;
  Begin(options, {"spring.stiffness=200 N/m:800 N/m", "damper.coefficient=1 N.s/m:50 N.s/m"});
  options.matches = {{"load.x=x"}};
  options.per_data = {{"load.mass=12 kg,15 kg"}, {"load.x=0.1 m,0.05 m"}};
  const auto first = [&](std::uint64_t seed) { return WriteData(0.001, seed, 0, "a.csv", 0.1, 12); };
  const auto second = [&](std::uint64_t seed) { return WriteData(0.001, seed, 0, "b.csv", 0.05, 15); };
  int hits = 0;
  constexpr int kSeeds = 40;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    options.data = {first(number), second(number + 1000)};
    ASSERT_EQ(Fit(options), kDone) << err_.str();
    const auto of_stiffness = Reported(out_.str(), "spring.stiffness");
    const auto of_damper = Reported(out_.str(), "damper.coefficient");
    hits += of_stiffness[2] <= 394.784 && 394.784 <= of_stiffness[3] ? 1 : 0;
    hits += of_damper[2] <= 9 && 9 <= of_damper[3] ? 1 : 0;
  }
  // Of 80 bounds of 95 % confidence 76 hold; fewer than 70 have a probability of 0.1 %.
  EXPECT_GE(hits, 70);
}

TEST_F(StudyCommandTest, AnExperimentTwiceIsTheSameFitWithSmallerErrors) {
  FitOptions options;
  Begin(options, {"load.mass=5 kg:20 kg"});
  options.matches = {{"load.x=x"}};
  options.data = {WriteData(0.002, 7)};
  ASSERT_EQ(Fit(options), kDone) << err_.str();
  const auto once = Reported(out_.str(), "load.mass");
  options.data.push_back(options.data[0]);
  options.output = folder_ / "curves.csv";
  ASSERT_EQ(Fit(options), kDone) << err_.str();
  const auto twice = Reported(out_.str(), "load.mass");
  EXPECT_NEAR(twice[0], once[0], 0.01 * once[1]);
  constexpr double kValues = 51;
  EXPECT_NEAR(twice[1] / once[1], std::sqrt((kValues - 1) / (2 * kValues - 1)), 0.01);
  EXPECT_EQ(ReadFile(folder_ / "curves_1.csv"), ReadFile(folder_ / "curves_2.csv"));
}

TEST_F(StudyCommandTest, WrongExperimentsAreToldInOnePass) {
  FitOptions options;
  Begin(options, {"load.mass=5 kg:20 kg"});
  options.matches = {{"load.x=x"}};
  options.data = {WriteData(0, 1), WriteData(0, 1, 0, "b.csv")};
  options.per_data = {{"load.mass=5 kg,6 kg"}, {"damper.coefficient=5 N.s/m"}, {"load.y=1,2"}};
  EXPECT_EQ(Fit(options), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("load.mass is given twice"), HasSubstr("1 value for 2 files"),
                                HasSubstr("/load: ")));
}

TEST_F(StudyCommandTest, OneOutlierDoesNotMoveARobustFit) {
  FitOptions options;
  Begin(options, {"load.mass=5 kg:20 kg", "damper.coefficient=1 N.s/m:50 N.s/m"});
  options.matches = {{"load.x=x"}};
  options.data = {WriteData(0.002, 3)};
  std::ofstream(options.data[0], std::ios::app) << "2.9,55\n2.95,\n";
  ASSERT_EQ(Fit(options), kDone) << err_.str();
  EXPECT_THAT(err_.str(), HasSubstr("is at its"));  // least squares
  options.search.loss = Loss::kHuber;
  ASSERT_EQ(Fit(options), kDone) << err_.str();
  EXPECT_THAT(err_.str(), Not(HasSubstr("is at its")));
  EXPECT_THAT(out_.str(), HasSubstr("huber, scale "));
  for (const auto& [name, truth] : {std::pair("load.mass", 12.0), std::pair("damper.coefficient", 9.0)}) {
    const auto found = Reported(out_.str(), name);
    EXPECT_NEAR(found[0], truth, 4 * found[1]) << name;
  }
}

TEST_F(StudyCommandTest, AnInfeasibleSearchSaysSoFirst) {
  OptimizationOptions options;
  Begin(options, {"damper.coefficient=1 N.s/m:40 N.s/m"});
  options.goals = {{.text = "rms(load.x)"}};
  options.constraints = {{"max(load.x) <= 0.05 m"}};  // it begins at 0.1 m
  options.budget = 60;
  EXPECT_EQ(Optimize(options), kRunFailed);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("no feasible point found"), Not(HasSubstr("converged")),
                                HasSubstr("exceeded by 0.05 m"), HasSubstr("nearest case")));
}

TEST_F(StudyCommandTest, LevelsAndWholeNumbersAreSearched) {
  OptimizationOptions options;
  Begin(options, {"cylinder.level=Ideal,Standard", "load.mass=8 t,9 t,10 t"});
  options.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml";
  options.stop = "1 s";
  options.goals = {{.text = "max(load.x)"}};
  options.output = folder_ / "search.csv";
  ASSERT_EQ(Optimize(options), kDone) << err_.str();
  EXPECT_THAT(out_.str(), HasSubstr("converged"));
  // The table has each of the six cases once, and the best one is its smallest.
  std::ifstream table(*options.output);
  std::string line;
  std::getline(table, line);
  std::vector<std::pair<double, std::string>> cases;  // the objective, and what sets the values
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    std::string number, level, mass, value;
    for (std::string* cell : {&number, &level, &mass, &value}) std::getline(cells, *cell, ',');
    cases.emplace_back(std::stod(value), "--set cylinder.level=" + level + " --set load.mass=" + mass);
  }
  EXPECT_EQ(cases.size(), 6U);
  EXPECT_THAT(out_.str(), HasSubstr(std::ranges::min(cases).second));
  const std::string whole = out_.str();
  options.is_resumed = true;
  ASSERT_EQ(Optimize(options), kDone) << err_.str();
  EXPECT_EQ(out_.str(), whole);
}

TEST_F(StudyCommandTest, WrongChoicesAreToldInOnePass) {
  OptimizationOptions options;
  Begin(options, {"load.level=Ideal", "load.mass=1 kg,2 kg log", "spring.stiffness=200 N/m,700 bar"});
  options.goals = {{.text = "rms(load.x)"}};
  EXPECT_EQ(Optimize(options), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("a list, which has no logarithm"), HasSubstr("700 bar")));
}

}  // namespace
}  // namespace davit
