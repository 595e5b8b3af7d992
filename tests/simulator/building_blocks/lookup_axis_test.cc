#include "simulator/building_blocks/lookup_axis.h"
#include "tests/support/special_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace davit::building_blocks {
namespace {

std::string Fault(const std::vector<double>& knots) {
  try {
    const LookupAxis axis("speed", knots, Outside::kHold);
  } catch (const std::invalid_argument& fault) {
    return fault.what();
  }
  return "none";
}

TEST(LookupAxisTest, SaysWhatIsWrongWithItsKnots) {
  EXPECT_EQ(Fault({1, 2}), "none");
  EXPECT_EQ(Fault({1}), "axis speed of a table has 1 knots; at least 2 are needed");
  EXPECT_EQ(Fault({0, 2.5, 2.5}),
            "axis speed of a table: knot 3 is 2.5; it must be above knot 2, which is 2.5");
  EXPECT_EQ(Fault({0, -1}), "axis speed of a table: knot 2 is -1; it must be above knot 1, which is 0");
  EXPECT_EQ(Fault({0, kNan}), "axis speed of a table: knot 2 is nan; it must be finite");
  EXPECT_EQ(Fault({0, kInfinity}), "axis speed of a table: knot 2 is inf; it must be finite");
}

TEST(LookupAxisTest, FindsKnotsAndPlacesBetweenThem) {
  const LookupAxis axis("x", {-1, 0, 4, 5}, Outside::kExtrapolate);
  const auto expect = [&](double x, std::size_t interval, double fraction) {
    for (const std::size_t guess : {0U, 1U, 2U, 3U, 99U}) {
      const LookupAxis::Place place = axis.Find(x, guess);
      EXPECT_EQ(place.interval, interval) << x;
      EXPECT_EQ(place.fraction, fraction) << x;
    }
  };
  expect(-1, 0, 0);
  expect(-0.5, 0, 0.5);
  expect(0, 1, 0);
  expect(3, 1, 0.75);
  expect(4, 2, 0);
  expect(5, 2, 1);
  expect(7, 2, 3);
  expect(-2, 0, -1);
}

TEST(LookupAxisTest, HoldsItsEnds) {
  const LookupAxis axis("x", {-1, 0, 4}, Outside::kHold);
  for (const double x : {4.0, 5.0, kInfinity}) {
    EXPECT_EQ(axis.Find(x, 0).interval, 1U);
    EXPECT_EQ(axis.Find(x, 0).fraction, 1);
  }
  for (const double x : {-1.0, -5.0, -kInfinity}) {
    EXPECT_EQ(axis.Find(x, 1).interval, 0U);
    EXPECT_EQ(axis.Find(x, 1).fraction, 0);
  }
}

TEST(LookupAxisTest, PassesNanOn) {
  const LookupAxis axis("x", {-1, 0, 4}, Outside::kHold);
  EXPECT_LT(axis.Find(kNan, 0).interval, 2U);
  EXPECT_TRUE(std::isnan(axis.Find(kNan, 0).fraction));
  EXPECT_TRUE(std::isnan(Interpolate(1, 2, kNan)));
}

RC_GTEST_PROP(InterpolateTest, IsExactAtItsEnds, (double a, double b)) {
  RC_PRE(std::isfinite(b - a));
  RC_ASSERT(Interpolate(a, b, 0) == a);
  RC_ASSERT(Interpolate(a, b, 1) == b);
}

RC_GTEST_PROP(InterpolateTest, KeepsAConstant, (double a)) {
  for (const double fraction : {-3.0, 0.1, 0.5, 0.7, 4.0}) RC_ASSERT(Interpolate(a, a, fraction) == a);
}

TEST(CheckTableValuesTest, SaysWhatIsWrong) {
  const auto fault = [](const std::vector<double>& values) -> std::string {
    try {
      CheckTableValues(values, 2, "one for each knot of x");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(fault({1, 2}), "none");
  EXPECT_EQ(fault({1, 2, 3}), "a table has 3 values; 2 are needed: one for each knot of x");
  EXPECT_EQ(fault({1, kNan}), "value 2 of a table is nan; it must be finite");
}

}  // namespace
}  // namespace davit::building_blocks
