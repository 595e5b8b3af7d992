#include "analysis/study/optimization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "analysis/study/population_search.h"
#include "components/register.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Fault FaultOf(OptimizationMethod method, const Objective& objective) {
  return FaultOfMethod(method, objective.variables(), objective.layout());
}

/// Functions of parameters a, b ... of a user.Equation, in a system that takes one step.
class FunctionSystem {
 public:
  /// `functions`: expressions, measured in their order. The search begins at `start` between the bounds.
  FunctionSystem(const std::vector<std::string>& functions, std::vector<double> start, double low,
                 double high) {
    static int number = 0;
    file_ = fs::path(testing::TempDir()) /
            ("davit_optimization_" + std::to_string(getpid()) + "_" + std::to_string(++number) + ".xml");
    std::ofstream file(file_);
    file << "<System name=\"s\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"10 ms\"/><user.Equation "
            "name=\"f\">";
    for (std::size_t i = 0; i < start.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      file << "<Parameter name=\"" << name << "\" value=\"" << start[i] << "\"/>";
      variables_.push_back(
          {.item = {.path = "f." + name, .is_live = true}, .low = low, .high = high, .start = start[i]});
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const std::string name = "y" + std::to_string(i);
      file << "<Output name=\"" << name << "\" expr=\"" << functions[i] << "\"/>";
      setup_.measures.push_back({"m" + std::to_string(i), "final(f." + name + ")", {}});
    }
    file << "</user.Equation></System>\n";
    setup_.system = file_;
    setup_.options.log = [](RunLog::Severity, std::string_view) {};
    for (const BoundedVariation& variable : variables_) setup_.items.push_back(variable.item);
  }
  ~FunctionSystem() { fs::remove(file_); }

  void AddConstraint(std::size_t left, std::size_t right) {
    layout_.constraints.push_back({left, right, true});
  }
  /// The variable number i is one of these; the first is where the search begins.
  void SetChoices(std::size_t i, const std::vector<double>& numbers) {
    for (const double number : numbers) variables_[i].choices.push_back({.number = number});
    variables_[i].start = 0;
  }
  void set_objectives(std::size_t count) {
    layout_.objectives = count;
    layout_.signs.assign(count, 1);
  }

  /// A search of its own, with the cases that are known.
  std::unique_ptr<Objective> Make(std::uint64_t budget, unsigned workers = 1) {
    pool_ = std::make_unique<CasePool>(setup_, registry_, workers);
    return std::make_unique<Objective>(
        *pool_, variables_, layout_, budget,
        [this](std::uint64_t number, std::span<const CaseValue> values, const CaseResult& result) {
          cases.push_back({number, {values.begin(), values.end()}, result});
        },
        stop_);
  }

  struct Case {
    std::uint64_t number;
    std::vector<CaseValue> values;
    CaseResult result;
  };
  std::vector<Case> cases;

 private:
  fs::path file_;
  Registry registry_ = AllModels();
  CaseSetup setup_;
  std::vector<BoundedVariation> variables_;
  Objective::Layout layout_;
  std::unique_ptr<CasePool> pool_;
  std::stop_token stop_;
};

constexpr const char* kSphere = "(a-0.3)*(a-0.3) + (b+0.4)*(b+0.4) + (c-0.1)*(c-0.1)";
constexpr const char* kRosenbrock = "100*(b-a*a)*(b-a*a) + (1-a)*(1-a)";
constexpr const char* kBeale = "pow(1.5-a+a*b, 2) + pow(2.25-a+a*b*b, 2) + pow(2.625-a+a*b*b*b, 2)";
constexpr const char* kBooth = "pow(a+2*b-7, 2) + pow(2*a+b-5, 2)";
constexpr const char* kRastrigin =
    "20 + a*a - 10*cos(6.283185307179586*a) + b*b - 10*cos(6.283185307179586*b)";

/// The best point.
std::vector<double> NumbersOf(const Objective& objective) {
  std::vector<double> numbers;
  for (const CaseValue& value : objective.ToValues(objective.best()->u)) numbers.push_back(value.number);
  return numbers;
}

std::vector<double> Search(FunctionSystem& system, OptimizationMethod method, std::uint64_t budget = 5000,
                           double tolerance = 1e-7) {
  const auto objective = system.Make(budget);
  EXPECT_TRUE(FaultOf(method, *objective).is_empty());
  Optimize(*objective, method, objective->StartPoint(), tolerance, 1);
  return NumbersOf(*objective);
}

