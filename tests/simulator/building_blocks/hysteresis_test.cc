#include "simulator/building_blocks/hysteresis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/heap/allocation_counter.h"

namespace davit::building_blocks {
namespace {

TEST(HysteresisTest, FollowsAnEdgeAndRestsInBetween) {
  Hysteresis play;
  play.Initialize(2, 0, 0);
  EXPECT_EQ(play.Update(1), 0);
  EXPECT_EQ(play.Update(5), 4);
  EXPECT_EQ(play.Update(3.5), 4);
  EXPECT_EQ(play.Update(3), 4);
  EXPECT_EQ(play.Update(0), 1);
  EXPECT_EQ(play.value(), 1);
}

TEST(HysteresisTest, StartsAtTheEdgeFromOutside) {
  Hysteresis play;
  play.Initialize(2, 10, 0);
  EXPECT_EQ(play.value(), 9);
  play.Initialize(2, 10, 10.5);
  EXPECT_EQ(play.value(), 10.5);
}

RC_GTEST_PROP(HysteresisTest, IsOddAndNeverFurtherThanHalfItsWidth, (const std::vector<int>& inputs)) {
  const double width = 1000;
  Hysteresis play;
  Hysteresis mirrored;
  play.Initialize(width, 0, 0);
  mirrored.Initialize(width, 0, 0);
  for (const int u : inputs) {
    const double last = play.value();
    const double y = play.Update(u);
    RC_ASSERT(y == std::clamp(last, u - width / 2, u + width / 2));
    RC_ASSERT(mirrored.Update(-static_cast<double>(u)) == -y);
  }
}

RC_GTEST_PROP(HysteresisTest, SpeedDoesNotMatter, (signed char from, signed char to)) {
  Hysteresis quick;
  Hysteresis slow;
  quick.Initialize(10, from, from);
  slow.Initialize(10, from, from);
  for (int n = 1; n <= 64; ++n) slow.Update(from + (to - from) * n / 64.0);
  RC_ASSERT(quick.Update(to) == slow.value());
}

TEST(HysteresisTest, OfWidthZeroIsTheInput) {
  Hysteresis play;
  play.Initialize(0, 0, 0);
  for (const double u : {1.0, -3.0, 0.1}) EXPECT_EQ(play.Update(u), u);
}

TEST(HysteresisTest, NewWidthActsAtTheNextUpdate) {
  Hysteresis play;
  play.Initialize(2, 1, 0);
  play.SetWidth(1);
  EXPECT_EQ(play.value(), 0);
  EXPECT_EQ(play.Update(1), 0.5);
}

TEST(HysteresisTest, PassesNanOn) {
  Hysteresis play;
  play.Initialize(2, 1, 0);
  EXPECT_TRUE(std::isnan(play.Update(std::numeric_limits<double>::quiet_NaN())));
}

TEST(HysteresisTest, DoesNotAllocate) {
  Hysteresis play;
  const AllocationCounter counter;
  play.Initialize(2, 1, 0);
  for (int n = 0; n < 100; ++n) play.Update(n);
  EXPECT_EQ(counter.count(), 0U);
}

}  // namespace
}  // namespace davit::building_blocks
