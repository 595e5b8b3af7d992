#include "simulator/building_blocks/limited_integrator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/building_blocks/integrator.h"

namespace davit::building_blocks {
namespace {

RC_GTEST_PROP(LimitedIntegratorTest, IsTheIntegratorInsideTheLimits, (const std::vector<int>& inputs)) {
  Integrator integrator;
  LimitedIntegrator limited;
  integrator.Initialize(0.01, 1, 2);
  limited.Initialize(0.01, 1, 2, {});
  for (const int u : inputs) RC_ASSERT(limited.Update(u) == integrator.Update(u));
}

RC_GTEST_PROP(LimitedIntegratorTest, NeverLeavesTheLimits, (const std::vector<signed char>& inputs)) {
  LimitedIntegrator limited;
  limited.Initialize(0.1, 0, 0, {-1, 2});
  for (const int u : inputs) {
    const double y = limited.Update(u);
    RC_ASSERT(y >= -1 && y <= 2);
    RC_ASSERT(limited.is_saturated() == (y == -1 || y == 2));
  }
}

TEST(LimitedIntegratorTest, LeavesALimitInTheStepInWhichTheInputTurns) {
  for (const double sign : {-1.0, 1.0}) {
    LimitedIntegrator limited;
    limited.Initialize(0.5, 0, 0, {-1, 1});
    for (int n = 0; n < 1000; ++n) limited.Update(sign * 100);
    EXPECT_TRUE(limited.is_saturated());
    EXPECT_EQ(limited.value(), sign);
    limited.Update(-sign * 0.25);
    EXPECT_FALSE(limited.is_saturated());
    EXPECT_EQ(limited.value(), sign * (1 - 0.25 * 0.25));  // the u remembered was 0
  }
}

TEST(LimitedIntegratorTest, StartsFromALimitInwardsAsWithoutLimits) {
  LimitedIntegrator limited;
  limited.Initialize(0.5, -1, 5, {-5, 5});
  EXPECT_TRUE(limited.is_saturated());
  EXPECT_EQ(limited.Update(-1), 4.5);
}

TEST(LimitedIntegratorTest, StartsAtTheLimitFromOutside) {
  LimitedIntegrator limited;
  limited.Initialize(0.5, 0, 7, {-5, 5});
  EXPECT_EQ(limited.value(), 5);
  limited.SetState(0, -7);
  EXPECT_EQ(limited.value(), -5);
}

TEST(LimitedIntegratorTest, NewLimitsActAtOnce) {
  LimitedIntegrator limited;
  limited.Initialize(0.5, 2, 4, {-5, 5});
  limited.SetLimits({-3, 3});
  EXPECT_EQ(limited.value(), 3);
  EXPECT_EQ(limited.Update(-1), 2.75);
}

TEST(LimitedIntegratorTest, PassesNanOn) {
  LimitedIntegrator limited;
  limited.Initialize(0.5, 0, 0, {-5, 5});
  EXPECT_TRUE(std::isnan(limited.Update(std::numeric_limits<double>::quiet_NaN())));
}

TEST(LimitedIntegratorTest, DoesNotAllocate) {
  LimitedIntegrator limited;
  const AllocationCounter counter;
  limited.Initialize(1e-3, 0, 0, {-1, 1});
  for (int n = 0; n < 100; ++n) limited.Update(n);
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit::building_blocks
