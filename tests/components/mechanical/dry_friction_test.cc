#include "components/mechanical/dry_friction.h"

#include <gtest/gtest.h>

#include <cmath>

namespace davit {
namespace {

TEST(DryFrictionTest, IsAbsentUnlessGiven) {
  DryFriction friction;
  EXPECT_FALSE(friction.is_present());
  friction.Set(0, 3, 1e-3);
  EXPECT_TRUE(friction.is_present());
}

TEST(DryFrictionTest, TakesUpToTheLargerOfBothForcesAtRest) {
  DryFriction friction;
  friction.Set(6, 10, 1e-3);
  EXPECT_TRUE(friction.Sticks(0, 10));
  EXPECT_TRUE(friction.Sticks(0, -10));
  EXPECT_FALSE(friction.Sticks(0, 10.1));
  EXPECT_FALSE(friction.Sticks(1e-9, 0));
  friction.Set(6, 0, 1e-3);
  EXPECT_TRUE(friction.Sticks(0, -6));
  EXPECT_FALSE(friction.Sticks(0, -6.1));
}

TEST(DryFrictionTest, ResistsTheMotionOrWhatWouldStartIt) {
  DryFriction friction;
  friction.Set(6, 10, 1e-3);
  EXPECT_EQ(friction.NetForce(3, 0), 0);
  EXPECT_EQ(friction.NetForce(12, 0), 6);
  EXPECT_EQ(friction.NetForce(-12, 0), -6);
  EXPECT_EQ(friction.NetForce(3, 0.1), -3);
  EXPECT_EQ(friction.NetForce(3, -0.1), 9);
}

TEST(DryFrictionTest, TheSmoothLawIsOddAndMeetsTheOtherAboveTheStickVelocity) {
  DryFriction friction;
  friction.Set(6, 10, 1e-3);
  EXPECT_EQ(friction.SmoothNetForce(3, 0), 3);
  EXPECT_DOUBLE_EQ(friction.SmoothNetForce(0, 1e-3), -6 * std::tanh(1.0));
  for (const double v : {1e-5, 1e-3, 0.1}) {
    EXPECT_EQ(friction.SmoothNetForce(0, v), -friction.SmoothNetForce(0, -v));
  }
  EXPECT_NEAR(friction.SmoothNetForce(3, 0.02), friction.NetForce(3, 0.02), 1e-12);
}

/// Erratum 21: friction that does not depend on the load is a force, here 5 % of that of a cylinder of 283 mm
/// at 280 bar, and not a damping.
TEST(DryFrictionTest, SmoothForceIsThatOfSlidingWhateverTheSpeed) {
  const double F = 0.05 * 1761249.1;
  DryFriction friction;
  friction.Set(F, F, 1e-3);
  for (const double v : {0.05, 0.5, 5.0}) {
    EXPECT_DOUBLE_EQ(friction.SmoothForce(v), F);
    EXPECT_EQ(friction.SmoothForce(-v), -friction.SmoothForce(v));
  }
  EXPECT_EQ(friction.SmoothForce(0), 0);
  EXPECT_NEAR(friction.SmoothForce(1e-9), F * 1e-6, 1e-9 * F * 1e-6);
}

}  // namespace
}  // namespace davit
