// `davit optimize` and `davit fit` as a user meets them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/study/portable_random.h"
#include "app/fit_command.h"
#include "app/optimize_command.h"
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
    study.is_quiet = true;
    for (const std::string& text : vary) study.vary.push_back({text, OptionPlace("--vary", text)});
  }
  int Optimize(const OptimizeOptions& options) {
    out_.str("");
    err_.str("");
    return RunOptimize(options, registry_, out_, err_);
  }
  int Fit(const FitOptions& options) {
    out_.str("");
    err_.str("");
    return RunFit(options, registry_, out_, err_);
  }
  static std::string ReadFile(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  /// The free oscillation of 12 kg with a damper of 9 N s/m, x(0) = 0.1 m, and noise.
  fs::path WriteData(double noise, std::uint64_t seed, double ahead = 0) const {
    constexpr double kMass = 12, kRate = 394.784, kDamping = 9;
    const double decay = kDamping / (2 * kMass);
    const double w = std::sqrt(kRate / kMass - decay * decay);
    const fs::path file = folder_ / "data.csv";
    std::ofstream data(file);
    data.precision(17);
    data << "time,x\n";
    PortableRandom random(seed);
    for (int i = 0; i <= 50; ++i) {
      const double t = 0.2 + 0.05 * i;
      const double x = 0.1 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
      data << t + ahead << ',' << x + noise * random.Normal() << '\n';
    }
    return file;
  }

  fs::path folder_;
  Registry registry_ = AllModels();
  std::ostringstream out_, err_;
};

TEST_F(StudyCommandTest, OptimumAtABoundIsTold) {
  OptimizeOptions options;
  Begin(options.study, {"damper.coefficient=1 N.s/m:40 N.s/m"});
  options.goals = {{.text = "rms(load.x)"}};
  EXPECT_EQ(Optimize(options), kDone) << err_.str();
  EXPECT_THAT(err_.str(), HasSubstr("damper.coefficient is at its upper bound, 40 N.s/m"));
}

TEST_F(StudyCommandTest, AnInterruptedSearchContinuesToTheSameTable) {
  OptimizeOptions options;
  Begin(options.study, {"damper.coefficient=1 N.s/m:1000 N.s/m log"});
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
  OptimizeOptions options;
  Begin(options.study, {"load.mass=20 kg:5 kg", "load.mas=1:2"});
  options.goals = {{.text = "rms(load.y)"}};
  options.constraints = {{"max(load.x)"}, {"max(load.x) <= 3 bar"}};
  options.output = folder_ / "table.txt";
  EXPECT_EQ(Optimize(options), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("wrong way round"), HasSubstr("did you mean 'mass'?"),
                                HasSubstr("neither '<=' nor '>='"), HasSubstr("a .csv file")));
}

TEST_F(StudyCommandTest, ParametersAreFoundWithinTwoStandardErrors) {
  FitOptions options;
  Begin(options.study, {"load.mass=5 kg:20 kg", "damper.coefficient=1 N.s/m:50 N.s/m"});
  options.matches = {{"load.x=x"}};
  int hits = 0;
  constexpr int kSeeds = 100;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    options.data = WriteData(0.002, static_cast<std::uint64_t>(seed));
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
  Begin(options.study, {"load.mass=5 kg:20 kg", "damper.coefficient=1 N.s/m:50 N.s/m"});
  options.matches = {{"load.x=x:1000"}};
  options.offset = "-0.1 s:0.15 s";
  options.data = WriteData(0, 1, 0.04);
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
  Begin(options.study,
        {"load.mass=5 kg:20 kg", "damper.coefficient=1 N.s/m:50 N.s/m", "spring.stiffness=200 N/m:800 N/m"});
  options.matches = {{"load.x=x"}};
  options.data = WriteData(0.001, 3);
  Fit(options);
  EXPECT_THAT(err_.str(), HasSubstr("load.mass, damper.coefficient, spring.stiffness cannot be told apart"));
}

/// Two sensors of one signal: with the same data twice the sum of squares doubles, the optimum stays, and
/// the standard error falls by sqrt((n - 1)/(2 n - 1)) of one with n values and 1 unknown.
TEST_F(StudyCommandTest, OneSignalMayFollowTwoColumns) {
  FitOptions options;
  Begin(options.study, {"load.mass=5 kg:20 kg"});
  options.data = WriteData(0.002, 7);
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
  OptimizeOptions options;
  Begin(options.study, {"load.mass=5 kg:20 kg"});
  options.goals = {{.text = "crossing(load.x, 1000 m)"}};
  options.budget = 5;
  EXPECT_EQ(Optimize(options), kRunFailed);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("failed"), Not(HasSubstr("converged"))));
  EXPECT_THAT(err_.str(), HasSubstr("no case has given a value"));
}

TEST_F(StudyCommandTest, WrongDataAreToldInOnePass) {
  FitOptions options;
  Begin(options.study, {"load.mass=5 kg:20 kg"});
  options.data = folder_ / "gaps.csv";
  std::ofstream(options.data) << "time,x,p\n0,0.1,nan\n1,nan,nan\n9,0.2,nan\n";
  options.matches = {{"load.x=x"}, {"load.x=y"}, {"load.y=x"}, {"load.x=p"}, {"load.x=x:-1"}};
  EXPECT_EQ(Fit(options), kWrongInput);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("1 of 3 rows have no number"), HasSubstr("no column 'y'"),
                                HasSubstr("no variable 'y'"), HasSubstr("the column has no values"),
                                HasSubstr("is no weight"), HasSubstr("the run is from 0 s to 3 s")));
}

}  // namespace
}  // namespace davit
