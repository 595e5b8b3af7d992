#include "components/hydraulic/laws/annular_gap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "components/hydraulic/laws/short_tube.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

constexpr double kMu = kRho * kNu;

AnnularGap PistonGap(double length) { return {.diameter = 0.283, .clearance = 1e-5, .length = length}; }

TEST(AnnularGapTest, HasTheConductancesOfAPiston) {
  EXPECT_NEAR(PistonGap(.05).LaminarConductance(kMu), 5.373145e-14, 0.5e-20);
  EXPECT_NEAR(PistonGap(.2).LaminarConductance(kMu), 1.343286e-14, 0.5e-20);
  EXPECT_NEAR(PistonGap(2).LaminarConductance(kMu), 1.343286e-15, 0.5e-21);
}

/// Erratum 13: twelve and the dynamic viscosity. Three and the kinematic one give 3447.2 times as much.
TEST(AnnularGapTest, DividesByTwelveAndTheDynamicViscosity) {
  const double as_coded = std::numbers::pi * 0.283 * 1e-15 / (3 * kNu * 2);
  EXPECT_NEAR(as_coded, 4.630577e-12, 0.5e-18);
  EXPECT_NEAR(as_coded / PistonGap(2).LaminarConductance(kMu), 3447.2, 0.05);
}

TEST(AnnularGapTest, LeaksTwoAndAHalfTimesAsMuchWhenThePistonTouches) {
  AnnularGap gap = PistonGap(0.2);
  const double concentric = gap.LaminarConductance(kMu);
  gap.eccentricity = gap.clearance;
  EXPECT_DOUBLE_EQ(gap.LaminarConductance(kMu), 2.5 * concentric);
  gap.eccentricity = gap.clearance / 2;
  EXPECT_DOUBLE_EQ(gap.LaminarConductance(kMu), 1.375 * concentric);
}

AnnularGap RandomGap() {
  const double c = RandomDecades(-6, -3);
  return {.diameter = c * RandomDecades(1, 4),
          .clearance = c,
          .length = RandomDecades(-3, 0),
          .eccentricity = c * *rc::gen::inRange(0, 11) * 0.1};
}

RC_GTEST_PROP(AnnularGapTest, TurbulentFlowHasItsLossesInSeries, ()) {
  const AnnularGap gap = RandomGap();
  const double dp = RandomDecades(2, 8);
  const double q = gap.TurbulentFlow(dp, kRho, kNu);
  const double r = gap.diameter / 2, c = gap.clearance;
  const double A = std::numbers::pi * (r * r - (r - c) * (r - c));
  const double xi = 0.316 / std::pow(2 * c * q / (A * kNu), 0.21) / (1 + 0.2 * gap.eccentricity / c);
  const double law = A * std::sqrt(2 * dp / kRho / (xi * gap.length / (2 * c) + 1.5));
  RC_ASSERT(std::abs(q - law) <= 1e-11 * q);
}

RC_GTEST_PROP(AnnularGapTest, AtTheCriticalDropBothFlowsAreEqual, ()) {
  const AnnularGap gap = RandomGap();
  const double dp = gap.CriticalDrop(kRho, kNu);
  const double laminar = gap.LaminarConductance(kMu) * dp;
  RC_ASSERT(std::abs(gap.TurbulentFlow(dp, kRho, kNu) - laminar) <= 1e-8 * laminar);
  const double below = 0.9 * dp, above = 1.1 * dp;
  RC_ASSERT(gap.Flow(below, kRho, kNu) == gap.LaminarConductance(kMu) * below);
  RC_ASSERT(gap.Flow(above, kRho, kNu) < gap.LaminarConductance(kMu) * above);
}

TEST(AnnularGapTest, WithoutAGapNothingIsTurbulent) {
  EXPECT_TRUE(std::isinf(AnnularGap{.diameter = 0.02, .length = 0.01}.CriticalDrop(kRho, kNu)));
}

/// dp = rho/2 v^2 (xi L/(2c) + 1.5) by hand, A = 31.2902 mm2.
TEST(AnnularGapTest, HasTheLossesOfFrictionAndOfBothEndsAtPointsByHand) {
  const AnnularGap gap{.diameter = 50e-3, .clearance = 0.2e-3, .length = 10e-3};
  const struct {
    double q;  // Re        xi          xi L/(2c)
    double dp;
  } kPoints[] = {{1e-3, 1648417.4068195496},  // 399.485   0.0898198   2.24549
                 {3e-3, 13003268.162437536},  // 1198.456  0.0713143   1.78286
                 {1e-2, 126951465.0223868}};  // 3994.853  0.0553824   1.38456
  for (const auto& [q, dp] : kPoints) {
    EXPECT_NEAR(gap.TurbulentFlow(dp, 861.8, 32e-6), q, 1e-9 * q);
    EXPECT_NEAR(gap.TurbulentFlow(-dp, 861.8, 32e-6), -q, 1e-9 * q);
  }
}

