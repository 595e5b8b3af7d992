#include "components/hydraulic/relief_valve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class ReliefValveTest : public testing::Test {
 protected:
  double FlowAt(double p_in, double p_out) {
    in.c = p_in;
    out.c = p_out;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }

  ComponentHarness harness;
  ReliefValve& valve = harness.Add<ReliefValve>("valve");
  HydraulicBond& in = harness.AttachHydraulic(valve, "in");
  HydraulicBond& out = harness.AttachHydraulic(valve, "out");
};

TEST_F(ReliefValveTest, OpensOverTheRangeAboveTheSetPressure) {
  harness.Set(valve, "discharge_coefficient", 1);
  harness.Start();
  const double K = std::numbers::pi / 4 * 0.03 * 0.03 * std::sqrt(2 / 861.8);
  EXPECT_NEAR(FlowAt(352.5e5, 0), 0.5 * K * std::sqrt(352.5e5), 1e-8);
  EXPECT_NEAR(FlowAt(355e5, 0), K * std::sqrt(355e5), 1e-8);
  EXPECT_NEAR(FlowAt(400e5, 10e5), K * std::sqrt(390e5), 1e-8);
}

TEST_F(ReliefValveTest, IsShutUpToTheSetPressureAndContinuousThere) {
  harness.Start();
  for (const double p : {-1e5, 0.0, 349e5, 350e5}) EXPECT_EQ(FlowAt(p, 0), 0);
  EXPECT_NEAR(FlowAt(350e5 + 1e-3, 0), 0, 1e-9);
  EXPECT_EQ(FlowAt(100e5, 300e5), 0);
}

TEST_F(ReliefValveTest, FlowLeavesOneSideAndEntersTheOther) {
  harness.Start();
  const double q = FlowAt(360e5, 1e5);
  EXPECT_GT(q, 0);
  EXPECT_EQ(in.q, -q);
  EXPECT_EQ(out.q, q);
}

TEST_F(ReliefValveTest, FollowsItsParameters) {
  harness.Start();
  const double q = FlowAt(360e5, 0);
  harness.Set(valve, "seat_diameter", 0.06);
  harness.Apply(valve);
  EXPECT_DOUBLE_EQ(FlowAt(360e5, 0), 4 * q);
  harness.Set(valve, "set_pressure", 358e5);
  harness.Set(valve, "opening_range", 8e5);
  harness.Apply(valve);
  EXPECT_DOUBLE_EQ(FlowAt(360e5, 0), q);
}

RC_GTEST_FIXTURE_PROP(ReliefValveTest, LawAndWavesHoldTogether, ()) {
  const double p_set = RandomDecades(5, 8);
  const double range = RandomDecades(3, 7);
  harness.Set(valve, "set_pressure", p_set);
  harness.Set(valve, "opening_range", range);
  harness.Set(valve, "seat_diameter", RandomDecades(-3, -1));
  harness.Start();
  in = RandomNeighbour();
  out = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(valve, "q");
  RC_ASSERT(in.q == -q);
  RC_ASSERT(out.q == q);
  // What rounding of the pressures can change: dp, and the opening by p_in.
  const double rounding = RoundingOf(in, out);
  const double dp = in.p() - out.p();
  const double nudge = 1e-3 * (1 + std::abs(dp));
  const double slope =
      std::abs(valve.Flow(in.p(), out.p() - nudge) - valve.Flow(in.p(), out.p() + nudge)) / nudge +
      std::abs(valve.Flow(p_set + range, p_set + range - dp)) / range;
  RC_ASSERT(std::abs(q - valve.Flow(in.p(), out.p())) <= 2e-12 * std::abs(q) + 2 * slope * rounding);
}

TEST_F(ReliefValveTest, LimitsTheInletPressureBetweenWaves) {
  harness.Start();
  in.Zc = 1e10;
  out.Zc = 1e9;
  FlowAt(700e5, 1e5);
  EXPECT_GT(in.p(), 350e5);
  EXPECT_LT(in.p(), 351e5);
  EXPECT_EQ(FlowAt(350e5, 1e5), 0);
  EXPECT_GT(FlowAt(350e5 + 1, 1e5), 0);
}

