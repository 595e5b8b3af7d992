#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

#include "simulator/solvers/integration_error.h"
#include "simulator/solvers/integrator.h"
#include "tests/support/test_models.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kPeriod = 2 * std::numbers::pi;

std::vector<std::string> NamesOf(bool is_adaptive) {
  std::vector<std::string> names;
  for (const OdeMethod& method : OdeMethods()) {
    if (method.is_adaptive == is_adaptive) names.emplace_back(method.name);
  }
  return names;
}

/// Methods with error control that keep no history.
std::vector<std::string> OneStepNames() {
  std::vector<std::string> names = NamesOf(true);
  std::erase(names, "ida");
  return names;
}

std::string Times(double time_step, double stop_time) {
  return "TimeStep=\"" + ToXml(time_step) + "\" StopTime=\"" + ToXml(stop_time) + "\"";
}

std::string Tolerances(const std::string& method, double rtol, double atol) {
  return fmt::format("method=\"{}\" rtol=\"{}\" atol=\"{}\"", method, ToXml(rtol), ToXml(atol));
}

/// The slope of log(error) over log(step size) between two numbers of steps.
double ObservedOrder(double coarse_error, int coarse_steps, double fine_error, int fine_steps) {
  return std::log(coarse_error / fine_error) / std::log(static_cast<double>(fine_steps) / coarse_steps);
}

/// The error of the oscillator at the end of `periods`, each divided into `steps`.
double OscillatorError(const std::string& manager, const std::string& integration, double end) {
  TestSystem test(SystemText(manager, integration, "<test.Oscillator name=\"m\"/>"));
  test.Run();
  return std::hypot(test.Read("m.x") - std::cos(end), test.Read("m.v") + std::sin(end));
}

// ---- fixed steps --------------------------------------------------------------------------------

struct FixedCase {
  const char* method;
  int coarse;  ///< steps a period
  int fine;
  int periods;
  friend void PrintTo(const FixedCase& one, std::ostream* out) { *out << one.method; }
};

class FixedStepMethod : public testing::TestWithParam<FixedCase> {};

TEST_P(FixedStepMethod, ErrorGoesWithTheDeclaredPowerOfTheStepSize) {
  const auto [method, coarse, fine, periods] = GetParam();
  const double end = periods * kPeriod;
  const auto error = [&](int steps) {
    return OscillatorError(Times(kPeriod / steps, end), fmt::format("method=\"{}\"", method), end);
  };
  EXPECT_NEAR(ObservedOrder(error(coarse), coarse, error(fine), fine), FindOdeMethod(method)->order, 0.15);
}

TEST_P(FixedStepMethod, SubstepsDivideTheTimeStep) {
  const auto [method, coarse, fine, periods] = GetParam();
  TestSystem whole(
      SystemText(Times(0.025, 1), fmt::format("method=\"{}\"", method), "<test.Kepler name=\"m\"/>"));
  TestSystem parts(SystemText(Times(0.1, 1), fmt::format("method=\"{}\" substeps=\"4\"", method),
                              "<test.Kepler name=\"m\"/>"));
  whole.Run();
  parts.Run();
  EXPECT_EQ(parts.manager().statistics().solver_steps, 40U);
  EXPECT_EQ(parts.manager().statistics().evaluations, whole.manager().statistics().evaluations);
  EXPECT_NEAR(parts.Read("m.x"), whole.Read("m.x"), 1e-13);
}

// Late in a run two step points differ from TimeStep in many digits; that must not add steps.
TEST_P(FixedStepMethod, TakesOneStepATimeStepLateInALongRun) {
  const std::string method = GetParam().method;
  TestSystem test(SystemText("TimeStep=\"1 ms\" StartTime=\"1e6\" StopTime=\"1000000.5\"",
                             fmt::format("method=\"{}\"", method), "<test.Oscillator name=\"m\"/>"));
  test.Run();
  EXPECT_EQ(test.manager().statistics().solver_steps, 500U);
}

INSTANTIATE_TEST_SUITE_P(All, FixedStepMethod,
                         testing::Values(FixedCase{"euler", 320, 1280, 1},
                                         FixedCase{"modified_midpoint", 40, 160, 1},
                                         FixedCase{"runge_kutta4", 20, 80, 1},
                                         FixedCase{"adams_bashforth_moulton", 80, 320, 5}),
                         [](const auto& test) { return std::string(test.param.method); });

