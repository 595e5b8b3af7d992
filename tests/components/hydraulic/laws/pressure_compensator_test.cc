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
  EXPECT_EQ(OpenCompensator(50e5, 50e5, kDp0).share, 1);
  EXPECT_EQ(OpenCompensator(52.5e5, 50e5, kDp0).share, 0.5);
  EXPECT_EQ(OpenCompensator(55e5, 50e5, kDp0).share, 0);
  EXPECT_EQ(OpenCompensator(300e5, 50e5, kDp0).share, 0);
  EXPECT_EQ(OpenCompensator(50e5, 100e5, kDp0).share, 1);
}

/// It grows with p_LS - p_1 as its slope says, through the begin of the soft closing and where it shuts.
TEST(PressureCompensatorTest, HasNoKinkWhereItCloses) {
  constexpr double kLoad = 50e5, kStep = 1;  // [Pa]
  // f'' is at most 4/(x_s dp0^2), so neighbouring slopes differ by this times the step.
  const double bend = 4 / (kCompensatorSoftShare * kDp0 * kDp0) * kStep;
  const auto at = [&](double above) { return OpenCompensator(kLoad + above, kLoad, kDp0); };
  for (double above = kDp0 * (1 - 2 * kCompensatorSoftShare); above < 1.01 * kDp0; above += kStep) {
    const CompensatorOpening before = at(above), behind = at(above + kStep);
    ASSERT_NEAR(before.slope, behind.slope, 1.001 * bend) << above;
    ASSERT_NEAR(before.share - behind.share, before.slope * kStep, 1.001 * bend * kStep) << above;
  }
  EXPECT_EQ(at(kDp0).slope, 0);
  const double begin = kDp0 * (1 - kCompensatorSoftShare);
  EXPECT_NEAR(at(begin).share, kCompensatorSoftShare, 1e-12);
  EXPECT_NEAR(at(begin).slope * kDp0, 1, 1e-12);
}

RC_GTEST_PROP(PressureCompensatorTest, IsBetweenShutAndOpenForAnyFiniteInput, ()) {
  const double r = OpenCompensator(AnyFinite(), AnyFinite(), kDp0).share;
  RC_ASSERT(r >= 0);
  RC_ASSERT(r <= 1);
}

}  // namespace
}  // namespace davit