/// Without friction both ends are left, as in a short tube without length: per area the same flow.
TEST(AnnularGapTest, WithoutLengthItIsAShortTubeWithoutLength) {
  const AnnularGap gap{.diameter = 50e-3, .clearance = 0.2e-3, .length = 1e-15};
  const double A = std::numbers::pi * 0.2e-3 * (50e-3 - 0.2e-3);
  const double D = std::sqrt(4 * A / std::numbers::pi);
  const double q = gap.TurbulentFlow(200e5, kRho, kNu);
  EXPECT_NEAR(q, ShortTube(D, 0, kRho, kNu).Flow(200e5), 1e-9 * q);
  EXPECT_NEAR(q, A * std::sqrt(2 * 200e5 / kRho / 1.5), 1e-9 * q);
}

/// Erratum 12: the losses of the ends lower the flow. The formula as printed in the thesis gives more than
/// friction alone.
TEST(AnnularGapTest, TheLossesOfTheEndsLowerTheFlow) {
  const AnnularGap gap{.diameter = 0.02, .clearance = 1e-4, .length = 1e-3};
  const double A = std::numbers::pi * 1e-4 * (0.02 - 1e-4), dp = 1e7;
  const double q = gap.TurbulentFlow(dp, kRho, kNu);
  const double xi = 0.316 / std::pow(2e-4 * q / (A * kNu), 0.21);
  const double friction = xi * gap.length / 2e-4;
  EXPECT_LT(q, A * std::sqrt(2 * dp / kRho / friction));
  EXPECT_LT(q, A * std::sqrt(2 * dp / kRho / 1.5));
  EXPECT_GT(A * std::sqrt(2 * dp / kRho * (1 / friction + 1 / (1.5 * 1.5))),
            A * std::sqrt(2 * dp / kRho / friction));
}

RC_GTEST_PROP(AnnularGapTest, FlowIsOddMonotoneAndContinuous, ()) {
  const AnnularGap gap = RandomGap();
  const double dp = RandomDecades(-6, 9);
  const double q = gap.Flow(dp, kRho, kNu);
  RC_ASSERT(gap.Flow(-dp, kRho, kNu) == -q);
  const double q_more = gap.Flow(dp * (1 + 1e-9), kRho, kNu);
  RC_ASSERT(q_more >= q * (1 - 1e-14));
  RC_ASSERT(q_more <= q * (1 + 2e-9));
}

RC_GTEST_PROP(AnnularGapTest, FlowIsTheSmallerOfLaminarAndTurbulent, ()) {
  const AnnularGap gap = RandomGap();
  const double dp = RandomDecades(-6, 9);
  const double q = gap.Flow(dp, kRho, kNu);
  RC_ASSERT(q <= gap.LaminarConductance(kMu) * dp);
  RC_ASSERT(q <= gap.TurbulentFlow(dp, kRho, kNu));
}

RC_GTEST_PROP(AnnularGapTest, SlopeIsTheDerivative, ()) {
  const AnnularGap gap = RandomGap();
  const double dp = RandomDecades(-3, 8), h = 1e-4 * dp;
  const auto at = [&](double drop) { return gap.FlowWithSlope(drop, kRho, kNu); };
  RC_PRE(std::abs(at(dp + h).slope / at(dp - h).slope - 1) < 1e-3);  // not where the parts meet
  const double slope = (at(dp + h).q - at(dp - h).q) / (2 * h);
  RC_ASSERT(std::abs(at(dp).slope - slope) <= 1e-7 * slope);
  RC_ASSERT(at(-dp).slope == at(dp).slope);
}

TEST(AnnularGapTest, IsLaminarForSmallDrops) {
  const AnnularGap gap = PistonGap(0.2);
  for (const double dp : {0.0, 1e-3, 1e3, 300e5}) {
    EXPECT_EQ(gap.Flow(dp, kRho, kNu), gap.LaminarConductance(kMu) * dp);
  }
}

TEST(AnnularGapTest, WithoutClearanceNothingLeaks) {
  const AnnularGap gap{.diameter = 0.283, .clearance = 0, .length = 0.2};
  EXPECT_EQ(gap.LaminarConductance(kMu), 0);
  EXPECT_EQ(gap.Flow(300e5, kRho, kNu), 0);
}

RC_GTEST_PROP(AnnularGapTest, GivesANumberForAllFiniteInput, ()) {
  RC_ASSERT(!std::isnan(RandomGap().Flow(AnyFinite(), kRho, kNu)));
}

/// Where the laminar loss 1/G q is that of gap and entry together.
TEST(AnnularGapTest, ChangesFromLaminarToTurbulentAtItsCriticalDrop) {
  for (const double c : {3e-6, 30e-6, 300e-6}) {
    for (const double e : {0.0, 1.0}) {
      const AnnularGap wide{.diameter = 0.05, .clearance = c, .length = 0.01, .eccentricity = e * c};
      const double critical = wide.CriticalDrop(861.8, 32e-6);
      const double laminar = wide.LaminarConductance(861.8 * 32e-6) * critical;
      // 1e-9: the Newton iterations of turbulent flow end there.
      EXPECT_NEAR(wide.TurbulentFlow(critical, 861.8, 32e-6), laminar, 1e-8 * laminar);
      EXPECT_LT(wide.TurbulentFlow(2 * critical, 861.8, 32e-6), 2 * laminar);
      EXPECT_GT(wide.TurbulentFlow(critical / 2, 861.8, 32e-6), laminar / 2);
    }
  }
  EXPECT_EQ((AnnularGap{.diameter = 0.05, .clearance = 0, .length = 0.01}.CriticalDrop(861.8, 32e-6)),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace davit