TEST(FixedStepMethods, AreTheOnesTestedHere) {
  EXPECT_THAT(NamesOf(false),
              testing::ElementsAre("euler", "modified_midpoint", "runge_kutta4", "adams_bashforth_moulton"));
}

// Predictor and corrector are both of order 5. With few steps the error of the predictor, h times smaller in
// the corrected value but six times larger to begin with, still shows: the order is approached from above.
TEST(AdamsBashforthMoulton, LooksSteeperThanItsOrderWithFewSteps) {
  const auto error = [](int steps) {
    return OscillatorError(Times(kPeriod / steps, kPeriod), "method=\"adams_bashforth_moulton\"", kPeriod);
  };
  const double from_20_to_80 = ObservedOrder(error(20), 20, error(80), 80);
  EXPECT_GT(from_20_to_80, 5);
  EXPECT_LT(from_20_to_80, 5.35);
  EXPECT_NEAR(ObservedOrder(error(80), 80, error(1280), 1280), 5, 0.1);
}

// ---- error control ------------------------------------------------------------------------------

struct ForcedCase {
  const char* method;
  int coarse;
  int fine;
  friend void PrintTo(const ForcedCase& one, std::ostream* out) { *out << one.method; }
};

class ForcedStepMethod : public testing::TestWithParam<ForcedCase> {};

TEST_P(ForcedStepMethod, ErrorGoesWithTheDeclaredPowerOfMaxStep) {
  const auto [method, coarse, fine] = GetParam();
  const auto error = [&](int steps) {
    return OscillatorError(Times(kPeriod, kPeriod),
                           Tolerances(method, 10, 10) + " max_step=\"" + ToXml(kPeriod / steps) + "\"",
                           kPeriod);
  };
  EXPECT_NEAR(ObservedOrder(error(coarse), coarse, error(fine), fine), FindOdeMethod(method)->order, 0.15);
}

INSTANTIATE_TEST_SUITE_P(All, ForcedStepMethod,
                         testing::Values(ForcedCase{"runge_kutta_cash_karp54", 28, 112},
                                         ForcedCase{"runge_kutta_dopri5", 28, 112},
                                         ForcedCase{"runge_kutta_fehlberg78", 14, 40},
                                         ForcedCase{"rosenbrock4", 28, 112}),
                         [](const auto& test) { return std::string(test.param.method); });

class AdaptiveMethod : public testing::TestWithParam<std::string> {
 protected:
  /// The largest mixed error of the oscillator over all step points; typical sizes are 1.
  double OscillatorErrorAt(double rtol, double time_step, double end = 20) const {
    TestSystem test(SystemText(Times(time_step, end), Tolerances(GetParam(), rtol, rtol),
                               "<test.Oscillator name=\"m\"/><Record signals=\"m.x m.v\"/>"));
    double worst = 0;
    for (const TestRow& row : test.RunAndRecord()) {
      const double exact[2]{std::cos(row.t), -std::sin(row.t)};
      for (std::size_t i = 0; i < 2; ++i) worst = std::max(worst, Mixed(row.values[i], exact[i], 1));
    }
    return worst;
  }
  double KeplerErrorAt(double rtol, double time_step, double end = 20) const {
    TestSystem test(SystemText(Times(time_step, end), Tolerances(GetParam(), rtol, rtol),
                               "<test.Kepler name=\"m\"/><Record signals=\"m.x m.y m.u m.v\"/>"));
    double worst = 0;
    for (const TestRow& row : test.RunAndRecord()) {
      const auto exact = TestKepler::Exact(row.t);
      for (std::size_t i = 0; i < exact.size(); ++i)
        worst = std::max(worst, Mixed(row.values[i], exact[i], 1));
    }
    return worst;
  }
  /// Against the published values at t = 3, which is not where a solver would stop by itself.
  double PleiadesErrorAtThree(double rtol) const {
    TestSystem test(SystemText("TimeStep=\"0.0375\" StopTime=\"3.1\"", Tolerances(GetParam(), rtol, rtol),
                               "<test.Pleiades name=\"m\"/><Record signals=\"m.*\" times=\"3\"/>"));
    const std::vector<TestRow> rows = test.RunAndRecord();
    double worst = 0;
    for (std::size_t i = 0; i < TestPleiades::kAtThree.size(); ++i) {
      worst = std::max(worst, Mixed(rows.at(0).values.at(i), TestPleiades::kAtThree[i], 1));
    }
    EXPECT_DOUBLE_EQ(rows[0].t, 3);
    return worst;
  }
  static double Mixed(double value, double exact, double size) {
    return std::abs(value - exact) / (size + std::abs(exact));
  }
};

