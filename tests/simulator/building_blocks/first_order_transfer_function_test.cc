#include "simulator/building_blocks/first_order_transfer_function.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/building_blocks/limited_integrator.h"
#include "tests/simulator/building_blocks/frequency_response.h"
#include "tests/simulator/building_blocks/observed_order.h"

namespace davit::building_blocks {
namespace {

constexpr FirstOrderCoefficients kLead{.a1 = 0.3, .a0 = 2, .b1 = 0.05, .b0 = 0.7};

TEST(FirstOrderTransferFunctionTest, IsTheBilinearDifferenceEquation) {
  const double h = 0.02;
  const auto [a1, a0, b1, b0] = kLead;
  FirstOrderTransferFunction filter;
  filter.Initialize(h, kLead, 1, 3);
  double u_last = 1;
  double y_last = 3;
  for (const double u : {2.0, -1.0, 0.0, 5.0, 5.0, -7.0}) {
    const double y =
        ((a0 * h + 2 * a1) * u + (a0 * h - 2 * a1) * u_last - (b0 * h - 2 * b1) * y_last) / (b0 * h + 2 * b1);
    EXPECT_NEAR(filter.Update(u), y, 1e-13);
    u_last = u;
    y_last = y;
  }
}

TEST(FirstOrderTransferFunctionTest, HasTheFrequencyResponseOfTheBilinearTransform) {
  const double h = 1e-3;
  for (const FirstOrderCoefficients& c : {kLead, FirstOrderCoefficients{.b1 = 0.02}}) {
    FirstOrderTransferFunction filter;
    filter.Initialize(h, c, 0, 0);
    for (const double w : {0.5, 30.0, 1000.0, 3000.0}) {
      const std::complex<double> s = Prewarped(w, h);
      const std::complex<double> expected = (c.a1 * s + c.a0) / (c.b1 * s + c.b0);
      const auto update = [](FirstOrderTransferFunction& block, double u) { return block.Update(u); };
      EXPECT_LT(std::abs(FrequencyResponse(filter, update, w, h, 3000) - expected), 1e-11) << w << " rad/s";
    }
  }
}

TEST(FirstOrderTransferFunctionTest, HasOrderTwo) {
  // T y' + y = sin(w t), y(0) = 0
  const double T = 0.4;
  const double w = 3;
  const double t_end = 1.5;
  const double y_end = (std::sin(w * t_end) - w * T * std::cos(w * t_end) + w * T * std::exp(-t_end / T)) /
                       (1 + w * w * T * T);
  const auto error = [&](int steps) {
    const double h = t_end / steps;
    FirstOrderTransferFunction lag;
    lag.Initialize(h, {.b1 = T}, 0, 0);
    for (int n = 1; n <= steps; ++n) lag.Update(std::sin(w * h * n));
    return lag.value() - y_end;
  };
  EXPECT_NEAR(ObservedOrder(error, 100), 2, 0.01);
}

TEST(FirstOrderTransferFunctionTest, FollowsARampBehindByItsTimeConstantExactly) {
  for (const double h : {0.5, 0.25, 0.125}) {
    FirstOrderTransferFunction lag;
    lag.Initialize(h, {.b1 = 2}, 0, -2);  // y = t - T from the start
    for (double t = h; t < 10; t += h) EXPECT_NEAR(lag.Update(t), t - 2, 1e-14);
  }
}

TEST(FirstOrderTransferFunctionTest, ComesToItsGainToTheLastDigitsAndRestsThere) {
  for (const double h : {1e-2, 1e-3, 1e-5}) {
    for (const double u : {0.1, 1.7, -29.3}) {
      FirstOrderTransferFunction filter;
      filter.Initialize(h, {.a1 = 0.3, .a0 = 3, .b1 = 0.5, .b0 = 2}, 0, 0);
      for (int n = 0; n < 20 / h; ++n) filter.Update(u);
      const double y = filter.value();
      EXPECT_DOUBLE_EQ(y, 1.5 * u) << "h = " << h;
      for (int n = 0; n < 100000; ++n) ASSERT_EQ(filter.Update(u), y);
    }
  }
}

RC_GTEST_PROP(FirstOrderTransferFunctionTest, RestsBitForBitFromAConsistentStart, (int u0)) {
  FirstOrderTransferFunction filter;
  filter.Initialize(1e-5, {.a1 = 0.3, .a0 = 3, .b1 = 0.7, .b0 = 2}, u0, 1.5 * u0);
  for (int n = 0; n < 100; ++n) RC_ASSERT(filter.Update(u0) == 1.5 * u0);
}

TEST(FirstOrderTransferFunctionTest, StartsWithoutAJumpFromAnyOutput) {
  // y' = (u - y)/T, so the first step moves y by about h (u - y0)/T.
  for (const double h : {1e-2, 1e-4, 1e-6}) {
    FirstOrderTransferFunction lag;
    lag.Initialize(h, {.b1 = 1}, 4, 1);
    EXPECT_EQ(lag.value(), 1);
    EXPECT_NEAR((lag.Update(4) - 1) / h, 3, 2 * h);
  }
}

TEST(FirstOrderTransferFunctionTest, KeepsItsOutputWhenCoefficientsChange) {
  const double h = 1e-6;
  FirstOrderTransferFunction filter;
  filter.Initialize(h, kLead, 0, 0);
  for (int n = 0; n < 1000; ++n) filter.Update(1);
  const double y = filter.value();
  filter.SetCoefficients({.a1 = 0.1, .a0 = 5, .b1 = 0.2, .b0 = 1});
  EXPECT_EQ(filter.value(), y);
  EXPECT_NEAR((filter.Update(1) - y) / h, (5 - y) / 0.2, 1e-3);
}

TEST(FirstOrderTransferFunctionTest, WithoutTimeConstantIsAGain) {
  FirstOrderTransferFunction gain;
  gain.Initialize(0.1, {.a0 = 3, .b0 = 2}, 2, 3);
  for (const double u : {1.0, -5.0, 0.25, 100.0}) EXPECT_NEAR(gain.Update(u), 1.5 * u, 1e-13);
}

TEST(FirstOrderTransferFunctionTest, WithoutB0IsTheLimitedIntegrator) {
  LimitedIntegrator integrator;
  FirstOrderTransferFunction filter;
  integrator.Initialize(0.125, 0, 0, {-1, 2});
  filter.Initialize(0.125, {.b1 = 1, .b0 = 0}, 0, 0, {-1, 2});
  for (int n = 0; n < 400; ++n) {
    const double u = 5 * std::sin(0.1 * n);
    EXPECT_NEAR(filter.Update(u), integrator.Update(u), 1e-14);
    EXPECT_EQ(filter.is_saturated(), integrator.is_saturated());
  }
}

RC_GTEST_PROP(FirstOrderTransferFunctionTest, NeverLeavesItsLimits,
              (const std::vector<signed char>& inputs)) {
  FirstOrderTransferFunction filter;
  filter.Initialize(0.01, kLead, 0, 0, {-1, 2});
  for (const int u : inputs) {
    const double y = filter.Update(u);
    RC_ASSERT(y >= -1 && y <= 2);
    RC_ASSERT(filter.is_saturated() == (y == -1 || y == 2));
  }
}

TEST(FirstOrderTransferFunctionTest, LeavesALimitInTheStepInWhichTheInputTurns) {
  for (const double sign : {-1.0, 1.0}) {
    FirstOrderTransferFunction lag;
    lag.Initialize(0.01, {.b1 = 0.5}, 0, 0, {-1, 1});
    for (int n = 0; n < 1000; ++n) lag.Update(sign * 50);
    EXPECT_EQ(lag.value(), sign);
    lag.Update(sign * 1.01);
    EXPECT_TRUE(lag.is_saturated());  // still driven outwards
    lag.Update(sign * 0.99);
    EXPECT_FALSE(lag.is_saturated());
    EXPECT_LT(sign * lag.value(), 1);
  }
}

TEST(FirstOrderTransferFunctionTest, AfterALimitGoesOnAsIfStartedThere) {
  FirstOrderTransferFunction saturated;
  FirstOrderTransferFunction fresh;
  saturated.Initialize(0.01, kLead, 0, 0, {-1, 1});
  for (int n = 0; n < 1000; ++n) saturated.Update(40);
  fresh.Initialize(0.01, kLead, 40, 1, {-1, 1});
  for (int n = 0; n < 100; ++n) EXPECT_EQ(saturated.Update(0.1 * n - 3), fresh.Update(0.1 * n - 3));
}

TEST(FirstOrderTransferFunctionTest, NewLimitsActAtOnce) {
  FirstOrderTransferFunction lag;
  lag.Initialize(0.01, {.b1 = 0.5}, 3, 3);
  lag.SetLimits({-1, 1});
  EXPECT_EQ(lag.value(), 1);
  EXPECT_TRUE(lag.is_saturated());
  lag.SetLimits({});
  EXPECT_FALSE(lag.is_saturated());
  EXPECT_GT(lag.Update(3), 1);
}

TEST(FirstOrderTransferFunctionTest, ASetStateIsAFreshStart) {
  FirstOrderTransferFunction used;
  FirstOrderTransferFunction fresh;
  used.Initialize(0.01, kLead, 0, 0);
  for (int n = 0; n < 10; ++n) used.Update(n);
  used.SetState(2, -1);
  fresh.Initialize(0.01, kLead, 2, -1);
  for (int n = 0; n < 10; ++n) EXPECT_EQ(used.Update(n), fresh.Update(n));
}

TEST(FirstOrderTransferFunctionTest, PassesNanOn) {
  FirstOrderTransferFunction lag;
  lag.Initialize(0.5, {.b1 = 1}, 0, 0, {-5, 5});
  EXPECT_TRUE(std::isnan(lag.Update(std::numeric_limits<double>::quiet_NaN())));
}

TEST(FirstOrderTransferFunctionTest, DoesNotAllocate) {
  FirstOrderTransferFunction filter;
  const AllocationCounter counter;
  filter.Initialize(1e-3, kLead, 0, 0, {-1, 1});
  for (int n = 0; n < 100; ++n) filter.Update(n);
  filter.SetCoefficients({.b1 = 2});
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit::building_blocks
