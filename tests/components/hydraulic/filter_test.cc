#include "components/hydraulic/filter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class FilterTest : public testing::Test {
 protected:
  double FlowAt(double p_a, double p_b) {
    a.c = p_a;
    b.c = p_b;
    harness.Evaluate();
    return harness.Read(filter, "q");
  }

  ComponentHarness harness;
  Filter& filter = harness.Add<Filter>("filter");
  HydraulicBond& a = harness.AttachHydraulic(filter, "a");
  HydraulicBond& b = harness.AttachHydraulic(filter, "b");
  const double q_n = 100 / 6e4;
};

TEST_F(FilterTest, LosesWhatTheDataSheetSays) {
  harness.Start();
  EXPECT_NEAR(FlowAt(0.5e5, 0), q_n, 1e-12 * q_n);
  // 70 % laminar: at a tenth of the flow 0.7/10 + 0.3/100 of the drop.
  EXPECT_NEAR(FlowAt(0.5e5 * (0.07 + 0.003), 0), q_n / 10, 1e-12 * q_n);
  EXPECT_EQ(FlowAt(1e5, 1e5), 0);
  EXPECT_EQ(FlowAt(0, 2e5), -FlowAt(2e5, 0));
}

TEST_F(FilterTest, CloggingRaisesBothLosses) {
  harness.Set(filter, "clogging", 0.5);
  harness.Start();
  EXPECT_NEAR(FlowAt(0.5e5 * (0.7 * 2 + 0.3 * 4), 0), q_n, 1e-12 * q_n);
  EXPECT_EQ(harness.Read(filter, "q_bypass"), 0);
}

TEST_F(FilterTest, TheBypassCarriesTheFlowOfABlockedElement) {
  harness.Set(filter, "clogging", 1);
  harness.Start();
  EXPECT_EQ(FlowAt(2.5e5, 0), 0);
  EXPECT_NEAR(FlowAt(3e5, 0), q_n, 3e-4 * q_n);  // fully open; d = 1e4 Pa lowers the flow by d^2/(4 dp^2)
  EXPECT_EQ(harness.Read(filter, "q_bypass"), harness.Read(filter, "q"));
  EXPECT_EQ(FlowAt(0, 5e5), 0);  // not backwards
}

RC_GTEST_FIXTURE_PROP(FilterTest, LawAndWavesHoldTogether, ()) {
  harness.Set(filter, "clogging", *rc::gen::element(0.0, 0.3, 0.9, 1.0));
  harness.Set(filter, "nominal_flow", RandomDecades(-5, -1));
  harness.Set(filter, "laminar_share", *rc::gen::element(0.0, 0.5, 1.0));
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  harness.Evaluate();
  const double q = harness.Read(filter, "q");
  const double dp = a.p() - b.p();
  const double rounding = RoundingOf(a, b);
  RC_ASSERT(a.q == -q && b.q == q);
  const double slope = (filter.Flow(dp + 1, 0) - filter.Flow(dp - 1, 0)) / 2;
  RC_ASSERT(std::abs(q - filter.Flow(dp, 0)) <= 1e-11 * std::abs(q) + slope * (2 * rounding));
}

}  // namespace
}  // namespace davit
