#include "components/hydraulic/orifice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/components/hydraulic/random_network.h"
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
  for (const char* law : {"smooth", "laminar_turbulent"}) {
    harness.Set(orifice, "law", law);
    harness.Start();
    for (const double Zc : {0.0, 1e9}) {
      a.Zc = Zc;
      EXPECT_EQ(FlowAt(1e7, 0), 0);
      EXPECT_EQ(FlowAt(0, 0), 0);
    }
  }
}

/// A slot much wider than its height h, length L: D = 2 h, and with K1 = 96 L/D small flows are those of
/// plane Poiseuille flow, q = w h^3 dp/(12 mu L).
TEST_F(OrificeTest, AWideSlotHasPlanePoiseuilleFlow) {
  const double w = 0.02, h = 1e-4, L = 5e-3, mu = 861.8 * 32e-6;
  harness.Set(orifice, "law", "laminar_turbulent");
  harness.Set(orifice, "area", w * h);
  harness.Set(orifice, "hydraulic_diameter", 2 * h);
  harness.Set(orifice, "laminar_coefficient", 96 * L / (2 * h));
  harness.Start();
  const double q = w * h * h * h / (12 * mu * L) * 10;
  const double K = 0.611 * w * h * std::sqrt(2 / 861.8);
  EXPECT_NEAR(FlowAt(10, 0), q, q * q * q / (K * K) / 10 * 1.01);  // the turbulent part, b*q^2 of dp
}

TEST_F(OrificeTest, TheHydraulicDiameterOfARoundOpeningIsItsDiameter) {
  harness.Set(orifice, "law", "laminar_turbulent");
  for (const double D : {0.0, 3e-3}) {
    harness.Set(orifice, "area", std::numbers::pi / 4 * 9e-6);
    harness.Set(orifice, "hydraulic_diameter", D);
    harness.Start();
    EXPECT_NEAR(FlowAt(1e4, 0), 2.036035465e-5, 1e-14);
  }
}

TEST_F(OrificeTest, LaminarTurbulentFollowsTheLossLaw) {
  // dp = (K1/Re + K2)*rho*q^2/(2*A^2) with Re = 4*q/(pi*D*nu), D = 3 mm, K1 = 32, K2 = 1/0.611^2.
  harness.Set(orifice, "law", "laminar_turbulent");
  harness.Set(orifice, "area", std::numbers::pi / 4 * 9e-6);
  harness.Start();
  EXPECT_NEAR(FlowAt(1, 0), 4.573686113e-8, 1e-17);
  EXPECT_NEAR(FlowAt(1e3, 0), 6.144417825e-6, 1e-15);
  EXPECT_NEAR(FlowAt(1e5, 0), 6.534503565e-5, 1e-14);
  EXPECT_NEAR(FlowAt(1e7, 0), 6.574883716e-4, 1e-13);
}

RC_GTEST_FIXTURE_PROP(OrificeTest, LawAndWavesHoldTogether, ()) {
  harness.Set(orifice, "area", RandomDecades(-8, -3));
  harness.Set(orifice, "law", *rc::gen::element("smooth", "laminar_turbulent"));
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(orifice, "q");
  RC_ASSERT(a.q == -q);
  RC_ASSERT(b.q == q);
  const double dp = a.p() - b.p();
  const double rounding = RoundingOf(a, b);
  RC_ASSERT(std::abs(harness.Read(orifice, "dp") - dp) <= rounding);
  const double slope = (orifice.Flow(dp + 1, 0) - orifice.Flow(dp - 1, 0)) / 2;
  RC_ASSERT(std::abs(q - orifice.Flow(dp, 0)) <= 1e-12 * std::abs(q) + slope * rounding);
}

TEST_F(OrificeTest, ASmallImpedanceChangesNothing) {
  for (const char* law : {"smooth", "laminar_turbulent"}) {
    harness.Set(orifice, "law", law);
    harness.Start();
    a.Zc = 0;
    const double q = FlowAt(7e6, 1e5);
    a.Zc = 1e-7;
    EXPECT_NEAR(FlowAt(7e6, 1e5), q, 1e-14 * q);
  }
}

}  // namespace
}  // namespace davit
