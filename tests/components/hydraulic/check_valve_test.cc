#include "components/hydraulic/check_valve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class CheckValveTest : public testing::Test {
 protected:
  double FlowAt(double p_a, double p_b) {
    a.c = p_a;
    b.c = p_b;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }

  ComponentHarness harness;
  CheckValve& valve = harness.Add<CheckValve>("valve");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
};

TEST_F(CheckValveTest, PassesItsNominalFlowForwards) {
  harness.Start();
  EXPECT_NEAR(FlowAt(105e5, 100e5) * 6e4, 100, 0.011);
  EXPECT_EQ(harness.Read(valve, "opening"), 1);
  EXPECT_EQ(a.q, -b.q);
}

TEST_F(CheckValveTest, PassesNothingBackwards) {
  harness.Start();
  for (const double Zc : {0.0, 1e9}) {
    a.Zc = Zc;
    EXPECT_EQ(FlowAt(0, 300e5), 0);
    EXPECT_EQ(FlowAt(50e5, 50e5), 0);
    EXPECT_EQ(FlowAt(50.5e5, 50e5), 0);
    EXPECT_EQ(harness.Read(valve, "opening"), 0);
  }
}

TEST_F(CheckValveTest, OpensOverItsRangeAndIsContinuousAtBothEnds) {
  harness.Start();
  const double K = 100 / 6e4 / std::sqrt(5e5);
  EXPECT_NEAR(FlowAt(11e5, 10e5), OrificeFlow(0.5 * K, 1e5), 1e-15);
  EXPECT_NEAR(FlowAt(10.5e5 + 1e-3, 10e5), 0, 1e-10);
  EXPECT_NEAR(FlowAt(11.5e5 - 1e-3, 10e5), FlowAt(11.5e5 + 1e-3, 10e5), 1e-10);
}

TEST_F(CheckValveTest, WithoutSpringOpensAtOnce) {
  harness.Set(valve, "cracking_pressure", 0);
  harness.Start();
  for (const double Zc : {0.0, 1e9}) {
    a.Zc = Zc;
    EXPECT_GT(FlowAt(10e5 + 1, 10e5), 0);
    EXPECT_EQ(FlowAt(10e5 - 1, 10e5), 0);
  }
}

RC_GTEST_FIXTURE_PROP(CheckValveTest, LawAndWavesHoldTogether, ()) {
  harness.Set(valve, "nominal_flow", RandomDecades(-5, -1));
  const double range = RandomDecades(2, 7);
  harness.Set(valve, "opening_range", range);
  harness.Set(valve, "cracking_pressure", RandomDecades(2, 7) * *rc::gen::inRange(0, 2));
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(valve, "q");
  RC_ASSERT(q >= 0);
  RC_ASSERT(a.q == -q);
  RC_ASSERT(b.q == q);
  const double dp = a.p() - b.p();
  const double slope = q > 0 ? q / dp + q / (range * harness.Read(valve, "opening")) : 0;
  RC_ASSERT(std::abs(q - valve.Flow(dp, 0)) <= 1e-12 * q + slope * RoundingOf(a, b));
}

TEST_F(CheckValveTest, AStuckPoppetHasItsOpeningBothWays) {
  harness.Set(valve, "stuck_at", 0.2);
  harness.Start();
  const double K = 100 / 6e4 / std::sqrt(5e5);
  for (const double dp : {100e5, -100e5}) {
    EXPECT_NEAR(FlowAt(150e5 + dp, 150e5), OrificeFlow(0.2 * K, dp), 1e-15);
    EXPECT_EQ(harness.Read(valve, "opening"), 0.2);
  }
}

class PilotedCheckValveTest : public CheckValveTest {
 protected:
  HydraulicBond& pilot = harness.AttachHydraulic(valve, "pilot");
};

TEST_F(PilotedCheckValveTest, IsTheFreeOneWithoutPilotPressure) {
  harness.Start();
  for (const double Zc : {0.0, 1e9}) {
    a.Zc = Zc;
    EXPECT_EQ(FlowAt(0, 300e5), 0);
    EXPECT_EQ(FlowAt(50e5, 50e5), 0);
    EXPECT_EQ(harness.Read(valve, "opening"), 0);
  }
  EXPECT_EQ(pilot.q, 0);
  a.Zc = 0;
  EXPECT_NEAR(FlowAt(105e5, 100e5) * 6e4, 100, 0.011);
}

// A load of 300 bar is let down where the pilot piston, 3 times as large as the seat, has a third of it.
TEST_F(PilotedCheckValveTest, OpensBackwardsWhereThePilotForceExceedsTheLoad) {
  harness.Start();
  const double p_open = (300e5 + 0.5e5) / 3;
  pilot.c = p_open - 1;
  EXPECT_EQ(FlowAt(0, 300e5), 0);
  pilot.c = p_open + 0.5e5 / 3;  // half the opening range
  EXPECT_NEAR(FlowAt(0, 300e5), -OrificeFlow(0.5 * 100 / 6e4 / std::sqrt(5e5), 300e5), 1e-12);
  // A pressure at a holds the pilot piston back.
  EXPECT_EQ(FlowAt(10e5, 300e5), 0);
}

RC_GTEST_FIXTURE_PROP(PilotedCheckValveTest, LawAndWavesHoldTogetherWithAPilot, ()) {
  const double range = RandomDecades(4, 7);
  harness.Set(valve, "opening_range", range);
  harness.Set(valve, "pilot_ratio", RandomDecades(-1, 1));
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  pilot.c = RandomPressure();
  harness.Evaluate();
  const double q = harness.Read(valve, "q");
  RC_ASSERT(a.q == -q);
  RC_ASSERT(b.q == q);
  const double K = 100 / 6e4 / std::sqrt(5e5), dp = a.p() - b.p();
  const double expected = OrificeFlow(K * valve.Opening(a.p(), b.p(), pilot.p()), dp);
  const double slope = OrificeFlowAndSlope(K, dp).slope + 12 * OrificeFlow(K, std::abs(dp)) / range;
  // It stays shut where only a flow could hold it open.
  if (q != 0) RC_ASSERT(std::abs(q - expected) <= 2e-12 * std::abs(q) + 4 * slope * RoundingOf(a, b));
}

}  // namespace
}  // namespace davit
