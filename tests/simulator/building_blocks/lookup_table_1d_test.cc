#include "simulator/building_blocks/lookup_table_1d.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "app/heap/allocation_counter.h"

namespace davit::building_blocks {
namespace {

const std::vector<double> kKnots{-2, -0.3, 0.1, 1, 7.7};

TEST(LookupTable1DTest, IsExactAtItsPoints) {
  const std::vector<double> values{0.1, 1e9, -0.7, 1e-9, 3.3};
  for (const Outside outside : {Outside::kHold, Outside::kExtrapolate}) {
    LookupTable1D table(kKnots, values, outside);
    for (std::size_t i = 0; i < kKnots.size(); ++i) {
      EXPECT_EQ(table.Evaluate(kKnots[i]), values[i]);
      EXPECT_EQ(table.Update(kKnots[i]), values[i]);
    }
  }
}

TEST(LookupTable1DTest, ReproducesAStraightLine) {
  const auto line = [](double x) { return 3.1 * x - 0.7; };
  std::vector<double> values;
  for (const double x : kKnots) values.push_back(line(x));
  const LookupTable1D table(kKnots, values, Outside::kExtrapolate);
  for (double x = -20; x < 20; x += 0.01) EXPECT_NEAR(table.Evaluate(x), line(x), 1e-13);
}

TEST(LookupTable1DTest, HoldsItsEnds) {
  const LookupTable1D table({0, 1}, {5, 6});
  EXPECT_EQ(table.Evaluate(-1e300), 5);
  EXPECT_EQ(table.Evaluate(1e300), 6);
  EXPECT_TRUE(std::isnan(table.Evaluate(std::numeric_limits<double>::quiet_NaN())));
}

TEST(LookupTable1DTest, IsContinuous) {
  const LookupTable1D table(kKnots, {0, 3, -1, 2, 2});
  for (const double x : kKnots) {
    EXPECT_NEAR(table.Evaluate(std::nextafter(x, -1e9)), table.Evaluate(x), 1e-14);
    EXPECT_NEAR(table.Evaluate(std::nextafter(x, 1e9)), table.Evaluate(x), 1e-14);
  }
}

RC_GTEST_PROP(LookupTable1DTest, TheLastIntervalDoesNotMatter, (const std::vector<signed char>& path)) {
  LookupTable1D table(kKnots, {0, 3, -1, 2, 2}, Outside::kExtrapolate);
  for (const int x : path) RC_ASSERT(table.Update(x * 0.1) == table.Evaluate(x * 0.1));
}

TEST(LookupTable1DTest, IsZeroByDefault) { EXPECT_EQ(LookupTable1D().Evaluate(0.3), 0); }

TEST(LookupTable1DTest, RefusesWrongPoints) {
  EXPECT_THROW(LookupTable1D({0, 1}, {5}), std::invalid_argument);
  EXPECT_THROW(LookupTable1D({0, 0}, {5, 6}), std::invalid_argument);
}

TEST(LookupTable1DTest, DoesNotAllocate) {
  LookupTable1D table(kKnots, {0, 3, -1, 2, 2});
  const AllocationCounter counter;
  double sum = 0;
  for (double x = -5; x < 10; x += 0.1) sum += table.Update(x) + table.Evaluate(x);
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace davit::building_blocks
