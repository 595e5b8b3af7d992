#include "components/hydraulic/cylinder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

constexpr double kPistonArea = 0.0629017535;
constexpr double kRingArea = 0.0472872526;
constexpr double kStopStiffness = 2.2015614e9;
constexpr double kStopDamping = 4.445558e6;

class CylinderTest : public testing::Test {
 protected:
  /// The rod bond counts into the cylinder, against extension.
  void Move(double x, double v) {
    rod.x = -x;
    rod.v = -v;
    harness.Evaluate();
  }
  double Read(std::string_view name) { return harness.Read(cylinder, name); }

  ComponentHarness harness;
  Cylinder& cylinder = harness.Add<Cylinder>("cylinder");
  HydraulicBond& a = harness.AttachHydraulic(cylinder, "a");
  HydraulicBond& b = harness.AttachHydraulic(cylinder, "b");
  TranslationalBond& rod = harness.AttachTranslational(cylinder, "rod");
};

TEST_F(CylinderTest, FlowsFollowTheVelocity) {
  EXPECT_FALSE(harness.Start().has_errors());
  Move(1, 0.1);
  EXPECT_NEAR(Read("q_a"), 0.1 * kPistonArea, 1e-11);
  EXPECT_NEAR(Read("q_b"), 0.1 * kRingArea, 1e-11);
  EXPECT_EQ(a.q, -Read("q_a"));
  EXPECT_EQ(b.q, Read("q_b"));
  Move(1, 0);
  EXPECT_EQ(Read("q_a"), 0);
  EXPECT_EQ(Read("q_b"), 0);
}

TEST_F(CylinderTest, ForceFollowsThePressures) {
  harness.Start();
  a.c = 280e5;
  Move(1, 0);
  EXPECT_NEAR(Read("force"), 1761249.1, 0.1);
  a.c = 1559574.9646;
  Move(1, 0);
  EXPECT_NEAR(rod.F(), 98100, 1e-3);
  EXPECT_EQ(rod.Zc, 0);
  b.c = 1e6;
  Move(1, 0);
  EXPECT_NEAR(Read("force"), 98100 - 1e6 * kRingArea, 1e-3);
  EXPECT_EQ(Read("p_a"), a.c);
  EXPECT_EQ(Read("p_b"), b.c);
}

TEST_F(CylinderTest, TurnsHydraulicPowerIntoMechanicalPower) {
  harness.Start();
  a.c = 123e5;
  b.c = 45e5;
  for (const double v : {-0.2, 0.05}) {
    Move(0.7, v);
    // Each product is the power into the C side, so the sum over all bonds is what the cylinder stores or
    // loses.
    const double into_oil = a.p() * a.q + b.p() * b.q;
    const double into_cylinder = rod.F() * rod.v;
    EXPECT_NEAR(into_oil, into_cylinder, 1e-9 * std::abs(into_oil));
  }
}

TEST_F(CylinderTest, StopsPushBackBeyondBothEnds) {
  harness.Start();
  Move(2.0005, 0.1);
  EXPECT_NEAR(Read("force"), -(kStopStiffness * 5e-4 + kStopDamping * 0.1), 10);
  Move(-0.0005, -0.1);
  EXPECT_NEAR(Read("force"), kStopStiffness * 5e-4 + kStopDamping * 0.1, 10);
}

TEST_F(CylinderTest, StopsDampOnlyTheWayIn) {
  harness.Start();
  Move(2.0005, -0.1);
  EXPECT_NEAR(Read("force"), -kStopStiffness * 5e-4, 10);
  Move(-0.0005, 0.1);
  EXPECT_NEAR(Read("force"), kStopStiffness * 5e-4, 10);
}

TEST_F(CylinderTest, StopsDoNothingInBetween) {
  harness.Start();
  for (const double x : {0.0, 1.0, 2.0}) {
    Move(x, 0.3);
    EXPECT_EQ(Read("force"), 0);
  }
}

TEST_F(CylinderTest, AStopYieldsByItsDeflectionUnderTheMaximumPressure) {
  harness.Set(cylinder, "stop_deflection", 0.004);
  harness.Start();
  a.c = 350e5;
  Move(2.004, 0);
  EXPECT_NEAR(Read("force"), 0, 1e-3);
}

TEST_F(CylinderTest, OutputsCountInExtension) {
  harness.Start();
  Move(0.4, -0.2);
  EXPECT_EQ(Read("x"), 0.4);
  EXPECT_EQ(Read("v"), -0.2);
}

TEST_F(CylinderTest, TellsItsNeighbourTheRodMassAndTheStart) {
  harness.Set(cylinder, "rod_mass", 700);
  harness.Start();
  EXPECT_EQ(rod.added_mass, 700);
  EXPECT_TRUE(std::isnan(rod.x_start));
  harness.SetStart(cylinder, "x", 1.2);
  harness.Start();
  EXPECT_EQ(rod.x_start, -1.2);
  EXPECT_EQ(rod.x_start_owner, &cylinder);
}

TEST_F(CylinderTest, RefusesARodThatDoesNotFit) {
  harness.Set(cylinder, "rod", 0.283);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.all()[0].path, "/cylinder");
}

}  // namespace
}  // namespace davit