// TimeStep has nothing to do with the steps of the solver: values are read inside them.
TEST_P(AdaptiveMethod, SolvesTheOscillatorAtAllStepPoints) {
  EXPECT_LT(OscillatorErrorAt(1e-10, 0.0137), 1e-6);
}

/// One-step methods: their global error follows the tolerance closely. Of ida, see solver_problems_test.cc.
class OneStepMethod : public AdaptiveMethod {};

TEST_P(OneStepMethod, SolvesKeplersProblemAtAllStepPoints) { EXPECT_LT(KeplerErrorAt(1e-10, 0.0137), 1e-6); }

TEST_P(AdaptiveMethod, SolvesThePleiades) { EXPECT_LT(PleiadesErrorAtThree(1e-10), 1e-5); }

TEST_P(OneStepMethod, SmallerToleranceGivesSmallerError) {
  // TimeStep is long, so that bulirsch_stoer, which stops at step points, is led by the tolerance.
  EXPECT_GT(OscillatorErrorAt(1e-6, 10) / OscillatorErrorAt(1e-7, 10), 4);
  EXPECT_GT(KeplerErrorAt(1e-6, 4) / KeplerErrorAt(1e-7, 4), 4);
  EXPECT_GT(PleiadesErrorAtThree(1e-7) / PleiadesErrorAtThree(1e-8), 4);
  // No method gains the same with each decade; over three of them it has to.
  EXPECT_GT(KeplerErrorAt(1e-5, 0.137) / KeplerErrorAt(1e-8, 0.137), 64);
}

TEST_P(AdaptiveMethod, ObeysMaxStep) {
  TestSystem test(SystemText(Times(1, 1), Tolerances(GetParam(), 1e-2, 1e-2) + " max_step=\"1 ms\"",
                             "<test.Oscillator name=\"m\"/>"));
  test.Run();
  EXPECT_GE(test.manager().statistics().solver_steps, 1000U);
  EXPECT_LE(test.manager().statistics().solver_steps, 1020U);
}

TEST_P(AdaptiveMethod, ScalesTheAbsoluteToleranceWithTheNominalValue) {
  // The same problem in metres and in units a million times smaller takes the same steps.
  struct Scaled {
    double unit;
    static void Evaluate(void* /*context*/, const double* y, double* ddt, double /*t*/) {
      ddt[0] = y[1];
      ddt[1] = -y[0];
    }
  };
  const auto steps = [&](double unit) {
    const SolverProblem problem{2, nullptr, Scaled::Evaluate, {unit, unit}};
    IntegratorOptions options;
    options.method = GetParam();
    options.relative_tolerance = 1e-12;
    options.absolute_tolerance = 1e-6;
    const auto integrator = MakeIntegrator(problem, options);
    std::vector<double> y{unit, 0};
    integrator->Restart(0, y, Integrator::RestartKind::kNewProblem);
    integrator->AdvanceTo(10, 10, y);
    EXPECT_NEAR(y[0] / unit, std::cos(10), 1e-4);
    return integrator->counters().steps;
  };
  EXPECT_NEAR(static_cast<double>(steps(1)), static_cast<double>(steps(std::pow(2.0, 20))), 1);
}

INSTANTIATE_TEST_SUITE_P(All, AdaptiveMethod, testing::ValuesIn(NamesOf(true)),
                         [](const auto& test) { return test.param; });
INSTANTIATE_TEST_SUITE_P(All, OneStepMethod, testing::ValuesIn(OneStepNames()),
                         [](const auto& test) { return test.param; });

// ---- TimeStep is not a bound ---------------------------------------------------------------------

class DenseMethod : public AdaptiveMethod {};

TEST_P(DenseMethod, StepsDoNotDependOnTimeStep) {
  std::vector<double> steps;
  for (const double time_step : {10.0, 1.0, 0.1, 0.0137, 0.001}) {
    TestSystem test(
        SystemText(Times(time_step, 10), Tolerances(GetParam(), 1e-9, 1e-9), "<test.Kepler name=\"m\"/>"));
    test.Run();
    steps.push_back(static_cast<double>(test.manager().statistics().solver_steps));
    EXPECT_NEAR(steps.back(), steps.front(), 2) << time_step;
    const auto exact = TestKepler::Exact(10);
    EXPECT_NEAR(test.Read("m.x"), exact[0], 3e-6) << time_step;
  }
}

