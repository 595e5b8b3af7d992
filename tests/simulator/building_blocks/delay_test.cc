#include "simulator/building_blocks/delay.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <random>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "tests/simulator/building_blocks/frequency_response.h"
#include "tests/simulator/building_blocks/observed_order.h"

namespace davit::building_blocks {
namespace {

/// The bits pushed come out again, `steps` steps later, of a delay T.
void ExpectExact(double h, double T, std::size_t steps) {
  Delay delay;
  delay.Initialize(h, T, -7.25);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(-1e7, 1e7);
  std::vector<double> pushed;
  for (std::size_t n = 0; n < 100000; ++n) {
    pushed.push_back(number(random));
    delay.Push(pushed.back());
    // At t_{n+1}: the value of t_{n+1-steps}.
    const double expected = n + 1 >= steps ? pushed[n + 1 - steps] : -7.25;
    ASSERT_EQ(delay.Read(), expected) << "step " << n;
  }
}

TEST(DelayTest, OfAnIntegerNumberOfStepsIsExact) {
  ExpectExact(1e-3, 1e-3, 1);
  ExpectExact(1e-3, 2e-3, 2);
  ExpectExact(1e-3, 0.007, 7);
  ExpectExact(0.1, 0.3, 3);  // 0.3/0.1 is not 3 in binary
  ExpectExact(1e-5, 0.5, 50000);
  ExpectExact(1e-3, 1e-3 * (5 + 0.9e-9), 5);
  ExpectExact(1e-3, 1e-3 * (1 - 0.9e-9), 1);
}

TEST(DelayTest, GivesTheStartValueBeforeTheFirstPush) {
  Delay delay;
  delay.Initialize(1e-3, 2.5e-3, 4);
  EXPECT_EQ(delay.Read(), 4);
}

TEST(DelayTest, OfAnyTimeIsExactForARamp) {
  const double h = 0.25;
  for (const double T : {0.25, 0.3, 0.375, 0.499, 0.5, 1.2, 10.1}) {
    Delay delay;
    delay.Initialize(h, T, 0);
    for (int n = 0; n < 200; ++n) {
      delay.Push(n * h);
      const double t = (n + 1) * h - T;
      if (t >= 0) {
        EXPECT_NEAR(delay.Read(), t, 1e-13) << T;
      }
    }
  }
}

TEST(DelayTest, BetweenStepsHasOrderTwo) {
  // The same fraction of a step, 0.5, at both step sizes.
  const auto error = [](int steps) {
    const double h = 1.0 / steps;
    const double T = 10.5 * h;
    Delay delay;
    delay.Initialize(h, T, 1);
    for (int n = 0; n < steps; ++n) delay.Push(std::exp(n * h));
    return delay.Read() - std::exp(1 - T);
  };
  EXPECT_NEAR(ObservedOrder(error, 1000), 2, 0.02);
}

RC_GTEST_PROP(DelayTest, IsPassive, ()) {
  const double h = 1e-3;
  const double T = h * (1 + *rc::gen::inRange(0, 9001) * 1e-3);
  const double w = std::acos(-1.0) / h * *rc::gen::inRange(1, 1001) * 1e-3;
  Delay delay;
  delay.Initialize(h, T, 0);
  const auto update = [](Delay& block, double u) {
    block.Push(u);
    return block.Read();
  };
  const std::complex<double> response = FrequencyResponse(delay, update, w, h, 30);
  RC_ASSERT(std::abs(response) <= 1 + 1e-13);
  // What is read belongs to the next step; the phase is that of two neighbours, weighted.
  const double steps = T / h - 1;
  const double whole = std::floor(steps + 1e-9);
  const double fraction = std::max(steps - whole, 0.0);
  const std::complex<double> expected =
      std::polar(1.0, -w * h * whole) * (1 - fraction + fraction * std::polar(1.0, -w * h));
  RC_ASSERT(std::abs(response - expected) < 1e-9);
}

RC_GTEST_PROP(DelayTest, KeepsAConstantBitForBit, (int value)) {
  const double h = 1e-3;
  const double c = value * 0.1;
  Delay delay;
  delay.Initialize(h, h * (1 + *rc::gen::inRange(0, 9001) * 1e-3), c);
  for (int n = 0; n < 30; ++n) {
    delay.Push(c);
    RC_ASSERT(delay.Read() == c);
  }
}

TEST(DelayTest, FillForgetsEverything) {
  Delay delay;
  delay.Initialize(1, 3.5, 0);
  for (int n = 0; n < 10; ++n) delay.Push(n);
  delay.Fill(5);
  EXPECT_EQ(delay.Read(), 5);
  delay.Push(6);
  EXPECT_EQ(delay.Read(), 5);
  delay.Push(6);
  delay.Push(6);
  EXPECT_EQ(delay.Read(), 5.5);
  delay.Push(6);
  EXPECT_EQ(delay.Read(), 6);
}

TEST(DelayTest, OnlyInitializeAllocates) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  Delay delay;
  const AllocationCounter whole;
  delay.Initialize(1e-3, 0.1, 0);
  EXPECT_EQ(whole.count(), 1U);
  const AllocationCounter steps;
  double sum = 0;
  for (int n = 0; n < 1000; ++n) {
    delay.Push(n);
    sum += delay.Read();
  }
  delay.Fill(sum);
  delay.Initialize(1e-3, 0.05, 0);
  EXPECT_EQ(steps.count(), 0U);
}

#ifndef NDEBUG
TEST(DelayDeathTest, RefusesLessThanOneStep) {
  Delay delay;
  EXPECT_DEATH(delay.Initialize(1e-3, 0.999e-3, 0), "steps >= 1");
}
#endif

}  // namespace
}  // namespace davit::building_blocks
