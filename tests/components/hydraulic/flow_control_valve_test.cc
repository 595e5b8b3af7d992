#include "components/hydraulic/flow_control_valve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

constexpr double kControlledFlow = 20 / 6e4;  // [m3/s]

class FlowControlValveTest : public testing::Test {
 protected:
  double FlowAt(double p_in, double p_out) {
    in.c = p_in;
    out.c = p_out;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }

  ComponentHarness harness;
  FlowControlValve& valve = harness.Add<FlowControlValve>("valve");
  HydraulicBond& in = harness.AttachHydraulic(valve, "in");
  HydraulicBond& out = harness.AttachHydraulic(valve, "out");
};

class BypassValveTest : public FlowControlValveTest {
 protected:
  HydraulicBond& bypass = harness.AttachHydraulic(valve, "bypass");
};

// The drop across the edge is between control_pressure and that plus the range, so the flow is between the
// set one and sqrt(1 + range/control_pressure) of it; d of the orifice law changes 1e-4.
TEST_F(FlowControlValveTest, KeepsItsFlowWhateverTheLoad) {
  harness.Start();
  double before = 0;
  for (const double p_in : {12e5, 50e5, 100e5, 200e5, 350e5}) {
    const double q = FlowAt(p_in, 0);
    EXPECT_GE(q, kControlledFlow * (1 - 1e-4));
    EXPECT_LE(q, kControlledFlow * std::sqrt(1 + 1.0 / 8));
    EXPECT_GT(q, before);
    before = q;
  }
  EXPECT_NEAR(FlowAt(350e5, 250e5), FlowAt(100e5, 0), 1e-15);
}

TEST_F(FlowControlValveTest, IsTwoOrificesInSeriesBelowItsControlPressureAndBackwards) {
  harness.Start();
  const double K = kControlledFlow / std::sqrt(8e5), K_c = 100 / 6e4 / std::sqrt(5e5);
  const double K_s = 1 / std::sqrt(1 / (K * K) + 1 / (K_c * K_c));
  for (const double dp : {5e5, -5e5, -100e5})
    EXPECT_NEAR(FlowAt(100e5 + dp, 100e5), OrificeFlow(K_s, dp), 1e-12 * kControlledFlow);
  EXPECT_EQ(FlowAt(70e5, 70e5), 0);
}

TEST_F(FlowControlValveTest, ASetFlowOfZeroIsShut) {
  harness.Set(valve, "flow", 0);
  harness.Start();
  for (const double dp : {200e5, -200e5}) EXPECT_EQ(FlowAt(100e5 + dp, 100e5), 0);
}

RC_GTEST_FIXTURE_PROP(FlowControlValveTest, LawAndWavesHoldTogether, ()) {
  harness.Set(valve, "flow", RandomDecades(-6, -2));
  harness.Start();
  in = RandomNeighbour();
  out = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(valve, "q");
  RC_ASSERT(in.q == -q);
  RC_ASSERT(out.q == q);
  // The same pressures without impedances give the same flow.
  const double rounding = RoundingOf(in, out);
  const double p_in = in.p(), p_out = out.p();
  in.Zc = out.Zc = 0;
  const double q_same = FlowAt(p_in, p_out);
  const double nudge = std::max(2 * rounding, 1e-3);
  const double slope = (FlowAt(p_in + nudge, p_out) - FlowAt(p_in - nudge, p_out)) / (2 * nudge);
  RC_ASSERT(std::abs(q - q_same) <= 1e-9 * std::abs(q) + 4 * slope * rounding);
}

// Pump of constant flow: the set flow goes to the load at any pressure, the rest to the tank.
TEST_F(BypassValveTest, TheSurplusOfAPumpGoesToTheTank) {
  harness.Start();
  constexpr double kPump = 60 / 6e4;
  in.Zc = 1e12;  // next to a source of flow: c = Zc*q at no pressure
  for (const double p_load : {10e5, 100e5, 200e5}) {
    const double q = FlowAt(in.Zc * kPump, p_load);
    EXPECT_NEAR(q + bypass.q, kPump - in.p() / in.Zc, 1e-12);
    EXPECT_GE(q, kControlledFlow * (1 - 1e-4));
    EXPECT_LE(q, kControlledFlow * std::sqrt(1 + 1.0 / 8));
    EXPECT_LE(in.p() - p_load, 9e5);
    EXPECT_EQ(in.q, -q - bypass.q);
  }
}

// No flow, no drop across the edge: a blocked load drives the pump to whatever limits its pressure.
TEST_F(BypassValveTest, ABlockedLoadLeavesTheBypassShut) {
  harness.Start();
  in.Zc = 1e12;
  out.Zc = 1e15;
  FlowAt(300e5, 100e5);
  EXPECT_NEAR(out.p(), in.p(), 1e5);
  EXPECT_EQ(bypass.q, 0);
}

}  // namespace
}  // namespace davit
