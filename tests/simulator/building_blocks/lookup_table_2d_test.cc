#include "simulator/building_blocks/lookup_table_2d.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/heap/allocation_counter.h"

namespace davit::building_blocks {
namespace {

const std::vector<double> kColumns{-2, -0.3, 0.1, 1};
const std::vector<double> kRows{0, 0.7, 1.9};

template <class Function>
LookupTable2D Tabulate2D(const Function& f, Outside outside) {
  std::vector<double> values;
  for (const double x : kColumns) {
    for (const double y : kRows) values.push_back(f(x, y));
  }
  return LookupTable2D(kColumns, kRows, values, outside);
}

double Wavy(double x, double y) { return std::sin(3 * x) * std::cos(2 * y) + 1e-3 * x; }

TEST(LookupTable2DTest, IsExactAtItsKnots) {
  for (const Outside outside : {Outside::kHold, Outside::kExtrapolate}) {
    LookupTable2D table = Tabulate2D(Wavy, outside);
    for (const double x : kColumns) {
      for (const double y : kRows) {
        EXPECT_EQ(table.Evaluate(x, y), Wavy(x, y));
        EXPECT_EQ(table.Update(x, y), Wavy(x, y));
      }
    }
  }
}

TEST(LookupTable2DTest, ReproducesABilinearFunction) {
  const auto f = [](double x, double y) { return 1.5 - 2 * x + 0.3 * y + 0.7 * x * y; };
  const LookupTable2D table = Tabulate2D(f, Outside::kExtrapolate);
  for (double x = -5; x < 5; x += 0.1) {
    for (double y = -5; y < 5; y += 0.1) EXPECT_NEAR(table.Evaluate(x, y), f(x, y), 1e-13);
  }
}

TEST(LookupTable2DTest, HoldsItsEdges) {
  const LookupTable2D table = Tabulate2D(Wavy, Outside::kHold);
  EXPECT_EQ(table.Evaluate(-9, 0.3), table.Evaluate(-2, 0.3));
  EXPECT_EQ(table.Evaluate(9, 0.3), table.Evaluate(1, 0.3));
  EXPECT_EQ(table.Evaluate(0.5, -9), table.Evaluate(0.5, 0));
  EXPECT_EQ(table.Evaluate(9, 9), Wavy(1, 1.9));
}

RC_GTEST_PROP(LookupTable2DTest, TheLastCellDoesNotMatter,
              (const std::vector<std::pair<signed char, signed char>>& path)) {
  LookupTable2D table = Tabulate2D(Wavy, Outside::kExtrapolate);
  for (const auto& [x, y] : path)
    RC_ASSERT(table.Update(x * 0.1, y * 0.1) == table.Evaluate(x * 0.1, y * 0.1));
}

TEST(LookupTable2DTest, IsZeroByDefault) { EXPECT_EQ(LookupTable2D().Evaluate(0.3, 0.4), 0); }

TEST(LookupTable2DTest, RefusesWrongPoints) {
  EXPECT_THROW(LookupTable2D({0, 1}, {0, 1}, {1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(LookupTable2D({0, 1}, {1, 0}, {1, 2, 3, 4}), std::invalid_argument);
  EXPECT_THROW(LookupTable2D({1, 0}, {0, 1}, {1, 2, 3, 4}), std::invalid_argument);
}

TEST(LookupTable2DTest, DoesNotAllocate) {
  LookupTable2D table = Tabulate2D(Wavy, Outside::kHold);
  const AllocationCounter counter;
  double sum = 0;
  for (double x = -5; x < 10; x += 0.1) sum += table.Update(x, -x) + table.Evaluate(x, x);
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace davit::building_blocks
