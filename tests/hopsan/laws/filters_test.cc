#include "hopsan/laws/filters.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "hopsan/laws/delay.h"

namespace davit::hopsan {
namespace {

constexpr double kStep = 1e-3;

// The bilinear transform of 1/(s/w + 1) at a step: y_n = 1 - (1 - a)/(1 + a) r^n..., r = (2 - wT)/(2 + wT).
TEST(HopsanFirstOrderFilter, AnswersAStepByItsOwnRoot) {
  const double omega = 200, r = (2 - omega * kStep) / (2 + omega * kStep);
  FirstOrderFilter filter;
  filter.Start(1, 0);
  for (int n = 1; n <= 50; ++n) {
    const double y = filter.Step(1, kStep, {.d0 = 1, .d1 = 1 / omega});
    EXPECT_NEAR(y, 1 - std::pow(r, n), 1e-14);
  }
}

TEST(HopsanFirstOrderFilter, IsOfSecondOrderInTheTimeStep) {
  const auto error = [](int steps) {
    const double h = 0.02 / steps;
    FirstOrderFilter filter;
    filter.Start(1, 0);
    for (int n = 0; n < steps; ++n) filter.Step(1, h, {.d0 = 1, .d1 = 0.01});
    return std::abs(filter.value() - (1 - std::exp(-2.0)));
  };
  EXPECT_NEAR(error(100) / error(200), 4, 0.01);
}

TEST(HopsanFirstOrderFilter, StaysWithinItsLimitsAndGoesOnFromThere) {
  FirstOrderFilter filter;
  filter.Start(0, 5, {-1, 1});
  EXPECT_EQ(filter.value(), 1);
  EXPECT_EQ(filter.Step(10, kStep, {.d0 = 1, .d1 = 0}), 1);
  EXPECT_TRUE(filter.is_saturated());
  // d1 = 0: y = u + u' - y' of the limited y'.
  EXPECT_NEAR(filter.Step(-9.5, kStep, {.d0 = 1, .d1 = 0}), 10 - 9.5 - 1, 1e-14);  // digits of 10
  EXPECT_FALSE(filter.is_saturated());
}

// A lag of second order has the gain 1 at rest and the root pair of its damped oscillation.
TEST(HopsanSecondOrderFilter, SettlesAtItsInputAndConvergesWithTheSquareOfTheStep) {
  const double omega = 40, delta = 0.3, wd = omega * std::sqrt(1 - delta * delta), end = 0.1;
  const auto exact =
      1 - std::exp(-delta * omega * end) * (std::cos(wd * end) + delta * omega / wd * std::sin(wd * end));
  const auto error = [&](int steps) {
    SecondOrderFilter filter;
    // A step that came half a step before the first one, as the trapezoidal rule sees it.
    filter.Start(0, 0);
    const double h = end / steps;
    filter.Step(0.5, h, SecondOrderRatio::Lag(omega, delta));
    for (int n = 0; n < steps; ++n) filter.Step(1, h, SecondOrderRatio::Lag(omega, delta));
    return std::abs(filter.value() - exact);
  };
  EXPECT_NEAR(error(500) / error(1000), 4, 0.1);
  SecondOrderFilter filter;
  filter.Start(0, 0);
  for (int n = 0; n < 5000; ++n) filter.Step(1, kStep, SecondOrderRatio::Lag(omega, delta));
  EXPECT_NEAR(filter.value(), 1, 1e-12);
}

TEST(HopsanSecondOrderFilter, RestsWhereItIsSet) {
  SecondOrderFilter filter;
  filter.Set(3, 3);
  // Each step rounds by 4 d2/T^2 = 400 times the last digit.
  for (int n = 0; n < 10; ++n) EXPECT_NEAR(filter.Step(3, kStep, SecondOrderRatio::Lag(100, 1)), 3, 3e-12);
}

RC_GTEST_PROP(HopsanIntegrator, IsExactForAStraightLine, ()) {
  const double slope = *rc::gen::inRange(-100, 100), start = *rc::gen::inRange(-100, 100);
  Integrator integral;
  integral.Start(start, 0);
  const int steps = 64;
  const double h = 1.0 / steps;
  for (int n = 1; n <= steps; ++n) integral.Step(start + slope * n * h, h);
  RC_ASSERT(std::abs(integral.value() - (start + slope / 2)) <= 1e-12 * (1 + std::abs(slope)));
}

// Without damping a constant acceleration gives v = a t and x = a t^2/2 exactly.
TEST(HopsanDampedDoubleIntegrator, FallsFreely) {
  DampedDoubleIntegrator body;
  body.Start(9.81, 0, 0);
  for (int n = 0; n < 1000; ++n) body.Step(9.81, 0, kStep);
  EXPECT_NEAR(body.v(), 9.81, 1e-11);
  EXPECT_NEAR(body.y(), 9.81 / 2, 1e-11);
}

TEST(HopsanHysteresis, MovesOnlyAsFarAsItMust) {
  EXPECT_EQ(Hysteresis(5, 2, 0), 4);
  EXPECT_EQ(Hysteresis(5, 2, 4.5), 4.5);
  EXPECT_EQ(Hysteresis(5, 2, 9), 6);
}

TEST(HopsanDelay, GivesWhatWasPutInItsLengthAgo) {
  Delay delay;
  delay.Start(0.005, kStep, -1);
  ASSERT_EQ(delay.size(), 5U);
  for (int n = 0; n < 20; ++n) EXPECT_EQ(delay.Step(n), n < 5 ? -1 : n - 5);
  delay.Start(0, kStep, 7);
  EXPECT_EQ(delay.size(), 1U);
}

}  // namespace
}  // namespace davit::hopsan
