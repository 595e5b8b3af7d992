#include "simulator/solvers/rosenbrock_stepper.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "simulator/solvers/rosenbrock_tableaus.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using State = std::vector<double>;
constexpr double kInf = std::numeric_limits<double>::infinity();

/// y' = -y^2 + sin t (a Riccati equation): not linear, and it depends on time.
void Riccati(const State& y, State& ddt, double t) { ddt[0] = -y[0] * y[0] + std::sin(t); }

template <class Tableau, class System>
void Linearize(RosenbrockStepper<Tableau>& stepper, System&& system, const State& y, const State& ddt,
               double t, double t_limit) {
  stepper.Linearize(system, y, ddt, t);
  stepper.LinearizeInTime(system, y, ddt, t, t_limit);
}

/// y(end) by equal steps from y(0) = 1; `inside` looks at the dense output in the middle of the last step.
template <class Tableau>
double Solve(int steps, double end, bool inside = false) {
  RosenbrockStepper<Tableau> stepper(1, {1.0});
  State y{1}, ddt(1), out(1), error(1);
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    Riccati(y, ddt, t);
    Linearize(stepper, Riccati, y, ddt, t, kInf);
    stepper.DoStep(Riccati, y, ddt, t, out, h, error);
    if (inside && i + 1 == steps) {
      State middle(1);
      stepper.Interpolate(t + 0.5 * h, middle, y, t, out, t + h);
      return middle[0];
    }
    y = out;
  }
  return y[0];
}

/// What falls how fast with the step.
template <class Tableau>
double OrderOfSteps(int steps) {
  const double exact = Solve<Tableau>(2000, 2);
  return std::log2(std::abs(Solve<Tableau>(steps, 2) - exact) /
                   std::abs(Solve<Tableau>(2 * steps, 2) - exact));
}
/// Of one step of size h from 0, seen in its middle.
template <class Tableau>
double OrderOfDenseOutput(double h) {
  const auto error = [](double step) {
    return std::abs(Solve<Tableau>(1, step, true) - Solve<Tableau>(400, 0.5 * step));
  };
  return std::log2(error(h) / error(0.5 * h));
}

TEST(RosenbrockStepperTest, HasItsOrderOnATimeDependentNonlinearEquation) {
  EXPECT_NEAR(OrderOfSteps<Rodas>(40), 4, 0.15);
  EXPECT_NEAR(OrderOfSteps<Rodas5p>(40), 5, 0.15);
}

TEST(RosenbrockStepperTest, DenseOutputHasALocalErrorOfTheOrderOfTheMethod) {
  EXPECT_NEAR(OrderOfDenseOutput<Rodas>(0.04), 4, 0.3);
  EXPECT_NEAR(OrderOfDenseOutput<Rodas5p>(0.1), 5, 0.4);
}

TEST(RosenbrockStepperTest, TheStagesOfATableauSumToItsTimes) {
  // With J = 0 and f = 1 a stage is asked at y + c_i h: sum_j a_ij g_j = c_i, g_i/gamma = 1 + sum_j k_ij g_j.
  const auto check = []<class Tableau>(const Tableau& /*tableau*/) {
    double g[Tableau::kStages] = {};
    for (int i = 0; i < Tableau::kStages; ++i) {
      double at = 0, solved = 1;
      for (int j = 0; j < i; ++j) {
        at += Tableau::a[i][j] * g[j];
        solved += Tableau::k[i][j] * g[j];
      }
      EXPECT_NEAR(at, Tableau::c[i], 1e-12) << i;
      g[i] = Tableau::gamma * solved;
    }
  };
  check(Rodas{});
  check(Rodas5p{});
}

TEST(RosenbrockStepperTest, DampsAStiffComponentAtOnce) {
  // y' = -1e9 y: the stability function vanishes at infinity.
  const auto decay = [](const State& y, State& ddt, double /*t*/) { ddt[0] = -1e9 * y[0]; };
  RosenbrockStepper<Rodas> stepper(1, {1.0});
  State y{1}, ddt{-1e9}, out(1), error(1);
  Linearize(stepper, decay, y, ddt, 0, kInf);
  stepper.DoStep(decay, y, ddt, 0, out, 1, error);
  EXPECT_LT(std::abs(out[0]), 1e-6);
}

