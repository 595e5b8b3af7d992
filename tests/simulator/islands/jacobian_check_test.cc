#include "simulator/islands/jacobian_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "simulator/dynamic_sim_component.h"
#include "simulator/partial_derivatives.h"
#include "simulator/state_variable.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// u' = the heat equation with a source, of which the reach is declared too small: the left neighbour is
/// missing.
class Forgetful final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "check.Forgetful", .text = "Reads more than it declares"};
  static constexpr std::uint32_t kCells = 30;
  Forgetful() { Reads(u, {{.of = u, .from = 0, .to = 1}}); }
  void EvaluateDiffEquations(double /*t*/) override {
    for (std::uint32_t i = 0; i < kCells; ++i) {
      const double left = i == 0 ? 1 : static_cast<double>(u[i - 1]);
      const double right = i + 1 == kCells ? 0 : static_cast<double>(u[i + 1]);
      u[i].ddt = 1e4 * (left - 2 * u[i] + right);
    }
  }

 private:
  StateVariableArray u{this, "u", "", "Temperature", kCells};
};

/// y' = 1e4 (1 - y), whose partial derivative is said to be another one.
class Mistaken final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "check.Mistaken", .text = "Writes a wrong partial derivative"};
  void EvaluateDiffEquations(double /*t*/) override { y.ddt = 1e4 * (1 - y); }
  bool WritePartials(PartialDerivatives& partials) const override {
    partials.Set(y, y, derivative);
    return true;
  }

 private:
  Parameter derivative{this, "derivative", "1/s", "What it writes", 1e4};
  StateVariable y{this, "y", "", "State"};
};

/// y' = 10 (1 - y^3), whose partial derivative is said to be another one from y = 0.9 on.
class LateMistaken final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "check.LateMistaken", .text = "Errs after a while"};
  void EvaluateDiffEquations(double /*t*/) override { y.ddt = 10 * (1 - y * y * y); }
  bool WritePartials(PartialDerivatives& partials) const override {
    partials.Set(y, y, y < 0.9 ? -30 * y * y : 1e3);
    return true;
  }

 private:
  StateVariable y{this, "y", "", "State"};
};

/// y' = -1e4 y - sign(y): at y = 0 it jumps to both sides. Elsewhere the derivative that it writes holds.
class Jumping final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "check.Jumping", .text = "Has an equation that jumps"};
  void EvaluateDiffEquations(double /*t*/) override {
    y.ddt = -1e4 * y - (y > 0 ? 1.0 : 0.0) + (y < 0 ? 1.0 : 0.0);
  }
  bool WritePartials(PartialDerivatives& partials) const override {
    partials.Set(y, y, derivative);
    return true;
  }

 private:
  Parameter derivative{this, "derivative", "1/s", "What it writes", -1e4};
  StateVariable y{this, "y", "", "State"};
};

/// The check of y' = A y at a point, with the entries of A in a pattern.
std::optional<JacobianCheck::Fault> Check(const JacobianPattern& pattern, const std::vector<double>& entries,
                                          const JacobianCheck::Equations& equations) {
  const std::vector<double> y{1, 2}, ddt{0, 0}, increments{1e-8, 1e-8};
  const LinearizationPoint point{.t = 0, .y = y.data(), .ddt = ddt.data(), .increments = increments.data()};
  JacobianCheck check;
  double cost = 0;
  return check.Look(point, pattern, entries.data(), equations, cost);
}

const JacobianCheck::Equations kTriangular = [](const double* y, double* values) {
  values[0] = -y[0];
  values[1] = 3 * y[0] - 2 * y[1];
};

TEST(JacobianCheckTest, AMissingEntryIsNamed) {
  const auto fault = Check(JacobianPattern({{0}, {1}}), {-1, -2}, kTriangular);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->equation, 1U);
  EXPECT_EQ(fault->unknown, 0U);
}

TEST(JacobianCheckTest, TheRightEntriesAndAFullPatternAreNoFault) {
  EXPECT_FALSE(Check(JacobianPattern({{0}, {0, 1}}), {-1, 3, -2}, kTriangular));
  // A wrong value has another reason: a kink, seen from another side.
  EXPECT_FALSE(Check(JacobianPattern({{0, 1}, {0, 1}}), {-1, 7, 0, -2}, kTriangular));
}

TEST(JacobianCheckTest, ItIsDueAtOnceAndThenNowAndThen) {
  JacobianCheck check;
  int count = 0;
  for (int i = 0; i < 1000; ++i) count += check.IsDue() ? 1 : 0;
  EXPECT_EQ(count, 5);
}

