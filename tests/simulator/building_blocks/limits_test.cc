#include "simulator/building_blocks/limits.h"
#include "tests/support/special_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace davit::building_blocks {
namespace {

TEST(LimitsTest, DefaultLimitsNothing) {
  const Limits limits;
  for (const double y : {-1e300, 0.0, 1e300}) {
    EXPECT_EQ(limits.Clamp(y), y);
    EXPECT_FALSE(limits.IsReachedBy(y));
    EXPECT_EQ(limits.Inward(y, -2), -2);
    EXPECT_EQ(limits.Inward(y, 2), 2);
  }
  EXPECT_TRUE(limits.IsReachedBy(kInfinity));
}

TEST(LimitsTest, RemoveOnlyWhatPointsOutwards) {
  const Limits limits{-1, 2};
  EXPECT_EQ(limits.Clamp(3), 2);
  EXPECT_EQ(limits.Clamp(-3), -1);
  EXPECT_TRUE(limits.IsReachedBy(2));
  EXPECT_TRUE(limits.IsReachedBy(-1));
  EXPECT_EQ(limits.Inward(2, 5), 0);
  EXPECT_EQ(limits.Inward(2, -5), -5);
  EXPECT_EQ(limits.Inward(-1, -5), 0);
  EXPECT_EQ(limits.Inward(-1, 5), 5);
  EXPECT_EQ(limits.Inward(0, 5), 5);
}

TEST(LimitsTest, PassNanOn) {
  const Limits limits{-1, 2};
  EXPECT_TRUE(std::isnan(limits.Clamp(kNan)));
  EXPECT_FALSE(limits.IsReachedBy(kNan));
  EXPECT_TRUE(std::isnan(limits.Inward(2, kNan)));
  EXPECT_TRUE(std::isnan(limits.Inward(-1, kNan)));
}

}  // namespace
}  // namespace davit::building_blocks