TEST(RosenbrockStepperTest, LinearizeFindsJacobianAndTimeDerivativeWithoutLookingBackOrBeyond) {
  double earliest = kInf;
  double latest = -kInf;
  const auto watched = [&](const State& y, State& ddt, double t) {
    earliest = std::min(earliest, t);
    latest = std::max(latest, t);
    Riccati(y, ddt, t);
  };
  RosenbrockStepper<Rodas> stepper(1, {1.0});
  State y{1}, ddt(1);
  Riccati(y, ddt, 1000);
  Linearize(stepper, watched, y, ddt, 1000, 1000 + 1e-9);
  EXPECT_EQ(earliest, 1000);
  EXPECT_LE(latest, 1000 + 1e-9);
}

TEST(RosenbrockStepperTest, KnowsHowFarTheDenseOutputIsOff) {
  // y' = -rate (y - cos t) - sin t in one step, from not stiff to very stiff.
  for (const double rate : {1.0, 1e2, 1e4, 1e6}) {
    const auto relaxation = [&](const State& y, State& ddt, double t) {
      ddt[0] = -rate * (y[0] - std::cos(t)) - std::sin(t);
    };
    const double t = 1;
    const double h = 0.5;
    RosenbrockStepper<Rodas> stepper(1, {1.0});
    State y{std::cos(t)}, ddt(1), out(1), error(1), inside(1);
    relaxation(y, ddt, t);
    Linearize(stepper, relaxation, y, ddt, t, kInf);
    stepper.DoStep(relaxation, y, ddt, t, out, h, error);
    stepper.Interpolate(t + h / 3, inside, y, t, out, t + h);
    stepper.EstimateInterpolationError(relaxation, y, t, out, t + h, error);
    const double truth = std::abs(inside[0] - std::cos(t + h / 3));
    EXPECT_GT(std::abs(error[0]), 0.3 * truth) << rate;
    EXPECT_LT(std::abs(error[0]), 3 * truth + 1e-3) << rate;
  }
}

// ---- stiff problems through the manager -----------------------------------------------------------

class RosenbrockMethod : public testing::TestWithParam<std::string> {
 protected:
  std::string Tolerances(double rtol, double atol) const {
    return fmt::format("method='{}' rtol='{}' atol='{}'", GetParam(), rtol, atol);
  }
};

// The steps get so long that the continuous extension is off by tenths; values inside must be good all the
// same.
TEST_P(RosenbrockMethod, FollowsTheSlowSolutionHoweverStiff) {
  for (const char* rate : {"1", "1e3", "1e6"}) {
    TestSystem test(
        SystemText("TimeStep='0.1' StopTime='10'", Tolerances(1e-6, 1e-6),
                   fmt::format("<test.ProtheroRobinson name='m' rate='{}'/><Record signals='m.y'/>", rate)));
    for (const TestRow& row : test.RunAndRecord()) EXPECT_NEAR(row.values[0], std::cos(row.t), 1e-5) << rate;
    EXPECT_LT(test.manager().statistics().solver_steps, 400U) << rate;
  }
}

// End values of the IVP Test Set (Bari), mu = 1000.
TEST_P(RosenbrockMethod, ReachesThePublishedEndOfVanDerPol) {
  TestSystem test(SystemText("TimeStep='0.7' StopTime='2000'", Tolerances(1e-9, 1e-12),
                             "<test.VanDerPol name='m' mu='1000'/>"));
  test.Run();
  EXPECT_NEAR(test.Read("m.y1") / 1.706167732170469, 1, 1e-6);
  EXPECT_NEAR(test.Read("m.y2") / -8.928097010248125e-4, 1, 1e-6);
  EXPECT_LT(test.manager().statistics().solver_steps, 20000U);
}

INSTANTIATE_TEST_SUITE_P(All, RosenbrockMethod, testing::Values("rosenbrock4", "rodas5p"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace davit
