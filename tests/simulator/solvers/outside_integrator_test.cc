#include "simulator/solvers/outside_integrator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace davit {
namespace {

/// y' = -y.
SolverProblem Decay() {
  SolverProblem problem;
  problem.size = 1;
  problem.evaluate = [](void* /*context*/, const double* y, double* ddt, double /*t*/) { ddt[0] = -y[0]; };
  problem.nominal = {1.0};
  return problem;
}

IntegratorOptions Accurate() {
  IntegratorOptions options;
  options.method = "runge_kutta_dopri5";
  options.relative_tolerance = 1e-10;
  options.absolute_tolerance = 1e-12;
  return options;
}

// Law: the values at the given time are those given; inside the step they are those before, but for the first
// moment, which follows the equations.
TEST(OutsideIntegratorTest, TakesWhatIsGiven) {
  const SolverProblem problem = Decay();
  OutsideIntegrator integrator(problem, Accurate());
  std::vector<double> y{1.0};
  integrator.Restart(0, y, Integrator::RestartKind::kNewProblem);
  const std::vector<double> given{0.3};  // not the solution: it is believed
  integrator.Give(1, given);
  EXPECT_EQ(integrator.StepTowards(5), 1) << "it does not pass the given time";
  integrator.ValueAt(1, y);
  EXPECT_EQ(y[0], 0.3);
  integrator.ValueAt(1e-8, y);
  EXPECT_NEAR(y[0], 1 - 1e-8, 1e-15) << "the first moment follows the equation";
  integrator.ValueAt(0.5, y);
  const double inside = y[0];
  EXPECT_LT(inside, 1 - 1e-8) << "on the side to which it departs";
  EXPECT_GT(inside, 1 - 1e-5) << "and near where it was";
  integrator.ValueAt(0.9, y);
  EXPECT_EQ(y[0], inside) << "after the first moment nothing is known";
  integrator.Give(2, std::vector<double>{0.2});
  integrator.AdvanceTo(2, 5, y);
  EXPECT_EQ(y[0], 0.2);
  integrator.ValueAt(1, y);
  EXPECT_EQ(y[0], 0.3);
  integrator.ValueAt(1.5, y);
  EXPECT_NEAR(y[0], 0.3, 1e-5);
}

// Law: after a change of states before the given time its own solver integrates the rest, y0 e^-t.
TEST(OutsideIntegratorTest, IntegratesAfterAnEvent) {
  const SolverProblem problem = Decay();
  OutsideIntegrator integrator(problem, Accurate());
  std::vector<double> y{1.0};
  integrator.Restart(0, y, Integrator::RestartKind::kNewProblem);
  integrator.Give(1, std::vector<double>{std::exp(-1)});
  y = {2.0};
  integrator.Restart(0.5, y, Integrator::RestartKind::kNewProblem);
  integrator.AdvanceTo(1, 1, y);
  EXPECT_NEAR(y[0], 2 * std::exp(-0.5), 1e-8);
  integrator.Give(2, std::vector<double>{7});
  integrator.AdvanceTo(2, 2, y);
  EXPECT_EQ(y[0], 7) << "what is given afterwards is believed again";
}

// Law: a restart where it stands, with the same states, keeps what was given: only the equations have
// changed.
TEST(OutsideIntegratorTest, ARestartWithoutChangeKeepsWhatWasGiven) {
  const SolverProblem problem = Decay();
  OutsideIntegrator integrator(problem, Accurate());
  std::vector<double> y{1.0};
  integrator.Restart(0, y, Integrator::RestartKind::kNewProblem);
  integrator.Give(1, std::vector<double>{0.3});
  integrator.Restart(0, y, Integrator::RestartKind::kSameScale);
  integrator.AdvanceTo(1, 1, y);
  EXPECT_EQ(y[0], 0.3);
}

}  // namespace
}  // namespace davit
