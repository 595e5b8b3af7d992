#include "simulator/solvers/switching_integrator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_system.h"

namespace davit {
namespace {

RunStatistics Solve(const std::string& method, const std::string& component, const std::string& stop,
                    const std::string& integration = "") {
  TestSystem test(SystemText(fmt::format("TimeStep='{0}' StopTime='{0}'", stop),
                             fmt::format("method='{}' rtol='1e-6' atol='1e-6' {}", method, integration),
                             component));
  test.Run();
  return test.manager().statistics();
}

constexpr const char* kStiff = "<test.VanDerPol name='m' mu='1000'/>";

TEST(SwitchingIntegratorTest, TakesTheImplicitMethodWhereThatIsCheaper) {
  const RunStatistics chosen = Solve("auto", kStiff, "2000");
  EXPECT_GT(2 * chosen.implicit_steps, chosen.solver_steps);
  EXPECT_GE(chosen.method_switches, 1U);
  EXPECT_LT(static_cast<double>(chosen.evaluations),
            1.3 * static_cast<double>(Solve("rodas5p", kStiff, "2000").evaluations));
}

TEST(SwitchingIntegratorTest, IsTheExplicitMethodWhereNothingIsStiff) {
  const char* const component = "<test.Kepler name='m'/>";
  const RunStatistics chosen = Solve("auto", component, "100");
  const RunStatistics by_hand = Solve("runge_kutta_dopri5", component, "100");
  EXPECT_EQ(chosen.implicit_steps, 0U);
  EXPECT_EQ(chosen.solver_steps, by_hand.solver_steps);
  // Two evaluations at a look, every 20 steps of 6 evaluations.
  EXPECT_LT(static_cast<double>(chosen.evaluations), 1.03 * static_cast<double>(by_hand.evaluations));
}

TEST(SwitchingIntegratorTest, GoesBackWhereAStiffSystemHasBecomeAnEasyOne) {
  // Van der Pol's oscillator is stiff on its slow branches only.
  EXPECT_GE(Solve("auto", "<test.VanDerPol name='m' mu='30'/>", "200").method_switches, 2U);
}

TEST(SwitchingIntegratorTest, HandsOverWhatTheExplicitMethodCannotStep) {
  const char* const component = "<test.ProtheroRobinson name='m' rate='1e6'/>";
  EXPECT_THROW(Solve("runge_kutta_dopri5", component, "10", "min_step='1e-4'"), SimulationFailure);
  EXPECT_GT(Solve("auto", component, "10", "min_step='1e-4'").implicit_steps, 0U);
}

TEST(SwitchingIntegratorTest, TakesTheSameStepsInEachRun) {
  const RunStatistics first = Solve("auto", kStiff, "2000");
  const RunStatistics second = Solve("auto", kStiff, "2000");
  EXPECT_EQ(first.evaluations, second.evaluations);
  EXPECT_EQ(first.method_switches, second.method_switches);
}

TEST(SwitchingIntegratorTest, ReachesThePublishedEndOfAStiffProblem) {
  // IVP Test Set (Bari), mu = 1000, as in rosenbrock_stepper_test.cc.
  TestSystem test(
      SystemText("TimeStep='0.7' StopTime='2000'", "method='auto' rtol='1e-9' atol='1e-12'", kStiff));
  test.Run();
  EXPECT_NEAR(test.Read("m.y1") / 1.706167732170469, 1, 1e-6);
  EXPECT_NEAR(test.Read("m.y2") / -8.928097010248125e-4, 1, 1e-6);
}

}  // namespace
}  // namespace davit
