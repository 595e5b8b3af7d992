#include "components/hydraulic/laws/pressure_compensator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/random_values.h"

namespace davit {
namespace {

constexpr double kK = 2.357022604e-5;
constexpr double kDp0 = 5e5;

/// Erratum 31: saturated, it hands the supply pressure through.
TEST(PressureCompensatorTest, RegulatesSaturatesAndBlocks) {
  EXPECT_EQ(CompensatedPressure(200e5, 50e5, kDp0), 55e5);
  EXPECT_EQ(CompensatedPressure(53e5, 50e5, kDp0), 53e5);
  EXPECT_EQ(CompensatedPressure(40e5, 50e5, kDp0), 50e5);
  EXPECT_NEAR(CompensatedPressure(55e5 + 1e-3, 50e5, kDp0), CompensatedPressure(55e5 - 1e-3, 50e5, kDp0),
              2e-3);
}

/// Erratum 32: the pressure behind the compensator is the one that is regulated, and nothing flows back.
TEST(PressureCompensatorTest, RegulatesThePressureBehindItself) {
  EXPECT_GT(CompensatorFlow(kK, 300e5, 50e5, 50e5, kDp0), 0) << "a high supply must not shut it";
  EXPECT_EQ(CompensatorFlow(kK, 300e5, 55e5, 50e5, kDp0), 0);
  EXPECT_EQ(CompensatorFlow(kK, 40e5, 50e5, 50e5, kDp0), 0);
  EXPECT_DOUBLE_EQ(CompensatorFlow(kK, 300e5, 52.5e5, 50e5, kDp0), OrificeFlow(kK / 2, 247.5e5));
  EXPECT_EQ(CompensatorFlow(kK, 300e5, 50e5, 100e5, kDp0), OrificeFlow(kK, 250e5));
}

RC_GTEST_PROP(PressureCompensatorTest, SettlesNearItsStaticLaw, ()) {
  const double p_LS = RandomDecades(5, 7), p_S = p_LS + RandomDecades(6, 7);
  const double K_valve = kK * RandomDecades(-3, -1);
  // The flow through the valve to the load equals that through the compensator: p_1 lies within dp0 of p_LS.
  double low = p_LS, high = p_S;
  for (int i = 0; i < 200; ++i) {
    const double p_1 = (low + high) / 2;
    const double excess = CompensatorFlow(kK, p_S, p_1, p_LS, kDp0) - OrificeFlow(K_valve, p_1 - p_LS);
    (excess > 0 ? low : high) = p_1;
  }
  RC_ASSERT(high <= CompensatedPressure(p_S, p_LS, kDp0) + 1e-6);
  RC_ASSERT(high >= p_LS + 0.8 * kDp0);
}

RC_GTEST_PROP(PressureCompensatorTest, LetsNothingBackForAnyFiniteInput, ()) {
  RC_ASSERT(CompensatorFlow(kK, AnyFinite(), AnyFinite(), AnyFinite(), kDp0) >= 0);
}

}  // namespace
}  // namespace davit