// What interpolation adds stays within a few tolerances.
TEST_P(DenseMethod, ValuesInsideStepsAreAsGoodAsAtTheirEnds) {
  for (const double rtol : {1e-4, 1e-7, 1e-10}) {
    EXPECT_LT(OscillatorErrorAt(rtol, 0.0137, 10), 2 * OscillatorErrorAt(rtol, 10, 10) + 5 * rtol) << rtol;
  }
}

INSTANTIATE_TEST_SUITE_P(All, DenseMethod,
                         testing::Values("runge_kutta_cash_karp54", "runge_kutta_dopri5",
                                         "runge_kutta_fehlberg78", "rosenbrock4", "rodas5p"),
                         [](const auto& test) { return test.param; });

TEST(BulirschStoer, StopsAtEveryStepPoint) {
  TestSystem test(
      SystemText(Times(0.01, 1), Tolerances("bulirsch_stoer", 1e-6, 1e-6), "<test.Oscillator name=\"m\"/>"));
  test.Run();
  EXPECT_GE(test.manager().statistics().solver_steps, 100U);
}

// The bound is a promise to callers whose right-hand side is valid only until then.
TEST(Integrator, NeverAsksBeyondTheTimeItMustStopAt) {
  struct Watch {
    double latest = 0;
    static void Evaluate(void* context, const double* y, double* ddt, double t) {
      auto& watch = *static_cast<Watch*>(context);
      watch.latest = std::max(watch.latest, t);
      ddt[0] = std::cos(t) - 0.1 * y[0];
    }
  };
  for (const OdeMethod& method : OdeMethods()) {
    Watch watch;
    const SolverProblem problem{1, &watch, Watch::Evaluate, {}};
    IntegratorOptions options;
    options.method = std::string(method.name);
    options.fixed_step = 0.01;
    const auto integrator = MakeIntegrator(problem, options);
    std::vector<double> y{0};
    integrator->Restart(0, y, Integrator::RestartKind::kNewProblem);
    double t = 0;
    for (const double stop : {1e-9, 0.02, 0.031, 0.5, 0.7, 3.0}) {
      while (t < stop) {
        t = std::min(t + 0.01, stop);
        integrator->AdvanceTo(t, stop, y);
        EXPECT_LE(watch.latest, stop * (1 + 1e-15)) << method.name;
      }
      integrator->Restart(t, y, Integrator::RestartKind::kSameScale);
    }
  }
}

// ---- failure ------------------------------------------------------------------------------------

TEST(Integrator, CanBeStartedAgainAfterAFailure) {
  struct Root {
    static void Evaluate(void* /*context*/, const double* y, double* ddt, double /*t*/) {
      ddt[0] = -std::sqrt(y[0]);  // not a number below zero
    }
  };
  for (const OdeMethod& method : OdeMethods()) {
    const SolverProblem problem{1, nullptr, Root::Evaluate, {}};
    IntegratorOptions options;
    options.method = std::string(method.name);
    options.fixed_step = 0.1;
    const auto integrator = MakeIntegrator(problem, options);
    std::vector<double> y{-1};
    integrator->Restart(0, y, Integrator::RestartKind::kNewProblem);
    EXPECT_THROW(integrator->AdvanceTo(1, 1, y), IntegrationError) << method.name;
    y = {4};
    integrator->Restart(0, y, Integrator::RestartKind::kNewProblem);
    integrator->AdvanceTo(1, 1, y);
    EXPECT_NEAR(y[0], 2.25, method.order == 1 ? 0.1 : 1e-4) << method.name;
  }
}

TEST_P(AdaptiveMethod, SaysThatMinStepIsTooLarge) {
  TestSystem test(SystemText(Times(1, 10), Tolerances(GetParam(), 1e-12, 1e-12) + " min_step=\"0.3\"",
                             "<test.Kepler name=\"m\"/>"));
  test.manager().Initialize();
  try {
    while (!test.manager().is_finished()) test.manager().Step();
    FAIL() << "it went through";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("min_step is 0.3 s"));
    EXPECT_THAT(error.what(), testing::HasSubstr("/m"));
  }
}

}  // namespace
}  // namespace davit
