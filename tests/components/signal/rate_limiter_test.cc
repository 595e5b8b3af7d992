#include "components/signal/rate_limiter.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

class RateLimiterTest : public testing::Test {
 protected:
  RateLimiterTest() {
    harness.Set(limiter, "rise", 2);
    harness.Set(limiter, "fall", 4);
    harness.Set(limiter, "time_constant", 0.1);
  }
  double y() const { return harness.Read(limiter, "y"); }

  ComponentHarness harness;
  RateLimiter& limiter = harness.Add<RateLimiter>("limiter");
};

// The ramp reaches the linear range 0.1 s*2/s = 0.2 below its goal, after (1 - 0.2)/2 s.
double Expected(double t) { return t < 0.4 ? 2 * t : 1 - 0.2 * std::exp(-(t - 0.4) / 0.1); }

TEST_F(RateLimiterTest, RisesByARampThatFadesIn) {
  harness.Set(limiter, "u", 1);
  harness.Start();
  double t = 0;
  for (int i = 0; i < 10; ++i, t += 0.1) {
    EXPECT_NEAR(y(), Expected(t), 1e-8) << t;
    harness.Integrate(t, 1e-3, 100);  // the kink at 0.4 s is a step point
  }
}

TEST_F(RateLimiterTest, FallsWithItsOwnRate) {
  harness.SetStart(limiter, "y", 1);
  harness.Set(limiter, "u", -1);
  harness.Start();
  harness.Integrate(0, 1e-3, 250);
  EXPECT_NEAR(y(), 1 - 4 * 0.25, 1e-12);
}

TEST_F(RateLimiterTest, FixedStepsAgreeToSecondOrder) {
  const auto error = [](double h) {
    ComponentHarness alone;
    auto& stepped = alone.Add<RateLimiter>("stepped");
    alone.Set(stepped, "rise", 2);
    alone.Set(stepped, "time_constant", 0.1);
    alone.Set(stepped, "u", 1);
    stepped.set_simulator_time_step(h);
    stepped.ChooseSolver(SolverType::kTlm);
    alone.Start();
    for (int n = 1; n <= std::lround(0.6 / h); ++n) stepped.SimulateOneTimestep(n * h);
    return std::abs(alone.Read(stepped, "y") - Expected(0.6));
  };
  EXPECT_LT(error(1e-3), 1e-4);
  EXPECT_NEAR(error(2e-3) / error(1e-3), 4, 0.5);
}

}  // namespace
}  // namespace davit
