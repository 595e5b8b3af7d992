#include "components/hydraulic/laws/orifice_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "tests/components/hydraulic/random_network.h"

namespace davit {
namespace {

TEST(OrificeLawTest, IsTheSquareRootLawFarFromZero) {
  const double K = 1.2e-5;
  for (const double dp : {1e6, 1e7, 3.5e7}) {
    // (1 + (d/dp)^2)^(-1/4) = 1 - (d/dp)^2/4 + ...
    const double ratio = kOrificeLinearPressure / dp;
    EXPECT_NEAR(OrificeFlow(K, dp) / (K * std::sqrt(dp)), 1 - ratio * ratio / 4, 1e-8);
  }
}

TEST(OrificeLawTest, EqualsItsFormulaAtTheTransition) {
  EXPECT_DOUBLE_EQ(OrificeFlow(2.0, 1e4), 2 * 1e2 / std::pow(2.0, 0.25));
}

TEST(OrificeLawTest, IsOddAndMonotone) {
  double last = -std::numeric_limits<double>::infinity();
  for (double dp = -5e5; dp <= 5e5; dp += 1e3) {
    const double q = OrificeFlow(1e-5, dp);
    EXPECT_EQ(q, -OrificeFlow(1e-5, -dp));
    EXPECT_GT(q, last);
    last = q;
  }
}

TEST(OrificeLawTest, HasAFiniteSlopeAtZero) {
  const double K = 1e-5;
  EXPECT_EQ(OrificeFlow(K, 0), 0);
  EXPECT_NEAR(OrificeFlow(K, 1e-3) / 1e-3, K / std::sqrt(kOrificeLinearPressure), 1e-14 * K);
}

TEST(OrificeLawTest, SlopeIsTheDerivative) {
  EXPECT_DOUBLE_EQ(OrificeFlowAndSlope(2e-5, 0).slope, 2e-5 / std::sqrt(kOrificeLinearPressure));
  for (const double dp : {-3e7, -1e4, 1.0, 5e3, 2e5, 1e7}) {
    const FlowAndSlope flow = OrificeFlowAndSlope(2e-5, dp);
    const double h = 1e-4 * std::abs(dp);
    EXPECT_NEAR(flow.q, OrificeFlow(2e-5, dp), 1e-15 * std::abs(flow.q));
    EXPECT_NEAR(flow.slope, (OrificeFlow(2e-5, dp + h) - OrificeFlow(2e-5, dp - h)) / (2 * h),
                1e-7 * flow.slope);
  }
}

RC_GTEST_PROP(OrificeBetweenWavesTest, HoldsLawAndWavesTogether, ()) {
  const double K = RandomDecades(-12, -2);
  const double Zs = RandomDecades(0, 14);
  const double dc = RandomDecades(-6, 9) * (*rc::gen::arbitrary<bool>() ? 1 : -1);
  const double q = OrificeFlow(K, dc, Zs);
  RC_ASSERT(q * dc > 0);
  // s and with it dp follow from q by the other form of the law: s = dp*K/q, s^4 = dp^2 + d^2.
  const long double y = static_cast<long double>(q) / K;
  const long double d = kOrificeLinearPressure;
  const long double s = std::sqrt((y * y + std::sqrt(y * y * y * y + 4 * d * d)) / 2);
  const long double error = y * s + static_cast<long double>(Zs) * q - dc;
  RC_ASSERT(std::abs(error) <= 2e-15 * std::abs(dc));
}

RC_GTEST_PROP(OrificeBetweenWavesTest, IsOdd, ()) {
  const double K = RandomDecades(-12, -2);
  const double Zs = RandomDecades(0, 14);
  const double dc = RandomDecades(-6, 9);
  RC_ASSERT(OrificeFlow(K, -dc, Zs) == -OrificeFlow(K, dc, Zs));
}

RC_GTEST_PROP(OrificeBetweenWavesTest, EqualsTheGeneralSolution, ()) {
  const double K = RandomDecades(-12, -2);
  const double Zs = RandomDecades(0, 14);
  const double dc = RandomDecades(-6, 9);
  const double q = SolveRestriction(dc, Zs, [&](double dp) { return OrificeFlowAndSlope(K, dp); });
  RC_ASSERT(std::abs(OrificeFlow(K, dc, Zs) - q) <= 1e-12 * q);
}

TEST(OrificeBetweenWavesTest, WithoutImpedanceIsTheDirectLaw) {
  for (const double dc : {-3e7, -1e4, 0.0, 1.0, 1e5, 1e7}) {
    const double q = OrificeFlow(1e-5, dc);
    EXPECT_EQ(OrificeFlow(1e-5, dc, 0), q);
    EXPECT_NEAR(OrificeFlow(1e-5, dc, 1e-12), q, 1e-15 * std::abs(q));
  }
}

TEST(OrificeBetweenWavesTest, LimitCases) {
  EXPECT_EQ(OrificeFlow(1e-5, 0, 1e9), 0);
  EXPECT_EQ(OrificeFlow(0, 1e7, 1e9), 0);
  EXPECT_EQ(OrificeFlow(0, 0, 1e9), 0);
  EXPECT_NEAR(OrificeFlow(1e3, 1e7, 1e9), 1e7 / 1e9, 1e-10);  // wide open: only the impedance limits
  EXPECT_TRUE(std::isnan(OrificeFlow(1e-5, std::nan(""), 1e9)));
}

TEST(OrificeLawTest, CoefficientsOfTheLiftingSystem) {
  EXPECT_NEAR(NominalOrificeCoefficient(500 / 6e4, 5e5), 1.178511302e-5, 1e-14);
  EXPECT_NEAR(NominalOrificeCoefficient(140 / 6e4, 5e5), 3.299831646e-6, 1e-15);
  EXPECT_NEAR(OrificeCoefficient(1, 2.446369192e-4, 861.8), 1.178511302e-5, 1e-14);
}

TEST(OrificeLawTest, ClipLimitsAndPassesNanOn) {
  EXPECT_EQ(Clip(-0.1), 0);
  EXPECT_EQ(Clip(0.25), 0.25);
  EXPECT_EQ(Clip(1.1), 1);
  EXPECT_TRUE(std::isnan(Clip(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace davit
