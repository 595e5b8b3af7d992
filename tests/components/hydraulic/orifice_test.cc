#include "components/hydraulic/orifice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

class OrificeTest : public testing::Test {
 protected:
  double FlowAt(double p_a, double p_b) {
    a.c = p_a;
    b.c = p_b;
    harness.Evaluate();
    return harness.Read(orifice, "q");
  }

  ComponentHarness harness;
  Orifice& orifice = harness.Add<Orifice>("orifice");
  HydraulicBond& a = harness.AttachHydraulic(orifice, "a");
  HydraulicBond& b = harness.AttachHydraulic(orifice, "b");
};

TEST_F(OrificeTest, FollowsTheSquareRootLaw) {
  // 3 mm, Cd = 0.611.
  harness.Set(orifice, "area", std::numbers::pi / 4 * 9e-6);
  harness.Start();
  EXPECT_NEAR(FlowAt(1e6, 0), 2.080584477e-4, 6e-9);
  EXPECT_NEAR(FlowAt(1.5e7, 5e6), 6.579385813e-4, 2e-10);
  EXPECT_EQ(harness.Read(orifice, "dp"), 1e7);
}

TEST_F(OrificeTest, IsZeroAtEqualPressuresAndOdd) {
  harness.Start();
  EXPECT_EQ(FlowAt(5e6, 5e6), 0);
  EXPECT_EQ(FlowAt(3e6, 1e6), -FlowAt(1e6, 3e6));
}

TEST_F(OrificeTest, FlowLeavesOneSideAndEntersTheOther) {
  harness.Start();
  const double q = FlowAt(3e6, 1e6);
  EXPECT_GT(q, 0);
  EXPECT_EQ(a.q, -q);
  EXPECT_EQ(b.q, q);
}

TEST_F(OrificeTest, GrowsWithAreaAndCoefficientAndFallsWithDensity) {
  harness.Start();
  const double q = FlowAt(1e7, 0);
  harness.Set(orifice, "area", 2 * 7.854e-5);
  harness.Apply(orifice);
  EXPECT_DOUBLE_EQ(FlowAt(1e7, 0), 2 * q);
  harness.Set(orifice, "discharge_coefficient", 0.5 * 0.611);
  harness.Apply(orifice);
  EXPECT_DOUBLE_EQ(FlowAt(1e7, 0), q);
  harness.Set(orifice, "density", 4 * 861.8);
  harness.Apply(orifice);
  EXPECT_DOUBLE_EQ(FlowAt(1e7, 0), q / 2);
}

TEST_F(OrificeTest, PassesNothingWhenShut) {
  harness.Set(orifice, "area", 0);
  harness.Start();
  EXPECT_EQ(FlowAt(1e7, 0), 0);
}

}  // namespace
}  // namespace davit
