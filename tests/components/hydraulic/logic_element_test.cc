#include "components/hydraulic/logic_element.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

const double kOpenLogicElement = 200 / 6e4 / std::sqrt(5e5);  // K of the default valve

class LogicElementTest : public testing::Test {
 protected:
  double FlowAt(double p_a, double p_b, double p_x) {
    a.c = p_a;
    b.c = p_b;
    x.c = p_x;
    harness.Evaluate();
    return harness.Read(valve, "q");
  }

  ComponentHarness harness;
  LogicElement& valve = harness.Add<LogicElement>("valve");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
  HydraulicBond& x = harness.AttachHydraulic(valve, "x");
};

TEST_F(LogicElementTest, APilotWithoutPressureLetsBothWaysPass) {
  harness.Start();
  EXPECT_NEAR(FlowAt(100e5, 90e5, 0), OrificeFlow(kOpenLogicElement, 10e5), 1e-15);
  EXPECT_NEAR(FlowAt(90e5, 100e5, 0), -OrificeFlow(kOpenLogicElement, 10e5), 1e-15);
}

TEST_F(LogicElementTest, ThePressureOfASideAtThePilotMakesItACheckValve) {
  harness.Start();
  EXPECT_EQ(FlowAt(50e5, 100e5, 100e5), 0);  // shut from b
  EXPECT_GT(FlowAt(110e5, 100e5, 100e5), 0);
  EXPECT_EQ(FlowAt(102e5, 100e5, 100e5), 0);  // the spring: (102 - 100)/2 bar
}

// It begins to open where the forces are equal: half of p_a on half the area against the spring.
TEST_F(LogicElementTest, OpensWhereTheForcesOnThePoppetAreEqual) {
  harness.Set(valve, "area_ratio", 0.6);
  harness.Start();
  const double p_a = (30e5 + 2e5) / 0.6;
  EXPECT_EQ(FlowAt(p_a * (1 - 1e-9), 0, 30e5), 0);
  EXPECT_GT(FlowAt(p_a * (1 + 1e-9), 0, 30e5), 0);
  EXPECT_NEAR(FlowAt(p_a + 1e5 / 0.6, 0, 30e5), OrificeFlow(0.5 * kOpenLogicElement, p_a + 1e5 / 0.6), 1e-12);
}

RC_GTEST_FIXTURE_PROP(LogicElementTest, LawAndWavesHoldTogether, ()) {
  const double range = RandomDecades(4, 7);
  harness.Set(valve, "opening_range", range);
  harness.Set(valve, "area_ratio", *rc::gen::inRange(0, 11) / 10.0);
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  x.c = RandomPressure();
  harness.Evaluate();
  const double q = harness.Read(valve, "q");
  RC_ASSERT(a.q == -q);
  RC_ASSERT(b.q == q);
  if (q == 0) return;
  const double dp = a.p() - b.p(), r = valve.Opening(a.p(), b.p(), x.p());
  const double slope = OrificeFlowAndSlope(kOpenLogicElement * r, dp).slope +
                       OrificeFlow(kOpenLogicElement, std::abs(dp)) / range;
  RC_ASSERT(std::abs(q - OrificeFlow(kOpenLogicElement * r, dp)) <=
            2e-12 * std::abs(q) + 8 * slope * RoundingOf(a, b));
}

}  // namespace
}  // namespace davit
