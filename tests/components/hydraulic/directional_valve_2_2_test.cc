#include "components/hydraulic/directional_valve_2_2.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class DirectionalValve22Test : public testing::Test {
 protected:
  double FlowAt(double opening, double p_a, double p_b) {
    harness.Set(valve, "opening", opening);
    a.c = p_a;
    b.c = p_b;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }

  ComponentHarness harness;
  DirectionalValve22& valve = harness.Add<DirectionalValve22>("valve");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
};

TEST_F(DirectionalValve22Test, PassesItsNominalFlowBothWays) {
  harness.Start();
  EXPECT_NEAR(FlowAt(1, 105e5, 100e5) * 6e4, 100, 0.011);
  EXPECT_EQ(harness.Read(valve, "dp"), 5e5);
  EXPECT_EQ(FlowAt(1, 100e5, 105e5), -FlowAt(1, 105e5, 100e5));
}

TEST_F(DirectionalValve22Test, FlowIsProportionalToTheOpening) {
  harness.Start();
  const double q = FlowAt(1, 200e5, 1e5);
  EXPECT_DOUBLE_EQ(FlowAt(0.25, 200e5, 1e5), 0.25 * q);
  EXPECT_EQ(FlowAt(0, 200e5, 1e5), 0);
  EXPECT_EQ(FlowAt(1.5, 200e5, 1e5), q);
  EXPECT_EQ(FlowAt(-0.5, 200e5, 1e5), 0);
}

TEST_F(DirectionalValve22Test, OneThatIsStuckDoesNotFollowItsOpening) {
  harness.Start();
  const double q = FlowAt(0.3, 200e5, 1e5);
  harness.Set(valve, "stuck_at", 0.3);
  harness.Apply(valve);
  for (const double opening : {0.0, 0.7, 1.0}) EXPECT_EQ(FlowAt(opening, 200e5, 1e5), q);
}

RC_GTEST_FIXTURE_PROP(DirectionalValve22Test, LawAndWavesHoldTogether, ()) {
  harness.Set(valve, "nominal_flow", RandomDecades(-6, -1));
  harness.Set(valve, "opening", *rc::gen::inRange(0, 101) / 100.0);
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(valve, "q");
  RC_ASSERT(a.q == -q);
  RC_ASSERT(b.q == q);
  const double dp = a.p() - b.p();
  const double slope = (valve.Flow(dp + 1, 0) - valve.Flow(dp - 1, 0)) / 2;
  RC_ASSERT(std::abs(q - valve.Flow(dp, 0)) <= 1e-12 * std::abs(q) + slope * RoundingOf(a, b));
}

}  // namespace
}  // namespace davit