TEST_F(ReliefValveTest, ASmallImpedanceChangesNothing) {
  harness.Start();
  for (const double p_in : {351e5, 354e5, 360e5}) {
    for (const double p_out : {0.0, 340e5, 400e5}) {
      in.Zc = 0;
      const double q = FlowAt(p_in, p_out);
      in.Zc = 1e-6;
      EXPECT_NEAR(FlowAt(p_in, p_out), q, 1e-9 * std::abs(q));
    }
  }
}

TEST_F(ReliefValveTest, LetsOilBackOnlyWhileTheInletWaveOpensIt) {
  harness.Start();
  in.Zc = 1e9;
  EXPECT_EQ(FlowAt(349e5, 500e5), 0);
  EXPECT_LT(FlowAt(352e5, 500e5), 0);
  EXPECT_GT(in.p(), 352e5);
}

class SlowReliefValveTest : public ReliefValveTest {
 protected:
  void StartAt(double spool) {
    harness.Set(valve, "dynamics", "first_order");
    harness.Set(valve, "spool_time", 0.01);
    harness.SetStart(valve, "spool", spool);
    harness.Start();
  }
};

TEST_F(SlowReliefValveTest, RestsWhereTheValveWithoutDynamicsIs) {
  for (const double p : {340e5, 351e5, 354e5, 370e5}) {
    harness.Set(valve, "dynamics", "none");
    harness.Start();
    const double q = FlowAt(p, 10e5);
    StartAt(std::clamp((p - 350e5) / 5e5, 0.0, 1.0));
    EXPECT_DOUBLE_EQ(FlowAt(p, 10e5), q);
    EXPECT_NEAR(harness.Read(valve, "spool.ddt"), 0, 1e-12);
  }
}

TEST_F(SlowReliefValveTest, TheSpoolFollowsExponentially) {
  StartAt(0);
  in.c = 360e5;  // full open at rest
  harness.Integrate(0, 1e-4, 150);
  // A Runge-Kutta step of 1 % of the time constant is exact to (1e-2)^5/120 of it.
  EXPECT_NEAR(harness.Read(valve, "spool"), 1 - std::exp(-1.5), 1e-9);
}

TEST_F(SlowReliefValveTest, BetweenWavesTheFlowIsThatOfThePressures) {
  StartAt(0.6);
  in.Zc = 2e9;
  out.Zc = 5e8;
  const double q = FlowAt(400e5, 10e5);
  const double K = std::numbers::pi / 4 * 0.03 * 0.03 * 0.65 * std::sqrt(2 / 861.8);
  EXPECT_NEAR(q, OrificeFlow(0.6 * K, in.p() - out.p()), 1e-9 * q);
  EXPECT_NEAR(harness.Read(valve, "spool.ddt"), (std::clamp((in.p() - 350e5) / 5e5, 0.0, 1.0) - 0.6) / 0.01,
              1e-9);
}

class UnloadingValveTest : public ReliefValveTest {
 protected:
  HydraulicBond& pilot = harness.AttachHydraulic(valve, "pilot");
};

TEST_F(UnloadingValveTest, ThePilotOpensItAndTheInletDoesNot) {
  harness.Start();
  const double K = std::numbers::pi / 4 * 0.03 * 0.03 * 0.65 * std::sqrt(2 / 861.8);
  EXPECT_EQ(FlowAt(500e5, 0), 0);
  pilot.c = 352.5e5;
  for (const double p_in : {20e5, 500e5}) EXPECT_NEAR(FlowAt(p_in, 0), OrificeFlow(0.5 * K, p_in), 1e-12);
  EXPECT_EQ(pilot.q, 0);
  in.Zc = 1e9;
  const double q = FlowAt(100e5, 0);
  EXPECT_NEAR(q, OrificeFlow(0.5 * K, in.p()), 1e-12 * q);
}

TEST_F(UnloadingValveTest, ItsSpoolFollowsThePilot) {
  harness.Set(valve, "dynamics", "first_order");
  harness.SetStart(valve, "spool", 0.25);
  harness.Start();
  pilot.c = 352.5e5;
  FlowAt(20e5, 0);
  EXPECT_NEAR(harness.Read(valve, "spool.ddt"), (0.5 - 0.25) / 0.01, 1e-9);
}

}  // namespace
}  // namespace davit