void ExpectNear(const std::vector<double>& have, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(have.size(), wanted.size());
  for (std::size_t i = 0; i < have.size(); ++i) EXPECT_NEAR(have[i], wanted[i], tolerance) << i;
}

// Five functions of the field with their known minima. A minimum of value noise 1e-16 is found to 1e-8 of the
// range, that of Rosenbrock, whose valley is curved with a ratio of 2500, to 50 times as much.
TEST(OptimizationTest, SphereIsFoundByAllMethods) {
  using enum OptimizationMethod;
  for (const OptimizationMethod method : {kAuto, kNelderMead, kBobyqa, kCobyla, kSlsqp, kDe, kCmaes}) {
    FunctionSystem system({kSphere}, {2, 2, 2}, -3, 3);
    ExpectNear(Search(system, method), {0.3, -0.4, 0.1}, 1e-5);
  }
}

TEST(OptimizationTest, RosenbrockIsFound) {
  using enum OptimizationMethod;
  for (const OptimizationMethod method : {kAuto, kNelderMead, kBobyqa, kDe, kCmaes}) {
    FunctionSystem system({kRosenbrock}, {-1.2, 1}, -3, 3);
    ExpectNear(Search(system, method), {1, 1}, 1e-3);
  }
}

/// Whatever says that it has converged is within its tolerance of the minimum: 6e-6 of 1, for a valley whose
/// curvature along it is 2500 times smaller than across, so that steps of that size end 50 times as far away.
TEST(OptimizationTest, ConvergedOnRosenbrockMeansWithinTheTolerance) {
  using enum OptimizationMethod;
  constexpr double kTolerance = 1e-6, kWidth = 6, kValley = 50;
  for (const OptimizationMethod method : {kAuto, kNelderMead, kBobyqa, kCobyla, kSlsqp, kDe, kCmaes}) {
    FunctionSystem system({kRosenbrock}, {-1.2, 1}, -3, 3);
    const auto objective = system.Make(20'000);
    const SearchOutcome outcome = Optimize(*objective, method, objective->StartPoint(), kTolerance, 1);
    // The linear models of cobyla do not get along the valley.
    EXPECT_EQ(outcome.is_converged(), method != kCobyla) << static_cast<int>(method) << outcome.ToText();
    if (outcome.is_converged()) ExpectNear(NumbersOf(*objective), {1, 1}, kTolerance * kWidth * kValley);
  }
}

TEST(OptimizationTest, WithoutAFeasiblePointNothingConverges) {
  // a + b <= -7 holds nowhere between -3 and 3.
  using enum OptimizationMethod;
  for (const OptimizationMethod method : {kAuto, kCobyla, kSlsqp, kDe, kCmaes, kNsga2}) {
    FunctionSystem system({"a*a + b*b", "a+b", "-7"}, {0, 0}, -3, 3);
    system.AddConstraint(1, 2);
    const auto objective = system.Make(400);
    const SearchOutcome outcome = Optimize(*objective, method, objective->StartPoint(), 1e-3, 1);
    EXPECT_FALSE(outcome.is_converged()) << static_cast<int>(method);
    EXPECT_THAT(outcome.ToText(), testing::StartsWith("no feasible point found"));
  }
}

/// Of choices the whole table can be run: the search finds its smallest value.
TEST(OptimizationTest, ChoicesAreThoseOfTheWholeTable) {
  using enum OptimizationMethod;
  for (const OptimizationMethod method : {kAuto, kDe, kNsga2}) {
    // Eight choices of a in no order, c continuous: the smallest is a = 1.5 with c = 0.25.
    FunctionSystem system({"pow(a-1.4, 2) + sin(5*a)*sin(5*a)*0.01 + pow(b-2, 2)*0.1 + pow(c-0.25, 2)"},
                          {2, 2, 0}, -3, 3);
    const std::vector<double> a{2, -1, 0.5, 1.5, 3, 1, -2, 0}, b{-3, -2, -1, 0, 1, 2, 3};
    system.SetChoices(0, a);
    system.SetChoices(1, b);
    const auto objective = system.Make(3000);
    const SearchOutcome outcome = Optimize(*objective, method, objective->StartPoint(), 1e-3, 1);
    if (method != kNsga2) {
      EXPECT_TRUE(outcome.is_converged()) << outcome.ToText();
    }
    const auto value = [](double x, double y) {
      return std::pow(x - 1.4, 2) + std::pow(std::sin(5 * x), 2) * 0.01 + std::pow(y - 2, 2) * 0.1;
    };
    std::pair<double, double> best{a[0], b[0]};
    for (const double x : a) {
      for (const double y : b) {
        if (value(x, y) < value(best.first, best.second)) best = {x, y};
      }
    }
    const std::vector<double> found = NumbersOf(*objective);
    EXPECT_EQ(found[0], best.first);
    EXPECT_EQ(found[1], best.second);
    EXPECT_NEAR(found[2], 0.25, 0.05);
    for (const FunctionSystem::Case& one : system.cases)
      EXPECT_TRUE(std::ranges::find(a, one.values[0].number) != a.end());
  }
}

TEST(OptimizationTest, MethodsOfContinuousValuesRefuseChoices) {
  using enum OptimizationMethod;
  FunctionSystem system({"a*a + b*b"}, {1, 1}, -3, 3);
  system.SetChoices(1, {0, 1, 2});
  for (const OptimizationMethod method : {kNelderMead, kBobyqa, kCobyla, kSlsqp, kCmaes})
    EXPECT_THAT(FaultOf(method, *system.Make(1)).ToText(),
                AllOf(HasSubstr("f.b is one of several choices"), HasSubstr("choose de, nsga2 or auto")));
  for (const OptimizationMethod method : {kAuto, kDe, kNsga2})
    EXPECT_TRUE(FaultOf(method, *system.Make(1)).is_empty());
}

TEST(OptimizationTest, BealeAndBoothAreFound) {
  FunctionSystem beale({kBeale}, {1, 1}, -4.5, 4.5);
  ExpectNear(Search(beale, OptimizationMethod::kAuto), {3, 0.5}, 1e-3);
  FunctionSystem booth({kBooth}, {0, 0}, -10, 10);
  ExpectNear(Search(booth, OptimizationMethod::kAuto), {1, 3}, 1e-4);
}

TEST(OptimizationTest, PopulationsFindTheDeepestOfManyValleys) {
  FunctionSystem system({kRastrigin}, {3.2, -2.7}, -5, 6);
  ExpectNear(Search(system, OptimizationMethod::kDe), {0, 0}, 1e-4);
}

TEST(OptimizationTest, ConstraintIsActiveAtTheOptimum) {
  // The nearest point to (2, 1) with a + b <= 2 is (1.5, 0.5).
  using enum OptimizationMethod;
  for (const OptimizationMethod method : {kAuto, kCobyla, kSlsqp, kDe, kCmaes}) {
    FunctionSystem system({"pow(a-2, 2) + pow(b-1, 2)", "a+b", "2"}, {0, 0}, -3, 3);
    system.AddConstraint(1, 2);
    const std::vector<double> found = Search(system, method);
    ExpectNear(found, {1.5, 0.5}, 2e-3);
    EXPECT_LE(found[0] + found[1], 2 * (1 + 1e-6));
  }
}

TEST(OptimizationTest, OptimumAtABoundIsSeen) {
  FunctionSystem system({"a + (b-0.5)*(b-0.5)"}, {1, 1}, -2, 3);
  const auto objective = system.Make(1000);
  Optimize(*objective, OptimizationMethod::kAuto, objective->StartPoint(), 1e-6, 1);
  EXPECT_THAT(FindBounds(*objective->best()), ElementsAre(-1, 0));
}

TEST(OptimizationTest, FrontOfTwoParabolas) {
  // Schaffer's first problem: the front is 0 <= a <= 2, where sqrt(f1) + sqrt(f2) = 2.
  FunctionSystem system({"a*a", "(a-2)*(a-2)"}, {-7}, -10, 10);
  system.set_objectives(2);
  const auto objective = system.Make(1200);
  EXPECT_FALSE(
      Optimize(*objective, OptimizationMethod::kAuto, objective->StartPoint(), 1e-6, 1).is_converged());
  const std::vector<Evaluation> front = FrontOf(objective->all());
  EXPECT_GT(front.size(), 30U);
  double widest = 0;
  for (std::size_t i = 0; i < front.size(); ++i) {
    const double f1 = std::sqrt(front[i].objectives[0]), f2 = std::sqrt(front[i].objectives[1]);
    // Beyond an end of the front each point dominates those farther away: one is left.
    const bool is_end = i == 0 || i + 1 == front.size();
    EXPECT_NEAR(f1 + f2, 2, is_end ? 1e-2 : 1e-12);
    widest = std::max(widest, i == 0 ? f1 : f1 - std::sqrt(front[i - 1].objectives[0]));
  }
  EXPECT_LT(widest, 0.2);  // no gap of a tenth of the front
}

TEST(OptimizationTest, AFrontIsThatOfADenseSample) {
  // Two valleys whose front bends: f1 = a + b^2, f2 = 1 - sqrt(a) + b^2 (Zitzler, Deb and Thiele's first
  // problem, with one variable that only harms).
  FunctionSystem system({"a + b*b", "1 - sqrt(a) + b*b"}, {0.9, 0.8}, 0, 1);
  system.set_objectives(2);
  const auto objective = system.Make(2000);
  Optimize(*objective, OptimizationMethod::kNsga2, objective->StartPoint(), 1e-6, 1);
  const std::vector<Evaluation> front = FrontOf(objective->all());
  // Of 1000 x 1000 points those of b = 0 are the front of the sample.
  constexpr int kSide = 1000;
  for (const Evaluation& one : front) {
    for (int i = 0; i <= kSide; ++i) {
      const double a = static_cast<double>(i) / kSide;
      // No point of the sample is better in both by more than what 2000 cases leave.
      EXPECT_FALSE(a < one.objectives[0] - 0.01 && 1 - std::sqrt(a) < one.objectives[1] - 0.01)
          << one.objectives[0] << ' ' << one.objectives[1];
    }
  }
  for (int i = 0; i <= kSide; ++i) {
    const double f1 = static_cast<double>(i) / kSide, f2 = 1 - std::sqrt(f1);
    const auto is_near = [&](const Evaluation& one) {
      return std::hypot(one.objectives[0] - f1, one.objectives[1] - f2) < 0.05;
    };
    EXPECT_TRUE(std::ranges::any_of(front, is_near)) << f1;
  }
}

TEST(OptimizationTest, WorkersDoNotChangeTheSearch) {
  FunctionSystem system({kRosenbrock}, {-1.2, 1}, -3, 3);
  const auto points = [&](unsigned workers) {
    system.cases.clear();
    const auto objective = system.Make(120, workers);
    Optimize(*objective, OptimizationMethod::kDe, objective->StartPoint(), 1e-6, 5);
    std::vector<std::vector<CaseValue>> values;
    for (const FunctionSystem::Case& one : system.cases) values.push_back(one.values);
    return values;
  };
  EXPECT_EQ(points(1), points(3));
}

TEST(OptimizationTest, AContinuedSearchIsThatInOneGo) {
  using enum OptimizationMethod;
  for (const OptimizationMethod method : {kAuto, kNelderMead, kDe, kCmaes}) {
    FunctionSystem system({kRosenbrock}, {-1.2, 1}, -3, 3);
    const auto run = [&](std::uint64_t budget, const std::vector<FunctionSystem::Case>& known) {
      system.cases = known;
      const auto objective = system.Make(budget);
      for (const FunctionSystem::Case& one : known) objective->Know(one.number, one.values, one.result);
      Optimize(*objective, method, objective->StartPoint(), 1e-6, 5);
      return system.cases;
    };
    const std::vector<FunctionSystem::Case> whole = run(90, {});
    const std::vector<FunctionSystem::Case> part = run(47, {});
    const std::vector<FunctionSystem::Case> continued = run(90, part);
    ASSERT_EQ(continued.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(continued[i].number, whole[i].number);
      EXPECT_EQ(continued[i].values, whole[i].values);
    }
  }
}

TEST(OptimizationTest, FailedCasesAreAvoided) {
  // No finite value for a < 0.
  FunctionSystem system({"sqrt(a) + (b-0.5)*(b-0.5) + 1/(a+0.01)"}, {2, 2}, -3, 3);
  const std::vector<double> found = Search(system, OptimizationMethod::kDe);
  EXPECT_GT(found[0], 0);
  EXPECT_NEAR(found[1], 0.5, 1e-4);
}

TEST(OptimizationTest, MethodsThatDoNotSuitSaySo) {
  FunctionSystem system({"a+b", "a", "1"}, {1, 1}, -3, 3);
  system.AddConstraint(1, 2);
  EXPECT_THAT(FaultOf(OptimizationMethod::kBobyqa, *system.Make(1)).ToText(),
              HasSubstr("knows no constraints"));
  FunctionSystem two({"a+b", "a-b"}, {1, 1}, -3, 3);
  two.set_objectives(2);
  EXPECT_THAT(FaultOf(OptimizationMethod::kDe, *two.Make(1)).ToText(), HasSubstr("choose nsga2"));
}

TEST(OptimizationTest, GainOfThePositionServoIsThatOfAFineGrid) {
  const Registry registry = AllModels();
  CaseSetup setup{.system = fs::path(DAVIT_SOURCE_DIR) / "systems" / "position_servo.xml"};
  setup.options.load.set = {"SimulatorManager.StopTime=1 s"};
  setup.options.log = [](RunLog::Severity, std::string_view) {};
  setup.items = {{.path = "controller.gain", .is_live = true}};
  setup.measures = {{"settling", "settling_time(load.x, 2 %)", {}}};
  CasePool pool(setup, registry, 1);
  const std::stop_token stop;
  Objective objective(pool, {{.item = setup.items[0], .low = 4, .high = 60, .start = 12, .is_log = true}}, {},
                      40, {}, stop);
  Optimize(objective, OptimizationMethod::kNelderMead, objective.StartPoint(), 1e-3, 1);
  const double best = objective.best()->objectives[0];
  const double gain = NumbersOf(objective)[0];
  std::vector<std::vector<CaseValue>> grid;
  for (double share = 0.8; share < 1.21; share += 0.05) grid.push_back({{.number = share * gain}});
  for (double other = 4; other < 60; other *= 1.3) grid.push_back({{.number = other}});
  for (const CaseResult& result : pool.Run(grid, stop)) EXPECT_GE(result.measures[0], best * (1 - 1e-4));
}

/// The position servo with a PID controller.
std::string ServoWithPid() {
  std::ifstream file(fs::path(DAVIT_SOURCE_DIR) / "systems" / "position_servo.xml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto replace = [&](const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    if (at != std::string::npos) text.replace(at, what.size(), with);
  };
  replace(R"(<signal.Sum name="error" signs="+-"/>)", "");
  replace(R"(<signal.Gain name="controller" gain="12"/>)",
          R"(<signal.PID name="controller" kp="12" ki="1" tracking_time="0.1 s" low="-1" high="1"/>)");
  replace(R"(<Route from="prefilter.y" to="error.u"/>)",
          R"(<Route from="prefilter.y" to="controller.setpoint"/>)");
  replace(R"(<Route from="load.x" to="error.u"/>)", R"(<Route from="load.x" to="controller.measurement"/>)");
  replace(R"(<Route from="error.y" to="controller.u"/>)", "");
  return text;
}

TEST(OptimizationTest, PidOfThePositionServoIsThatOfAFineGrid) {
  const fs::path file =
      fs::path(testing::TempDir()) / ("davit_servo_with_pid_" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << ServoWithPid();
  const Registry registry = AllModels();
  CaseSetup setup{.system = file};
  setup.options.load.set = {"SimulatorManager.StopTime=2 s"};
  setup.options.log = [](RunLog::Severity, std::string_view) {};
  setup.items = {{.path = "controller.kp", .is_live = true}, {.path = "controller.ki", .is_live = true}};
  setup.measures = {{"error", "rms(prefilter.y - load.x) + 0.01*rms(spool.y.ddt)", {}}};
  CasePool pool(setup, registry, 1);
  const std::stop_token stop;
  Objective objective(pool,
                      {{.item = setup.items[0], .low = 3, .high = 30, .start = 12, .is_log = true},
                       {.item = setup.items[1], .low = 0.5, .high = 8, .start = 1, .is_log = true}},
                      {}, 150, {}, stop);
  Optimize(objective, OptimizationMethod::kAuto, objective.StartPoint(), 1e-4, 1);
  const Evaluation best = *objective.best();
  // Nothing around it, nor far away, is better: steps of 2 % and of a factor of 1.5.
  std::vector<std::vector<CaseValue>> grid;
  const std::vector<double> values = NumbersOf(objective);
  for (int i = -4; i <= 4; ++i) {
    for (int k = -4; k <= 4; ++k)
      grid.push_back({{.number = values[0] * (1 + 0.02 * i)}, {.number = values[1] * (1 + 0.02 * k)}});
  }
  for (double kp = 3; kp < 30; kp *= 1.5) {
    for (double ki = 0.5; ki < 8; ki *= 1.5) grid.push_back({{.number = kp}, {.number = ki}});
  }
  for (const CaseResult& result : pool.Run(grid, stop))
    EXPECT_GE(result.measures[0], best.objectives[0] * (1 - 1e-4));
  fs::remove(file);
}

}  // namespace
}  // namespace davit
