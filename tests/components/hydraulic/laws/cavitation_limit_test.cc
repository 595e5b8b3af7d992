#include "components/hydraulic/laws/cavitation_limit.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/random_values.h"

namespace davit {
namespace {

TEST(CavitationLimitTest, DoesNotActAgainstBackPressure) {
  EXPECT_EQ(CavitatingDischargeCoefficient(200e5, 150e5, 100), 0.84);
  EXPECT_EQ(CavitatingDischargeCoefficient(150e5, 150e5, 100), 0.84);
  EXPECT_EQ(CavitatingDischargeCoefficient(100e5, 150e5, 100), 0.84);
}

/// Erratum 16: with absolute pressures, the flow no longer depends on the pressure behind.
TEST(CavitationLimitTest, ChokesTheFlow) {
  const double P1 = 100e5, Pv = 100, rho = 861.8;
  for (const double P2 : {Pv, 1e5, 40e5}) {
    const double Cd = CavitatingDischargeCoefficient(P1, P2, Pv);
    EXPECT_NEAR(Cd * std::sqrt(2 * (P1 - P2) / rho), 0.61 * std::sqrt(2 * (P1 - Pv) / rho), 1e-12);
  }
}

TEST(CavitationLimitTest, BeginsAtTheDropWhereBothLawsMeet) {
  const double P1 = 100e5, Pv = 100;
  const double drop = (0.61 / 0.84) * (0.61 / 0.84) * (P1 - Pv);
  EXPECT_EQ(CavitatingDischargeCoefficient(P1, P1 - 0.999 * drop, Pv), 0.84);
  EXPECT_NEAR(CavitatingDischargeCoefficient(P1, P1 - drop, Pv), 0.84, 1e-9);
  EXPECT_LT(CavitatingDischargeCoefficient(P1, P1 - 1.001 * drop, Pv), 0.84);
}

TEST(CavitationLimitTest, VapourDoesNotFlow) { EXPECT_EQ(CavitatingDischargeCoefficient(50, 0, 100), 0); }

RC_GTEST_PROP(CavitationLimitTest, IsBetweenZeroAndItsLargestForAllFiniteInput, ()) {
  const double Cd = CavitatingDischargeCoefficient(AnyFinite(), AnyFinite(), AnyFinite());
  RC_ASSERT(Cd >= 0);
  RC_ASSERT(Cd <= 0.84);
}

}  // namespace
}  // namespace davit
