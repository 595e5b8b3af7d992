#include "results/comparison.h"
#include "tests/support/special_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace davit {
namespace {

constexpr ComparisonTolerances kExact{.relative = 0, .absolute = 0, .time = 0};

ResultTable Table(std::vector<double> time, std::vector<double> x) {
  return {.names = {"x"}, .units = {""}, .time = std::move(time), .columns = {std::move(x)}};
}

bool AreSame(const ResultTable& a, const ResultTable& b, const ComparisonTolerances& tolerances) {
  return Compare(a, b, tolerances).is_same;
}

TEST(ComparisonTest, AResultIsExactlyTheSameAsItself) {
  const ResultTable table = Table({0, 0, 1, 1, 1, 2}, {0, kNan, kInfinity, -kInfinity, 1e308, -0.0});
  const Comparison comparison = Compare(table, table, kExact);
  EXPECT_TRUE(comparison.is_same);
  ASSERT_EQ(comparison.signals.size(), 1U);
  EXPECT_TRUE(comparison.signals[0].is_same);
  EXPECT_EQ(comparison.signals[0].difference, 0);
  EXPECT_EQ(comparison.signals[0].ratio, 0);
}

TEST(ComparisonTest, TheToleranceItselfIsStillTheSame) {
  const ResultTable a = Table({0, 1}, {0, 8});
  EXPECT_TRUE(AreSame(a, Table({0, 1}, {0.5, 8}), {.relative = 0, .absolute = 0.5, .time = 0}));
  EXPECT_FALSE(
      AreSame(a, Table({0, 1}, {std::nextafter(0.5, 1), 8}), {.relative = 0, .absolute = 0.5, .time = 0}));
  EXPECT_TRUE(AreSame(a, Table({0, 1}, {0, 16}), {.relative = 0.5, .absolute = 0, .time = 0}));
  EXPECT_FALSE(AreSame(a, Table({0, 1}, {0, 16.5}), {.relative = 0.5, .absolute = 0, .time = 0}));
  EXPECT_TRUE(AreSame(a, Table({0, 1}, {0, 18}), {.relative = 0.5, .absolute = 1, .time = 0}));
}

TEST(ComparisonTest, TheWorstPointIsTheLargestPartOfWhatIsAllowed) {
  const ResultTable a = Table({0, 1, 2}, {1e6, 1, 3});
  const ResultTable b = Table({0, 1, 2}, {1e6 + 1, 1.5, 3});
  const Comparison comparison = Compare(a, b, {.relative = 1e-3, .absolute = 0, .time = 0});
  ASSERT_EQ(comparison.signals.size(), 1U);
  const SignalComparison& x = comparison.signals[0];
  EXPECT_FALSE(x.is_same);
  EXPECT_EQ(x.time, 1);
  EXPECT_EQ(x.a, 1);
  EXPECT_EQ(x.b, 1.5);
  EXPECT_EQ(x.difference, 0.5);
  EXPECT_DOUBLE_EQ(x.ratio, 0.5 / 1.5e-3);
}

TEST(ComparisonTest, IsSymmetricOnEqualTimes) {
  const ResultTable a = Table({0, 1, 1, 2}, {1, 2, 3, 4});
  const ResultTable b = Table({0, 1, 1, 2}, {1.1, 2, 3.3, 4.1});
  const SignalComparison ab = Compare(a, b, {}).signals[0];
  const SignalComparison ba = Compare(b, a, {}).signals[0];
  EXPECT_EQ(ab.time, ba.time);
  EXPECT_EQ(ab.ratio, ba.ratio);
  EXPECT_EQ(ab.a, ba.b);
}

TEST(ComparisonTest, NotANumberIsTheSameAsNotANumberOnly) {
  EXPECT_TRUE(AreSame(Table({0, 1}, {kNan, 1}), Table({0, 1}, {-kNan, 1}), kExact));
  EXPECT_FALSE(AreSame(Table({0, 1}, {kNan, 1}), Table({0, 1}, {0, 1}),
                       {.relative = 1, .absolute = 1e300, .time = 0}));
  EXPECT_FALSE(
      AreSame(Table({0, 1}, {0, 1}), Table({0, 1}, {kNan, 1}), {.relative = 0, .absolute = 0.5, .time = 5}));
}

TEST(ComparisonTest, AnInfinityIsTheSameAsItselfOnly) {
  const ComparisonTolerances wide{.relative = 1, .absolute = 1e300, .time = 0};
  EXPECT_TRUE(AreSame(Table({0, 2}, {kInfinity, kInfinity}),
                      Table({0, 1, 2}, {kInfinity, kInfinity, kInfinity}), kExact));
  EXPECT_FALSE(AreSame(Table({0}, {kInfinity}), Table({0}, {-kInfinity}), wide));
  EXPECT_FALSE(AreSame(Table({0}, {kInfinity}), Table({0}, {1e308}), wide));
}

TEST(ComparisonTest, ValuesBetweenRowsAreInterpolated) {
  const ResultTable line = Table({0, 4}, {0, 8});
  EXPECT_TRUE(AreSame(Table({0, 1, 2.5, 4}, {0, 2, 5, 8}), line, kExact));
  EXPECT_TRUE(AreSame(line, Table({0, 1, 2.5, 4}, {0, 2, 5, 8}), kExact));
  EXPECT_FALSE(AreSame(Table({0, 1, 2.5, 4}, {0, 2, 5.1, 8}), line, {}));
}

TEST(ComparisonTest, OnlyTheTimeInBothCounts) {
  const ResultTable full = Table({0, 1, 2, 3}, {0, 1, 4, 9});
  const Comparison comparison = Compare(full, Table({1, 2}, {1, 4}), kExact);
  EXPECT_TRUE(comparison.is_same);
  EXPECT_TRUE(comparison.has_common_time);
  EXPECT_EQ(comparison.begin, 1);
  EXPECT_EQ(comparison.end, 2);
}

TEST(ComparisonTest, ResultsWithoutCommonTimeDiffer) {
  const Comparison comparison = Compare(Table({0, 1}, {1, 1}), Table({2, 3}, {1, 1}), {});
  EXPECT_FALSE(comparison.has_common_time);
  EXPECT_FALSE(comparison.is_same);
  EXPECT_FALSE(comparison.signals[0].is_same);
  EXPECT_FALSE(comparison.signals[0].has_worst);
  EXPECT_FALSE(AreSame(Table({0}, {1}), Table({}, {}), {}));
  EXPECT_TRUE(AreSame(Table({}, {}), Table({}, {}), {}));
}

TEST(ComparisonTest, SignalsOfOneResultOnlyDiffer) {
  ResultTable a = Table({0, 1}, {1, 1});
  ResultTable b = a;
  a.names = {"x", "only_a"};
  a.columns.push_back({0, 0});
  b.names = {"only_b", "x"};
  b.columns.insert(b.columns.begin(), {0, 0});
  const Comparison comparison = Compare(a, b, {});
  EXPECT_FALSE(comparison.is_same);
  ASSERT_EQ(comparison.signals.size(), 3U);
  EXPECT_EQ(comparison.signals[0].name, "x");
  EXPECT_TRUE(comparison.signals[0].is_same);
  EXPECT_EQ(comparison.signals[1].name, "only_a");
  EXPECT_EQ(comparison.signals[1].presence, SignalComparison::Presence::kOnlyA);
  EXPECT_EQ(comparison.signals[2].name, "only_b");
  EXPECT_EQ(comparison.signals[2].presence, SignalComparison::Presence::kOnlyB);
}

TEST(ComparisonTest, TheSidesOfAnEventAreComparedWithEachOther) {
  const ResultTable a = Table({0, 1, 1, 2}, {0, 0, 5, 5});
  EXPECT_FALSE(AreSame(a, Table({0, 1, 1, 2}, {0, 1, 5, 5}), {}));  // before
  EXPECT_FALSE(AreSame(a, Table({0, 1, 1, 2}, {0, 0, 6, 5}), {}));  // after
  EXPECT_FALSE(AreSame(a, Table({0, 1, 1, 2}, {0, 5, 0, 5}), {}));  // exchanged
  EXPECT_TRUE(AreSame(a, Table({0, 1, 1, 1, 2}, {0, 0, 3, 5, 5}), {}));
}

TEST(ComparisonTest, ASingleRowMayBeEitherSide) {
  const ResultTable b = Table({0, 1, 1, 2}, {0, 0, 5, 5});
  EXPECT_TRUE(AreSame(Table({0, 1, 2}, {0, 0, 5}), b, {}));
  EXPECT_TRUE(AreSame(Table({0, 1, 2}, {0, 5, 5}), b, {}));
  EXPECT_FALSE(AreSame(Table({0, 1, 2}, {0, 2.5, 5}), b, {}));
  EXPECT_FALSE(AreSame(b, Table({0, 1, 2}, {0, 0, 5}), {}));
}

TEST(ComparisonTest, RoundingOfTheTimeDoesNotPartTheSidesOfAnEvent) {
  const double t = 0.1 + 0.2;
  EXPECT_TRUE(AreSame(Table({0, 0.3, 0.3, 1}, {0, 0, 5, 5}), Table({0, t, t, 1}, {0, 0, 5, 5}), kExact));
  EXPECT_TRUE(AreSame(Table({0, t, t, 1}, {0, 0, 5, 5}), Table({0, 0.3, 0.3, 1}, {0, 0, 5, 5}), kExact));
}

TEST(ComparisonTest, AJumpMayComeEarlierOrLaterByTheTimeTolerance) {
  const ResultTable a = Table({0, 0.9, 1, 1, 1.1, 2}, {0, 0, 0, 5, 5, 5});
  for (const double shift : {-0.125, 0.125}) {
    const ResultTable b = Table({0, 1 + shift, 1 + shift, 2}, {0, 0, 5, 5});
    EXPECT_FALSE(AreSame(a, b, {}));
    EXPECT_TRUE(AreSame(a, b, {.time = 0.125}));
    EXPECT_FALSE(AreSame(a, b, {.time = 0.0625}));
  }
}

TEST(ComparisonTest, TheTimeToleranceForgivesNoWrongValue) {
  const ResultTable a = Table({0, 1, 1, 2}, {0, 0, 5, 5});
  const ResultTable b = Table({0, 1.1, 1.1, 2}, {0, 0, 4, 4});
  const SignalComparison x = Compare(a, b, {.time = 0.2}).signals[0];
  EXPECT_FALSE(x.is_same);
  EXPECT_EQ(x.difference, 1);
}

TEST(ComparisonTest, AShiftedRampIsTheSameUpToItsShift) {
  const ResultTable a = Table({0, 1, 2, 3}, {0, 1, 2, 3});
  const ResultTable b = Table({-1, 4}, {-0.75, 4.25});  // 0.25 s earlier
  EXPECT_TRUE(AreSame(a, b, {.time = 0.25}));
  EXPECT_FALSE(AreSame(a, b, {.time = 0.125}));
}

}  // namespace
}  // namespace davit
