#include "components/hydraulic/orifice_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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
