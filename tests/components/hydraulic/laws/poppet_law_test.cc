#include "components/hydraulic/laws/poppet_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/components/hydraulic/random_network.h"

namespace davit {
namespace {

TEST(PoppetLawTest, OpensOverItsRange) {
  EXPECT_EQ(PoppetFlow(1e-5, 1e5, 1e5, 2e5), 0);
  EXPECT_EQ(PoppetFlow(1e-5, 2e5, 1e5, 2e5), OrificeFlow(0.5e-5, 2e5));
  EXPECT_EQ(PoppetFlow(1e-5, 3e5, 1e5, 2e5), OrificeFlow(1e-5, 3e5));
  EXPECT_EQ(PoppetFlow(1e-5, 9e5, 1e5, 2e5), OrificeFlow(1e-5, 9e5));
}

TEST(PoppetLawTest, PassesNothingBackwards) {
  for (const double dp_crack : {-1e6, 0.0, 1e5}) {
    for (const double dp : {-1e7, -1.0, 0.0}) {
      EXPECT_EQ(PoppetFlow(1e-5, dp, dp_crack, 1e5), 0);
      EXPECT_EQ(PoppetFlow(1e-5, dp, 1e9, dp_crack, 1e5), 0);
    }
  }
}

TEST(PoppetLawTest, WithoutImpedanceIsTheDirectLaw) {
  for (const double dc : {0.5e5, 1.5e5, 2e5, 1e7}) {
    const double q = PoppetFlow(1e-5, dc, 1e5, 1e5);
    EXPECT_EQ(PoppetFlow(1e-5, dc, 0, 1e5, 1e5), q);
    EXPECT_NEAR(PoppetFlow(1e-5, dc, 1e-9, 1e5, 1e5), q, 1e-14 * q);
  }
}

RC_GTEST_PROP(PoppetLawTest, HoldsLawAndWavesTogether, ()) {
  const double K = RandomDecades(-10, -3);
  const double Zs = RandomDecades(0, 13);
  const double dp_crack = RandomDecades(0, 8) * *rc::gen::inRange(-1, 2);
  const double dp_range = RandomDecades(2, 8);
  const double dc = RandomDecades(0, 8);
  const double q = PoppetFlow(K, dc, Zs, dp_crack, dp_range);
  RC_ASSERT(q >= 0);
  const double dp = dc - Zs * q;
  // What rounding of dp can change.
  const double slope = OrificeFlowAndSlope(K, dp).slope + OrificeFlow(K, dp) / dp_range;
  const double rounding = 1e-15 * (dc + std::abs(dp_crack) + Zs * q) * slope;
  RC_ASSERT(std::abs(q - PoppetFlow(K, dp, dp_crack, dp_range)) <= 1e-12 * q + rounding);
}

RC_GTEST_PROP(PoppetLawTest, GrowsWithTheDifferenceOfTheWaves, ()) {
  const double K = RandomDecades(-10, -3);
  const double Zs = RandomDecades(6, 12);
  const double dp_range = RandomDecades(3, 7);
  double last = 0;
  for (double dc = 0; dc < 3 * dp_range; dc += dp_range / 8) {
    const double q = PoppetFlow(K, dc, Zs, dp_range, dp_range);
    RC_ASSERT(q >= last * (1 - 1e-12));
    last = q;
  }
  RC_ASSERT(last > 0);
}

}  // namespace
}  // namespace davit
