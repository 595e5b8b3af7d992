#include "components/hydraulic/laws/pressure_compensator.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/support/random_values.h"

namespace davit {
namespace {

constexpr double kDp0 = 5e5;

/// Erratum 32: the pressure behind the compensator is the one that is regulated.
TEST(PressureCompensatorTest, ShutsAsThePressureBehindItRisesAboveTheLoad) {
  EXPECT_EQ(CompensatorOpening(50e5, 50e5, kDp0), 1);
  EXPECT_EQ(CompensatorOpening(52.5e5, 50e5, kDp0), 0.5);
  EXPECT_EQ(CompensatorOpening(55e5, 50e5, kDp0), 0);
  EXPECT_EQ(CompensatorOpening(300e5, 50e5, kDp0), 0);
  EXPECT_EQ(CompensatorOpening(50e5, 100e5, kDp0), 1);
}

RC_GTEST_PROP(PressureCompensatorTest, IsBetweenShutAndOpenForAnyFiniteInput, ()) {
  const double r = CompensatorOpening(AnyFinite(), AnyFinite(), kDp0);
  RC_ASSERT(r >= 0);
  RC_ASSERT(r <= 1);
}

}  // namespace
}  // namespace davit