// The solution at rest is linear between the ends.
TEST(JacobianCheckTest, AReachDeclaredTooSmallIsToldAndReplaced) {
  for (const std::string method : {"rosenbrock4", "rodas5p", "ida"}) {
    SystemHarness system(
        "<System><SimulatorManager TimeStep='10 ms' StopTime='1 s'>"
        "<Integration solver='ODE' method='" +
            method + "'/></SimulatorManager><check.Forgetful name='bar'/></System>",
        [](Registry& registry) { registry.Add<Forgetful>(); });
    std::string told;
    RunLog log(RunLog::Severity::kWarning,
               [&](RunLog::Severity /*severity*/, std::string_view line) { told += line; });
    system.system().root().set_run_log(&log);
    system.Run();
    EXPECT_THAT(told, testing::HasSubstr("the equation of bar.u[1] reads bar.u[0], which is not declared"));
    EXPECT_LT(system.manager().statistics().solver_steps, 1000U);
    for (std::uint32_t i = 0; i < Forgetful::kCells; ++i) {
      const double expected = 1 - (i + 1.0) / (Forgetful::kCells + 1);
      EXPECT_NEAR(system.Read("bar.u[" + std::to_string(i) + "]"), expected, 1e-4);
    }
  }
}

// Law: where an equation jumps there is no derivative, and none that is written is wrong; away from there it
// is judged.
TEST(JacobianCheckTest, AJumpIsNoWrongPartialDerivative) {
  const auto told = [](const std::string& attributes) {
    SystemHarness system(
        "<System><SimulatorManager TimeStep='10 ms' StopTime='10 ms'>"
        "<Integration solver='ODE' method='rodas5p'/></SimulatorManager>"
        "<check.Jumping name='relay' " +
            attributes + "</check.Jumping></System>",
        [](Registry& registry) { registry.Add<Jumping>(); });
    std::string text;
    RunLog log(RunLog::Severity::kWarning,
               [&](RunLog::Severity /*severity*/, std::string_view line) { text += line; });
    system.system().root().set_run_log(&log);
    system.Run();
    return text;
  };
  EXPECT_EQ(told("><Start y='0'/>"), "");
  EXPECT_EQ(told("><Start y='1'/>"), "");
  EXPECT_THAT(told("derivative='1e4'><Start y='1'/>"), testing::HasSubstr("does not agree with differences"));
}

TEST(JacobianCheckTest, WrongPartialDerivativesAreToldAndReplaced) {
  std::uint64_t steps[2] = {};
  for (const bool is_right : {true, false}) {
    SystemHarness system(std::string("<System><SimulatorManager TimeStep='10 ms' StopTime='1 s'>"
                                     "<Integration solver='ODE' method='rodas5p'/></SimulatorManager>"
                                     "<check.Mistaken name='lag' derivative='") +
                             (is_right ? "-1e4" : "1e4") + "'/></System>",
                         [](Registry& registry) { registry.Add<Mistaken>(); });
    std::string told;
    RunLog log(RunLog::Severity::kWarning,
               [&](RunLog::Severity /*severity*/, std::string_view line) { told += line; });
    system.system().root().set_run_log(&log);
    system.Run();
    if (is_right) {
      EXPECT_EQ(told, "");
    } else {
      EXPECT_THAT(told,
                  testing::HasSubstr("WritePartials of check.Mistaken does not agree with differences"));
    }
    steps[is_right ? 0 : 1] = system.manager().statistics().solver_steps;
    EXPECT_NEAR(system.Read("lag.y"), 1, 1e-6);
  }
  EXPECT_LE(steps[1], steps[0] + 2);  // differences are less exact than derivatives: not by much
}

/// y at all communication points from the present one on.
std::vector<double> RunToEnd(SystemHarness& system) {
  std::vector<double> rows;
  while (!system.manager().is_finished()) {
    system.manager().Step();
    rows.push_back(system.Read("lag.y"));
  }
  return rows;
}

// Law: whom a check has found belongs to the run. A run that begins again, and one that goes on from a
// snapshot, have the same bits.
TEST(JacobianCheckTest, WrongPartialDerivativesAreThoseOfTheRun) {
  std::size_t told = 0;
  RunLog log(RunLog::Severity::kWarning,
             [&](RunLog::Severity /*severity*/, std::string_view /*line*/) { ++told; });
  const auto load = [&] {
    auto system = std::make_unique<SystemHarness>(
        "<System><SimulatorManager TimeStep='10 ms' StopTime='6 s'>"
        "<Integration solver='ODE' method='rodas5p'/></SimulatorManager><check.LateMistaken name='lag'/>"
        "<At time='4' set='lag.y' value='0'/></System>",
        [](Registry& registry) { registry.Add<LateMistaken>(); });
    system->system().root().set_run_log(&log);
    return system;
  };
  const auto one = load();
  one->manager().Initialize();
  one->RunTo(0.1);
  EXPECT_EQ(told, 0U);
  RunToEnd(*one);
  ASSERT_EQ(told, 1U);
  one->manager().Initialize();
  const std::vector<double> second = RunToEnd(*one);
  EXPECT_EQ(told, 2U);
  const auto fresh = load();
  fresh->manager().Initialize();
  EXPECT_EQ(second, RunToEnd(*fresh));
  one->manager().Initialize();
  one->RunTo(3.9);
  std::stringstream snapshot;
  one->manager().SaveState(snapshot);
  const std::vector<double> rest = RunToEnd(*one);
  const auto other = load();
  Diagnostics diagnostics;
  other->manager().LoadState(snapshot, {}, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(RunToEnd(*other), rest);
}

}  // namespace
}  // namespace davit
