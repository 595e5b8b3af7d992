// The hand-written equations of the lifting system, which the components are compared with. Values of Ideal
// and Standard: two unrelated integrators that agree to 4e-8 m, 52 Pa in p_a and p_b, 512 Pa in p_pump.

#include "tests/support/lifting_equations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "simulator/solvers/integrator.h"
#include "tests/support/lifting_ida.h"

namespace davit::lifting {
namespace {

constexpr IdaOptions kExact{.rtol = 1e-9, .atol = 1e-11, .interval = 0.1};

const Values& At(double t, const std::vector<Values>& values, double interval = kExact.interval) {
  return values[static_cast<std::size_t>(std::lround(t / interval))];
}

/// Flows of `expected` in l/min.
void ExpectNear(const Values& seen, const Values& expected) {
  EXPECT_NEAR(seen.x, expected.x, 2e-6);
  EXPECT_NEAR(seen.v, expected.v, 1e-6);
  EXPECT_NEAR(seen.p_a, expected.p_a, 2e3);
  EXPECT_NEAR(seen.p_b, expected.p_b, 2e3);
  EXPECT_NEAR(seen.p_pump, expected.p_pump, 2e3);
  EXPECT_NEAR(seen.q_pump * 6e4, expected.q_pump, 0.4);  // what 512 Pa make at the compensator
  EXPECT_NEAR(seen.q_a * 6e4, expected.q_a, 6e4 * kPistonArea * 2e-6);
  EXPECT_NEAR(seen.q_b * 6e4, expected.q_b, 6e4 * kRingArea * 2e-6);
}

TEST(LiftingEquationsTest, IdealReachesItsValues) {
  const IdaRun run = SolveWithIda<Ideal>(kExact);
  const Values steady{0, .1270553, 1755102.6, 260091.9, 8080900.5, 479.5200, 479.5200, 360.4857};
  Values at_8 = steady, at_20 = steady;
  at_8.x = 1.00085691;
  at_20.x = .67153612;
  ExpectNear(At(8, run.values), at_8);
  ExpectNear(At(20, run.values), at_20);
}

TEST(LiftingEquationsTest, IdealHoistsAndLowersAsThePumpFlowSays) {
  const IdaRun run = SolveWithIda<Ideal>(kExact);
  EXPECT_NEAR(At(9, run.values).v, Ideal::PumpFlow() / kPistonArea, 1e-7);
  EXPECT_NEAR(At(12, run.values).v, -Ideal::PumpFlow() / kRingArea, 1e-7);
}

TEST(LiftingEquationsTest, StandardReachesItsValues) {
  const IdaRun run = SolveWithIda<Standard>(kExact);
  ExpectNear(At(1, run.values), {1, 0, 1559575, 0, 29903010, 36.5985, 0, 0});
  ExpectNear(At(8, run.values),
             {1.03876001, .1236915, 3655826, 2663566, 22117985, 479.5200, 466.9104, 352.3745});
  ExpectNear(At(20, run.values),
             {.84185704, .1131945, 3310384, 2199432, 29005827, 475.1506, 431.1852, 317.4143});
}

TEST(LiftingEquationsTest, StandardIsCloseAtModestTolerances) {
  const IdaRun run = SolveWithIda<Standard>({.rtol = 1e-6, .atol = 1e-8, .interval = 0.1});
  const IdaRun exact = SolveWithIda<Standard>(kExact);
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    EXPECT_NEAR(run.values[i].x, exact.values[i].x, 1e-4) << "at " << 0.1 * static_cast<double>(i) << " s";
  }
}

/// Another integrator, stepped over the same intervals.
template <class System>
std::vector<Values> SolveWith(const std::string& method, double rtol) {
  System system;
  SolverProblem ode;
  ode.size = System::kSize;
  ode.context = &system;
  ode.evaluate = [](void* context, const double* y, double* ddt, double t) {
    static_cast<System*>(context)->Evaluate(t, y, ddt);
  };
  ode.nominal.assign(System::kNominal.begin(), System::kNominal.end());
  IntegratorOptions options;
  options.method = method;
  options.relative_tolerance = rtol;
  options.absolute_tolerance = 1e-2 * rtol;
  const std::unique_ptr<Integrator> integrator = MakeIntegrator(ode, options);
  typename System::Vector y = System::Start();
  std::vector<Values> values{system.Read(y.data())};
  for (const Interval& interval : Intervals(System::kLargestNeutral)) {
    system.side = interval.side;
    integrator->Restart(interval.begin, y, Integrator::RestartKind::kNewProblem);
    for (double t = interval.begin; t < interval.end;) {
      const double next = static_cast<double>(values.size()) * kExact.interval;
      t = std::min(next, interval.end);
      integrator->AdvanceTo(t, interval.end, y);
      if (t == next) values.push_back(system.Read(y.data()));
    }
  }
  return values;
}

TEST(LiftingEquationsTest, AdvancedIsTheSameByTwoIntegrators) {
  const IdaRun run = SolveWithIda<Advanced>(kExact);
  const std::vector<Values> other = SolveWith<Advanced>("rosenbrock4", 1e-7);
  ASSERT_EQ(other.size(), run.values.size());
  const auto is_near_a_switch = [](double t) {
    for (const Interval& interval : Intervals(Advanced::kLargestNeutral)) {
      if (std::abs(t - interval.begin) < 0.05) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < other.size(); ++i) {
    const double t = static_cast<double>(i) * kExact.interval;
    SCOPED_TRACE(t);
    EXPECT_NEAR(other[i].x, run.values[i].x, 2e-6);
    if (is_near_a_switch(t)) continue;
    EXPECT_NEAR(other[i].p_a, run.values[i].p_a, 2e3);
    EXPECT_NEAR(other[i].p_b, run.values[i].p_b, 2e3);
    EXPECT_NEAR(other[i].p_pump, run.values[i].p_pump, 2e3);
  }
}

TEST(LiftingEquationsTest, BristlesStayWithinTheBreakawayForce) {
  const double limit = 4500 / 1e7;
  Advanced system;
  Advanced::Vector y = Advanced::Start(), ddt{};
  for (const double v : {-1.0, -1e-3, 1e-3, 1.0}) {
    y[Advanced::kV] = v;
    y[Advanced::kZ] = std::copysign(limit, v);
    system.Evaluate(0, y.data(), ddt.data());
    EXPECT_LE(ddt[Advanced::kZ] * v, 0) << "z would grow beyond Fs/s0";
  }
}

}  // namespace
}  // namespace davit::lifting
