#include "simulator/building_blocks/second_order_transfer_function.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/building_blocks/first_order_transfer_function.h"
#include "tests/simulator/building_blocks/frequency_response.h"
#include "tests/simulator/building_blocks/observed_order.h"

namespace davit::building_blocks {
namespace {

constexpr SecondOrderCoefficients kFull{.a2 = 2e-3, .a1 = 0.04, .a0 = 3, .b2 = 1e-3, .b1 = 0.03, .b0 = 2};

/// Lag of natural frequency w [rad/s] and damping ratio d.
SecondOrderCoefficients Lag(double w, double d) { return {.b2 = 1 / (w * w), .b1 = 2 * d / w}; }

TEST(SecondOrderTransferFunctionTest, IsTheBilinearDifferenceEquation) {
  const double h = 0.02;
  const auto [a2, a1, a0, b2, b1, b0] = kFull;
  SecondOrderTransferFunction filter;
  filter.Initialize(h, kFull, 0, 0);
  double u1 = 0, u2 = 0, y1 = 0, y2 = 0;
  for (const double u : {2.0, -1.0, 0.0, 5.0, 5.0, -7.0, 3.0, 1.0}) {
    const double y = ((a0 * h * h + 2 * a1 * h + 4 * a2) * u + (2 * a0 * h * h - 8 * a2) * u1 +
                      (a0 * h * h - 2 * a1 * h + 4 * a2) * u2 - (2 * b0 * h * h - 8 * b2) * y1 -
                      (b0 * h * h - 2 * b1 * h + 4 * b2) * y2) /
                     (b0 * h * h + 2 * b1 * h + 4 * b2);
    EXPECT_NEAR(filter.Update(u), y, 1e-13);
    u2 = u1;
    u1 = u;
    y2 = y1;
    y1 = y;
  }
}

TEST(SecondOrderTransferFunctionTest, HasTheFrequencyResponseOfTheBilinearTransform) {
  const double h = 1e-3;
  for (const SecondOrderCoefficients& c : {kFull, Lag(100, 0.3), Lag(30, 2)}) {
    SecondOrderTransferFunction filter;
    filter.Initialize(h, c, 0, 0);
    for (const double w : {0.5, 30.0, 100.0, 1000.0, 3000.0}) {
      const std::complex<double> s = Prewarped(w, h);
      const std::complex<double> expected =
          (c.a2 * s * s + c.a1 * s + c.a0) / (c.b2 * s * s + c.b1 * s + c.b0);
      const auto update = [](SecondOrderTransferFunction& block, double u) { return block.Update(u); };
      EXPECT_LT(std::abs(FrequencyResponse(filter, update, w, h, 8000) - expected), 1e-11) << w << " rad/s";
    }
  }
}

TEST(SecondOrderTransferFunctionTest, HasOrderTwo) {
  // Step answer of a lag from rest: y = 1 - exp(-d w t) (cos(wd t) + d w/wd sin(wd t)), driven by a step at t
  // < 0.
  const double w = 5;
  const double d = 0.2;
  const double t_end = 1.3;
  const double wd = w * std::sqrt(1 - d * d);
  const double y_end =
      1 - std::exp(-d * w * t_end) * (std::cos(wd * t_end) + d * w / wd * std::sin(wd * t_end));
  const auto error = [&](int steps) {
    SecondOrderTransferFunction lag;
    lag.Initialize(t_end / steps, Lag(w, d), 1, 0);
    for (int n = 1; n <= steps; ++n) lag.Update(1);
    return lag.value() - y_end;
  };
  EXPECT_NEAR(ObservedOrder(error, 200), 2, 0.01);
}

TEST(SecondOrderTransferFunctionTest, AnUndampedLagKeepsItsAmplitude) {
  // The bilinear transform turns the imaginary axis into the unit circle.
  SecondOrderTransferFunction lag;
  lag.Initialize(1e-3, Lag(50, 0), 1, 0);
  double highest = 0;
  double lowest = 2;
  for (int n = 0; n < 1000000; ++n) {
    const double y = lag.Update(1);
    highest = std::max(highest, y);
    lowest = std::min(lowest, y);
  }
  EXPECT_NEAR(highest, 2, 1e-9);
  EXPECT_NEAR(lowest, 0, 1e-9);
}

TEST(SecondOrderTransferFunctionTest, ComesToItsGainToTheLastDigitsAndRestsThere) {
  for (const double h : {1e-2, 1e-3, 1e-5}) {
    for (const double u : {0.1, 1.7, -29.3}) {
      SecondOrderTransferFunction filter;
      filter.Initialize(h, kFull, 0, 0);
      for (int n = 0; n < 20 / h; ++n) filter.Update(u);
      const double y = filter.value();
      EXPECT_DOUBLE_EQ(y, 1.5 * u) << "h = " << h;
      for (int n = 0; n < 100000; ++n) ASSERT_EQ(filter.Update(u), y);
    }
  }
}

RC_GTEST_PROP(SecondOrderTransferFunctionTest, RestsBitForBitFromAConsistentStart, (int u0)) {
  SecondOrderTransferFunction filter;
  filter.Initialize(1e-6, kFull, u0, 1.5 * u0);
  for (int n = 0; n < 100; ++n) RC_ASSERT(filter.Update(u0) == 1.5 * u0);
}

TEST(SecondOrderTransferFunctionTest, StartsAtAnyOutputWithRateZero) {
  // y'' = w^2 (u - y), so the first step moves y by about h^2/2 w^2 (u - y0).
  for (const double h : {1e-3, 1e-4, 1e-5}) {
    SecondOrderTransferFunction lag;
    lag.Initialize(h, Lag(10, 0.5), 4, 1);
    EXPECT_EQ(lag.value(), 1);
    EXPECT_NEAR((lag.Update(4) - 1) / (h * h / 2), 300, 3e3 * h + 1e-4);
  }
}

TEST(SecondOrderTransferFunctionTest, GoesOnFromASetRate) {
  const double h = 1e-6;
  SecondOrderTransferFunction lag;
  lag.Initialize(h, Lag(10, 0.5), 0, 0);
  lag.SetState(4, 1, 7);
  EXPECT_EQ(lag.value(), 1);
  EXPECT_NEAR((lag.Update(4) - 1) / h, 7, 1e-3);
}

TEST(SecondOrderTransferFunctionTest, KeepsOutputAndRateWhenCoefficientsChange) {
  const double h = 1e-5;
  SecondOrderTransferFunction lag;
  lag.Initialize(h, Lag(10, 0.5), 1, 0);
  for (int n = 0; n < 10000; ++n) lag.Update(1);
  const double before = lag.value();
  const double rate_before = (lag.Update(1) - before) / h;
  const double y = lag.value();
  lag.SetCoefficients(Lag(40, 0.1));
  EXPECT_EQ(lag.value(), y);
  EXPECT_NEAR((lag.Update(1) - y) / h, rate_before, 1e-2);
  EXPECT_GT(std::abs(rate_before), 1);
}

TEST(SecondOrderTransferFunctionTest, WithoutSquareTermsIsOfFirstOrder) {
  FirstOrderTransferFunction first;
  SecondOrderTransferFunction second;
  first.Initialize(0.01, {.a1 = 0.3, .a0 = 2, .b1 = 0.05, .b0 = 0.7}, 1, 3, {-4, 4});
  second.Initialize(0.01, {.a1 = 0.3, .a0 = 2, .b1 = 0.05, .b0 = 0.7}, 1, 3, {-4, 4});
  for (int n = 0; n < 500; ++n) {
    const double u = 2 * std::sin(0.05 * n);
    EXPECT_NEAR(second.Update(u), first.Update(u), 1e-12) << n;
    EXPECT_EQ(second.is_saturated(), first.is_saturated()) << n;
  }
}

TEST(SecondOrderTransferFunctionTest, WithoutDynamicsIsAGain) {
  SecondOrderTransferFunction gain;
  gain.Initialize(0.1, {.a0 = 3, .b0 = 2}, 2, 3);
  for (const double u : {1.0, -5.0, 0.25, 100.0}) EXPECT_NEAR(gain.Update(u), 1.5 * u, 1e-13);
}

RC_GTEST_PROP(SecondOrderTransferFunctionTest, NeverLeavesItsLimits,
              (const std::vector<signed char>& inputs)) {
  SecondOrderTransferFunction filter;
  filter.Initialize(0.01, kFull, 0, 0, {-1, 2});
  for (const int u : inputs) {
    const double y = filter.Update(u);
    RC_ASSERT(y >= -1 && y <= 2);
    RC_ASSERT(filter.is_saturated() == (y == -1 || y == 2));
  }
}

TEST(SecondOrderTransferFunctionTest, LeavesALimitInTheStepInWhichTheInputTurns) {
  for (const double d : {0.0, 0.2, 2.0}) {
    for (const double sign : {-1.0, 1.0}) {
      SecondOrderTransferFunction spool;
      spool.Initialize(0.001, Lag(100, d), 0, 0, {-1, 1});
      for (int n = 0; n < 1000; ++n) spool.Update(sign * 50);
      EXPECT_EQ(spool.value(), sign);
      spool.Update(sign * 1.01);
      EXPECT_TRUE(spool.is_saturated());  // still driven outwards
      spool.Update(sign * 0.99);
      EXPECT_FALSE(spool.is_saturated());
      EXPECT_LT(sign * spool.value(), 1);
    }
  }
}

TEST(SecondOrderTransferFunctionTest, AfterALimitGoesOnAsIfStartedThere) {
  SecondOrderTransferFunction saturated;
  SecondOrderTransferFunction fresh;
  saturated.Initialize(0.001, kFull, 0, 0, {-1, 1});
  for (int n = 0; n < 1000; ++n) saturated.Update(40);
  fresh.Initialize(0.001, kFull, 40, 1, {-1, 1});
  for (int n = 0; n < 100; ++n) EXPECT_EQ(saturated.Update(0.1 * n - 3), fresh.Update(0.1 * n - 3));
}

TEST(SecondOrderTransferFunctionTest, NewLimitsActAtOnce) {
  SecondOrderTransferFunction lag;
  lag.Initialize(0.01, Lag(10, 1), 3, 3);
  lag.SetLimits({-1, 1});
  EXPECT_EQ(lag.value(), 1);
  EXPECT_TRUE(lag.is_saturated());
  lag.SetLimits({});
  EXPECT_FALSE(lag.is_saturated());
  EXPECT_GT(lag.Update(3), 1);
}

TEST(SecondOrderTransferFunctionTest, PassesNanOn) {
  SecondOrderTransferFunction lag;
  lag.Initialize(0.01, Lag(10, 1), 0, 0, {-5, 5});
  EXPECT_TRUE(std::isnan(lag.Update(std::numeric_limits<double>::quiet_NaN())));
}

TEST(SecondOrderTransferFunctionTest, DoesNotAllocate) {
  SecondOrderTransferFunction filter;
  const AllocationCounter counter;
  filter.Initialize(1e-3, kFull, 0, 0, {-1, 1});
  for (int n = 0; n < 100; ++n) filter.Update(n);
  filter.SetCoefficients(Lag(10, 1));
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit::building_blocks
