#include "components/hydraulic/counterbalance_valve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class CounterbalanceValveTest : public testing::Test {
 protected:
  CounterbalanceValveTest() { harness.Start(); }

  double FlowAt(double p_a, double p_c, double p_pilot) {
    a.c = p_a;
    c.c = p_c;
    pilot.c = p_pilot;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }

  ComponentHarness harness;
  CounterbalanceValve& valve = harness.Add<CounterbalanceValve>("valve");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& c = harness.AttachHydraulic(valve, "c");
  HydraulicBond& pilot = harness.AttachHydraulic(valve, "pilot");
};

TEST_F(CounterbalanceValveTest, PassesItsNominalFlowTowardsTheCylinder) {
  EXPECT_NEAR(FlowAt(105e5, 100e5, 0) * 6e4, 140, 0.015);
  EXPECT_EQ(harness.Read(valve, "opening"), 1);
}

TEST_F(CounterbalanceValveTest, HoldsTheLoadWithoutPilotPressure) {
  for (const double p_pilot : {0.0, 10e5, 25e5}) {
    EXPECT_EQ(FlowAt(0, 300e5, p_pilot), 0);
    EXPECT_EQ(harness.Read(valve, "opening"), 0);
  }
}

TEST_F(CounterbalanceValveTest, ReturnOpensWithThePilotPressure) {
  const double q_full = FlowAt(0, 100e5, 30e5);
  EXPECT_NEAR(q_full, -3.299831646e-6 * std::sqrt(100e5), 1e-8);
  EXPECT_DOUBLE_EQ(FlowAt(0, 100e5, 27.5e5), 0.5 * q_full);
  EXPECT_EQ(FlowAt(0, 100e5, 200e5), q_full);
}

TEST_F(CounterbalanceValveTest, IsContinuousWhereTheFlowTurns) {
  for (const double p_pilot : {0.0, 27e5, 100e5}) {
    EXPECT_EQ(FlowAt(50e5, 50e5, p_pilot), 0);
    EXPECT_NEAR(FlowAt(50e5 + 1e-3, 50e5, p_pilot), 0, 1e-10);
    EXPECT_NEAR(FlowAt(50e5 - 1e-3, 50e5, p_pilot), 0, 1e-10);
  }
}

TEST_F(CounterbalanceValveTest, ThePilotTakesNoOilAndNoneIsLost) {
  for (const double p_c : {10e5, 200e5}) {
    const double q = FlowAt(50e5, p_c, 40e5);
    EXPECT_NE(q, 0);
    EXPECT_EQ(a.q, -q);
    EXPECT_EQ(c.q, q);
    EXPECT_EQ(pilot.q, 0);
  }
}

TEST_F(CounterbalanceValveTest, FollowsItsParameters) {
  harness.Set(valve, "pilot_open_pressure", 40e5);
  harness.Set(valve, "pilot_range", 20e5);
  harness.Apply(valve);
  FlowAt(0, 100e5, 50e5);
  EXPECT_EQ(harness.Read(valve, "opening"), 0.5);
}

RC_GTEST_FIXTURE_PROP(CounterbalanceValveTest, LawAndWavesHoldTogether, ()) {
  a = RandomNeighbour();
  c = RandomNeighbour();
  pilot = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(valve, "q");
  const double r = harness.Read(valve, "opening");
  RC_ASSERT(a.q == -q);
  RC_ASSERT(c.q == q);
  RC_ASSERT(pilot.q == 0);
  if (q != 0) RC_ASSERT(r == valve.Opening(a.p(), c.p(), pilot.p()));
  RC_ASSERT(q != 0 || r == 0 || a.c == c.c);
  const double K = r * 3.299831646e-6;
  const double rounding = OrificeFlowAndSlope(K, a.p() - c.p()).slope * RoundingOf(a, c);
  RC_ASSERT(std::abs(q - valve.Flow(r, a.p(), c.p())) <= 1e-12 * std::abs(q) + rounding);
}

TEST_F(CounterbalanceValveTest, IsContinuousWhereTheFlowTurnsBetweenWaves) {
  a.Zc = 1e9;
  c.Zc = 5e8;
  for (const double p_pilot : {0.0, 27e5, 100e5}) {
    EXPECT_EQ(FlowAt(50e5, 50e5, p_pilot), 0);
    EXPECT_NEAR(FlowAt(50e5 + 1e-3, 50e5, p_pilot), 0, 1e-10);
    EXPECT_NEAR(FlowAt(50e5 - 1e-3, 50e5, p_pilot), 0, 1e-10);
  }
}

}  // namespace
}  // namespace davit
