#include "components/hydraulic/pressure_reducing_valve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

const double kOpenReducingValve = 100 / 6e4 / std::sqrt(5e5);  // K of the default valve

class PressureReducingValveTest : public testing::Test {
 protected:
  double FlowAt(double p_in, double p_out) {
    in.c = p_in;
    out.c = p_out;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }

  ComponentHarness harness;
  PressureReducingValve& valve = harness.Add<PressureReducingValve>("valve");
  HydraulicBond& in = harness.AttachHydraulic(valve, "in");
  HydraulicBond& out = harness.AttachHydraulic(valve, "out");
};

class RelievingValveTest : public PressureReducingValveTest {
 protected:
  HydraulicBond& tank = harness.AttachHydraulic(valve, "tank");
};

TEST_F(PressureReducingValveTest, IsOpenBelowTheSetPressureAndShutFromThereOn) {
  harness.Start();
  EXPECT_NEAR(FlowAt(200e5, 90e5), OrificeFlow(kOpenReducingValve, 110e5), 1e-15);
  EXPECT_NEAR(FlowAt(200e5, 97.5e5), OrificeFlow(0.5 * kOpenReducingValve, 102.5e5), 1e-15);
  for (const double p_out : {100e5, 150e5, 250e5}) EXPECT_EQ(FlowAt(200e5, p_out), 0);
}

TEST_F(PressureReducingValveTest, LetsOilBackWhileItIsOpen) {
  harness.Start();
  EXPECT_NEAR(FlowAt(0, 50e5), -OrificeFlow(kOpenReducingValve, 50e5), 1e-15);
  EXPECT_EQ(in.q, -out.q);
}

// At rest a closed outlet takes the set pressure, or that of the inlet where this is lower.
TEST_F(PressureReducingValveTest, AClosedOutletRestsAtTheSetPressure) {
  harness.Start();
  out.Zc = 1e14;  // next to no flow
  FlowAt(300e5, 0);
  EXPECT_NEAR(out.p(), 100e5, 5e5 * out.q / OrificeFlow(kOpenReducingValve, 200e5) * 1.01);
  FlowAt(60e5, 0);
  // The drop of a small flow through the open orifice, whose slope is K/sqrt(1e4 Pa) there.
  EXPECT_NEAR(out.p(), 60e5, 1.01 * 100 * out.q / kOpenReducingValve);
}

TEST_F(RelievingValveTest, RelievesAboveTheOverlap) {
  harness.Start();
  for (const double p_out : {100e5, 101e5, 102e5}) EXPECT_EQ(FlowAt(200e5, p_out), 0);
  EXPECT_NEAR(FlowAt(200e5, 104.5e5), -OrificeFlow(0.5 * kOpenReducingValve, 104.5e5), 1e-15);
  EXPECT_EQ(in.q, 0);
  EXPECT_EQ(tank.q, -out.q);
}

RC_GTEST_FIXTURE_PROP(RelievingValveTest, LawsAndWavesHoldTogether, ()) {
  const double range = RandomDecades(4, 7);
  harness.Set(valve, "opening_range", range);
  harness.Set(valve, "set_pressure", RandomDecades(5, 7));
  harness.Start();
  in = RandomNeighbour();
  out = RandomNeighbour();
  tank = RandomNeighbour();
  harness.Evaluate();
  RC_ASSERT(in.q + out.q + tank.q == 0);
  RC_ASSERT(in.q == 0 || tank.q == 0);
  const auto check = [&](double q, const HydraulicBond& from, const HydraulicBond& to, auto&& opening) {
    const double r = opening(out.p());
    const double dp = from.p() - to.p();
    const double rounding = RoundingOf(from, to);
    const double slope = OrificeFlowAndSlope(kOpenReducingValve * r, dp).slope +
                         OrificeFlow(kOpenReducingValve, std::abs(dp)) / range;
    RC_ASSERT(std::abs(q - OrificeFlow(kOpenReducingValve * r, dp)) <=
              2e-12 * std::abs(q) + 4 * slope * rounding);
  };
  if (tank.q == 0) check(-in.q, in, out, [&](double p) { return valve.InletOpening(p); });
  if (in.q == 0) check(tank.q, out, tank, [&](double p) { return valve.TankOpening(p); });
}

}  // namespace
}  // namespace davit
