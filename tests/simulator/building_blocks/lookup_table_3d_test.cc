#include "simulator/building_blocks/lookup_table_3d.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "app/heap/allocation_counter.h"

namespace davit::building_blocks {
namespace {

const std::vector<double> kX{-2, -0.3, 0.1, 1};
const std::vector<double> kY{0, 0.7, 1.9};
const std::vector<double> kZ{-1, 3};

template <class Function>
LookupTable3D Tabulate3D(const Function& f, Outside outside) {
  std::vector<double> values;
  for (const double x : kX) {
    for (const double y : kY) {
      for (const double z : kZ) values.push_back(f(x, y, z));
    }
  }
  return LookupTable3D(kX, kY, kZ, values, outside);
}

double Wavy3D(double x, double y, double z) { return std::sin(3 * x) * std::cos(2 * y) + 1e-3 * x * z; }

TEST(LookupTable3DTest, IsExactAtItsKnots) {
  for (const Outside outside : {Outside::kHold, Outside::kExtrapolate}) {
    LookupTable3D table = Tabulate3D(Wavy3D, outside);
    for (const double x : kX) {
      for (const double y : kY) {
        for (const double z : kZ) {
          EXPECT_EQ(table.Evaluate(x, y, z), Wavy3D(x, y, z));
          EXPECT_EQ(table.Update(x, y, z), Wavy3D(x, y, z));
        }
      }
    }
  }
}

TEST(LookupTable3DTest, ReproducesATrilinearFunction) {
  const auto f = [](double x, double y, double z) {
    return 1.5 - 2 * x + 0.3 * y + 0.1 * z + 0.7 * x * y - 0.2 * x * z + 0.4 * y * z + 0.9 * x * y * z;
  };
  const LookupTable3D table = Tabulate3D(f, Outside::kExtrapolate);
  for (double x = -5; x < 5; x += 0.5) {
    for (double y = -5; y < 5; y += 0.5) {
      for (double z = -5; z < 5; z += 0.5) EXPECT_NEAR(table.Evaluate(x, y, z), f(x, y, z), 1e-12);
    }
  }
}

TEST(LookupTable3DTest, HoldsItsFaces) {
  const LookupTable3D table = Tabulate3D(Wavy3D, Outside::kHold);
  EXPECT_EQ(table.Evaluate(-9, 0.3, 1), table.Evaluate(-2, 0.3, 1));
  EXPECT_EQ(table.Evaluate(0.5, 9, 1), table.Evaluate(0.5, 1.9, 1));
  EXPECT_EQ(table.Evaluate(0.5, 0.3, -9), table.Evaluate(0.5, 0.3, -1));
  EXPECT_EQ(table.Evaluate(9, 9, 9), Wavy3D(1, 1.9, 3));
}

RC_GTEST_PROP(LookupTable3DTest, TheLastCellDoesNotMatter,
              (const std::vector<std::tuple<signed char, signed char, signed char>>& path)) {
  LookupTable3D table = Tabulate3D(Wavy3D, Outside::kExtrapolate);
  for (const auto& [x, y, z] : path) {
    RC_ASSERT(table.Update(x * 0.1, y * 0.1, z * 0.1) == table.Evaluate(x * 0.1, y * 0.1, z * 0.1));
  }
}

TEST(LookupTable3DTest, IsZeroByDefault) { EXPECT_EQ(LookupTable3D().Evaluate(0.3, 0.4, 0.5), 0); }

TEST(LookupTable3DTest, RefusesWrongPoints) {
  EXPECT_THROW(LookupTable3D({0, 1}, {0, 1}, {0, 1}, {1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(LookupTable3D({0, 1}, {0, 1}, {1, 0}, {1, 2, 3, 4, 5, 6, 7, 8}), std::invalid_argument);
}

TEST(LookupTable3DTest, DoesNotAllocate) {
  LookupTable3D table = Tabulate3D(Wavy3D, Outside::kHold);
  const AllocationCounter counter;
  double sum = 0;
  for (double x = -5; x < 10; x += 0.1) sum += table.Update(x, -x, x) + table.Evaluate(x, x, -x);
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace davit::building_blocks
