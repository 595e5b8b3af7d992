#include "analysis/study/measure_accumulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace davit {
namespace {

using testing::HasSubstr;

template <class Signal>
MeasureAccumulator::Result Measure(MeasureKind kind, double argument, Signal x, double from, double to,
                                   int rows) {
  MeasureAccumulator accumulator(kind, argument);
  accumulator.Begin();
  for (int i = 0; i <= rows; ++i) {
    const double t = from + (to - from) * i / rows;
    accumulator.Add(t, x(t));
  }
  return accumulator.Finish();
}

double Line(double t) { return 3 * t - 2; }
double Wave(double t) { return std::sin(2 * std::numbers::pi * t); }
/// Step answer of a first-order lag of 1 s.
double Lag(double t) { return 1 - std::exp(-t); }

TEST(MeasureAccumulatorTest, StraightLinesAreMeasuredExactlyWithTwoRows) {
  constexpr double kRounding = 1e-14;
  const auto of = [](MeasureKind kind, double argument = 0) {
    return Measure(kind, argument, Line, 1, 3, 1).value;
  };
  EXPECT_EQ(of(MeasureKind::kMax), 7);
  EXPECT_EQ(of(MeasureKind::kMin), 1);
  EXPECT_EQ(of(MeasureKind::kFinal), 7);
  EXPECT_NEAR(of(MeasureKind::kMean), 4, kRounding);
  EXPECT_NEAR(of(MeasureKind::kIntegral), 8, kRounding);
  EXPECT_NEAR(of(MeasureKind::kRms), std::sqrt(19.0), kRounding);  // (1 + 7 + 49)/3
  EXPECT_NEAR(of(MeasureKind::kAt, 2.5), 5.5, kRounding);
  EXPECT_NEAR(of(MeasureKind::kCrossing, 4), 2, kRounding);
  EXPECT_NEAR(of(MeasureKind::kRiseTime), 1.6, kRounding);  // 80 % of 2 s
  EXPECT_NEAR(of(MeasureKind::kSettlingTime, 0.25), 1.5, kRounding);
  EXPECT_EQ(of(MeasureKind::kOvershoot), 0);
}

TEST(MeasureAccumulatorTest, CurvesAreMeasuredWithSecondOrder) {
  // The error of straight lines between rows h apart is below max|x''| h^2 / 8, and that of x^2 below twice
  // as much.
  for (const int rows : {100, 200, 400}) {
    const double h = 1.0 / rows;
    const double bound = 4 * std::numbers::pi * std::numbers::pi * h * h / 8;
    EXPECT_NEAR(Measure(MeasureKind::kMean, 0, Wave, 0, 1, rows).value, 0, bound);
    EXPECT_NEAR(Measure(MeasureKind::kRms, 0, Wave, 0, 1, rows).value, std::sqrt(0.5), 2 * bound);
    EXPECT_NEAR(Measure(MeasureKind::kMax, 0, Wave, 0, 1, rows).value, 1, bound);
    EXPECT_NEAR(Measure(MeasureKind::kIntegral, 0, Wave, 0, 0.5, rows).value, 1 / std::numbers::pi, bound);
  }
}

TEST(MeasureAccumulatorTest, LagHasTheRiseAndSettlingTimesOfTheBooks) {
  // From 10 % to 90 % of its end at 40 s: ln 9; the band of 2 %: ln 50. Slope there 0.1 and 0.02 per second.
  constexpr int kRows = 40'000;
  EXPECT_NEAR(Measure(MeasureKind::kRiseTime, 0, Lag, 0, 40, kRows).value, std::log(9.0), 1e-6);
  EXPECT_NEAR(Measure(MeasureKind::kSettlingTime, 0.02, Lag, 0, 40, kRows).value, std::log(50.0), 1e-6);
  EXPECT_EQ(Measure(MeasureKind::kOvershoot, 0, Lag, 0, 40, kRows).value, 0);
}

TEST(MeasureAccumulatorTest, OvershootIsThatOfTheSecondOrderSystem) {
  // x = 1 - e^(-zeta w t)(cos + ...): overshoot e^(-pi zeta / sqrt(1 - zeta^2)), also downwards.
  constexpr double kZeta = 0.3;
  const double damped = std::sqrt(1 - kZeta * kZeta);
  const auto answer = [&](double t) {
    return 1 - std::exp(-kZeta * t) * (std::cos(damped * t) + kZeta / damped * std::sin(damped * t));
  };
  const double expected = std::exp(-std::numbers::pi * kZeta / damped);
  EXPECT_NEAR(Measure(MeasureKind::kOvershoot, 0, answer, 0, 100, 100'000).value, expected, 1e-6);
  const auto downwards = [&](double t) { return 5 - 2 * answer(t); };
  EXPECT_NEAR(Measure(MeasureKind::kOvershoot, 0, downwards, 0, 100, 100'000).value, expected, 1e-6);
}

TEST(MeasureAccumulatorTest, TheTwoSidesOfAnEventBothCount) {
  // 0 until 1 s, then 4; two rows at the event.
  const auto jump = [](MeasureKind kind, double argument = 0) {
    MeasureAccumulator accumulator(kind, argument);
    accumulator.Begin();
    accumulator.Add(0, 0);
    accumulator.Add(1, 0);
    accumulator.Add(1, 4);
    accumulator.Add(2, 4);
    return accumulator.Finish().value;
  };
  EXPECT_EQ(jump(MeasureKind::kMax), 4);
  EXPECT_EQ(jump(MeasureKind::kIntegral), 4);
  EXPECT_EQ(jump(MeasureKind::kRms), std::sqrt(8.0));
  EXPECT_EQ(jump(MeasureKind::kAt, 1), 4);
  EXPECT_EQ(jump(MeasureKind::kCrossing, 2), 1);
  EXPECT_EQ(jump(MeasureKind::kRiseTime), 0);
  EXPECT_EQ(jump(MeasureKind::kSettlingTime, 0.02), 1);
}

TEST(MeasureAccumulatorTest, CrossingsComeFromBothSidesAndNotFromTheStart) {
  EXPECT_NEAR(Measure(MeasureKind::kCrossing, 0, Wave, 0, 1, 1000).value, 0.5, 1e-12);  // not t = 0
  EXPECT_NEAR(Measure(MeasureKind::kCrossing, -0.5, Wave, 0, 1, 1000).value, 7.0 / 12, 1e-5);
}

TEST(MeasureAccumulatorTest, WhatHasNoValueSaysWhy) {
  const auto fault = [](MeasureKind kind, double argument, auto signal) {
    const MeasureAccumulator::Result result = Measure(kind, argument, signal, 0, 1, 10);
    EXPECT_TRUE(std::isnan(result.value));
    return result.fault;
  };
  const auto constant = [](double) { return 2.0; };
  EXPECT_THAT(fault(MeasureKind::kCrossing, 5, Line), HasSubstr("never crosses 5: it is between -2 and 1"));
  EXPECT_THAT(fault(MeasureKind::kAt, 2, Line), HasSubstr("no value at 2 s"));
  EXPECT_THAT(fault(MeasureKind::kRiseTime, 0, constant), HasSubstr("ends where it began"));
  EXPECT_THAT(fault(MeasureKind::kSettlingTime, 0.02, constant), HasSubstr("ends where it began"));
  EXPECT_THAT(fault(MeasureKind::kOvershoot, 0, constant), HasSubstr("ends where it began"));
  const auto infinite = [](double t) { return t > 0.5 ? std::numeric_limits<double>::infinity() : t; };
  EXPECT_THAT(fault(MeasureKind::kMax, 0, infinite), HasSubstr("not a finite number"));
}

TEST(MeasureAccumulatorTest, BeginsAnew) {
  MeasureAccumulator accumulator(MeasureKind::kMax);
  for (const double peak : {9.0, 4.0}) {
    accumulator.Begin();
    accumulator.Add(0, 0);
    accumulator.Add(1, peak);
    EXPECT_EQ(accumulator.Finish().value, peak);
  }
}

}  // namespace
}  // namespace davit
