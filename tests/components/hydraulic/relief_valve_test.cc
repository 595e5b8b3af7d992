#include "components/hydraulic/relief_valve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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

}  // namespace
}  // namespace davit
