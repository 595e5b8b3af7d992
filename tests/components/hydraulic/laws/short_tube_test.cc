#include "components/hydraulic/laws/short_tube.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"
#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

TEST(ShortTubeTest, PartsMeetAtFifty) {
  EXPECT_NEAR(ShortTubeDischargeCoefficient(50), .538919, 0.5e-6);
  EXPECT_NEAR(ShortTubeDischargeCoefficient(std::nextafter(50.0, 0.0)), .538929, 0.5e-6);
}

/// Merritt's 2.28 leaves a gap.
TEST(ShortTubeTest, LowerLossIsTheContinuousOne) {
  EXPECT_NEAR(1 / std::sqrt(2.28 + 64.0 / 50), .529999, 0.5e-6);
  EXPECT_LT(std::abs(ShortTubeDischargeCoefficient(49.999999) - ShortTubeDischargeCoefficient(50)), 2e-5);
}

RC_GTEST_PROP(ShortTubeTest, FlowHasTheDischargeCoefficient, ()) {
  const double D = RandomDecades(-4, -2);
  const double L = D * RandomDecades(-1, 2);
  const double dp = RandomDecades(0, 8);
  const double q = ShortTube(D, L, kRho, kNu).Flow(dp);
  const double x = 4 * q / (std::numbers::pi * kNu * L);  // D Re/L
  RC_PRE(std::abs(x - 50) > 1e-2);                        // where the parts meet
  const double law = ShortTubeDischargeCoefficient(x) * CircleArea(D) * std::sqrt(2 * dp / kRho);
  RC_ASSERT(std::abs(q - law) <= 1e-12 * q);
}

RC_GTEST_PROP(ShortTubeTest, IsOddMonotoneAndContinuous, ()) {
  const ShortTube tube(RandomDecades(-4, -2), RandomDecades(-4, -1), kRho, kNu);
  const double dp = RandomDecades(-6, 9);
  const double q = tube.Flow(dp);
  RC_ASSERT(tube.Flow(-dp) == -q);
  const double q_more = tube.Flow(dp * (1 + 1e-9));
  RC_ASSERT(q_more >= q * (1 - 1e-15));
  RC_ASSERT(q_more <= q * (1 + 2e-9));
}

TEST(ShortTubeTest, HasAFiniteSlopeAtZero) {
  const double D = 1e-3, L = 0.02;
  const ShortTube tube(D, L, kRho, kNu);
  EXPECT_EQ(tube.Flow(0), 0);
  const double slope = std::numbers::pi * std::pow(D, 4) / (128 * kRho * kNu * L);  // Hagen-Poiseuille
  EXPECT_NEAR(tube.Flow(1e-6) / 1e-6, slope, 1e-9 * slope);
}

RC_GTEST_PROP(ShortTubeTest, SlopeIsTheDerivative, ()) {
  const ShortTube tube(RandomDecades(-4, -2), RandomDecades(-4, -1), kRho, kNu);
  const double dp = RandomDecades(-3, 8), h = 1e-4 * dp;
  const double below = tube.FlowWithSlope(dp - h).slope, above = tube.FlowWithSlope(dp + h).slope;
  RC_PRE(std::abs(above / below - 1) < 1e-3);  // not where the parts meet
  const double slope = (tube.Flow(dp + h) - tube.Flow(dp - h)) / (2 * h);
  RC_ASSERT(std::abs(tube.FlowWithSlope(dp).slope - slope) <= 1e-7 * slope);
  RC_ASSERT(tube.FlowWithSlope(-dp).slope == tube.FlowWithSlope(dp).slope);
}

RC_GTEST_PROP(ShortTubeTest, SolvesBetweenWaves, ()) {
  const ShortTube tube(RandomDecades(-4, -2), RandomDecades(-4, -1), kRho, kNu);
  const double dc = RandomDecades(2, 8), Zs = RandomDecades(6, 12);
  const double q = SolveRestriction(dc, Zs, [&](double dp) { return tube.FlowWithSlope(dp); });
  RC_ASSERT(std::abs(q - tube.Flow(dc - Zs * q)) <= 1e-9 * q + 1e-15 * tube.FlowWithSlope(0).slope * dc);
}

RC_GTEST_PROP(ShortTubeTest, GivesANumberForAllFiniteInput, ()) {
  const ShortTube tube(RandomDecades(-5, 0), RandomDecades(-5, 1) * (*rc::gen::inRange(0, 2)), kRho, kNu);
  RC_ASSERT(std::isfinite(tube.Flow(AnyFinite())));
}

}  // namespace
}  // namespace davit
