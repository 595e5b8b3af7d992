#include "framework/range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace davit {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(RangeTest, ClosedEndsBelongToItAndOpenEndsDoNot) {
  const double after_one = std::nextafter(1.0, 2.0);
  const double before_one = std::nextafter(1.0, 0.0);
  for (const bool is_open : {false, true}) {
    const Range from_one{.low = 1, .low_open = is_open};
    EXPECT_EQ(from_one.Contains(1), !is_open);
    EXPECT_TRUE(from_one.Contains(after_one));
    EXPECT_FALSE(from_one.Contains(before_one));
    const Range to_one{.high = 1, .high_open = is_open};
    EXPECT_EQ(to_one.Contains(1), !is_open);
    EXPECT_TRUE(to_one.Contains(before_one));
    EXPECT_FALSE(to_one.Contains(after_one));
  }
}

TEST(RangeTest, NoRangeContainsNan) {
  for (const Range& range : {kAny, kPositive, kNonNegative, kUnitInterval, kPlusMinusOne}) {
    EXPECT_FALSE(range.Contains(std::numeric_limits<double>::quiet_NaN()));
  }
}

TEST(RangeTest, NamedRangesAreWhatTheirNamesSay) {
  static_assert(kAny.Contains(-1e300) && kAny.Contains(kInf));
  static_assert(kPositive.Contains(1e-300) && !kPositive.Contains(0) && !kPositive.Contains(-1));
  static_assert(kNonNegative.Contains(0) && !kNonNegative.Contains(-1e-300));
  static_assert(kUnitInterval.Contains(0) && kUnitInterval.Contains(1) && !kUnitInterval.Contains(1.1));
  static_assert(kPlusMinusOne.Contains(-1) && !kPlusMinusOne.Contains(-1.1));
  EXPECT_FALSE(kPositive.Contains(-0.0));
}

TEST(RangeTest, ReadsAsAUserWouldWriteIt) {
  EXPECT_EQ(ToText(kAny, "m"), "any");
  EXPECT_EQ(ToText(kPositive, "m"), "> 0 m");
  EXPECT_EQ(ToText(kNonNegative, ""), ">= 0");
  EXPECT_EQ(ToText(kUnitInterval, "-"), "0 .. 1");
  EXPECT_EQ(ToText(kPlusMinusOne, "1"), "-1 .. 1");
  EXPECT_EQ(ToText(Range{.low = 0, .high = 2.5, .low_open = true}, "m/s"), "> 0 and <= 2.5 m/s");
  EXPECT_EQ(ToText(Range{.low = 0, .high = 1e5, .high_open = true}, "Pa"), ">= 0 and < 100000 Pa");
  EXPECT_EQ(ToText(Range{.high = 1}, ""), "<= 1");
  EXPECT_EQ(ToText(Range{.high = 1, .high_open = true}, ""), "< 1");
}

}  // namespace
}  // namespace davit
