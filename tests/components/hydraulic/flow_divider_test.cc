#include "components/hydraulic/flow_divider.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "components/hydraulic/laws/orifice_law.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

constexpr double kDividedFlow = 40 / 6e4;  ///< [m3/s]

class FlowDividerTest : public testing::Test {
 protected:
  void EvaluateAt(double p_in, double p_a, double p_b) {
    in.c = p_in;
    a.c = p_a;
    b.c = p_b;
    harness.Evaluate();
  }
  double Read(std::string_view name) const { return harness.Read(valve, name); }

  ComponentHarness harness;
  FlowDivider& valve = harness.Add<FlowDivider>("valve");
  HydraulicBond& in = harness.AttachHydraulic(valve, "in");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
};

TEST_F(FlowDividerTest, EqualLoadsGetExactlyTheirShares) {
  for (const double share : {0.3, 0.5}) {
    harness.Set(valve, "share", share);
    harness.Start();
    EvaluateAt(100e5, 80e5, 80e5);
    EXPECT_NEAR(Read("q_a") / (Read("q_a") + Read("q_b")), share, 1e-15);
    EXPECT_NEAR(Read("travel"), 0, 1e-12);
  }
}

// A pump of constant flow: whatever the loads, the drops across the metering orifices differ by at most the
// range, and the spool is where their difference puts it.
TEST_F(FlowDividerTest, DifferentLoadsGetNearlyTheSame) {
  harness.Start();
  in.Zc = 1e12;
  const double K_m = kDividedFlow / 2 / std::sqrt(5e5);
  for (const double p_b : {1e5, 20e5, 80e5, 150e5, 250e5}) {
    EvaluateAt(in.Zc * kDividedFlow, 80e5, p_b);
    const double q_a = Read("q_a"), q_b = Read("q_b");
    EXPECT_NEAR(q_a + q_b, kDividedFlow - in.p() / in.Zc, 1e-12);
    const double difference = (q_b * q_b - q_a * q_a) / (K_m * K_m);
    EXPECT_LE(std::abs(difference), 0.2e5);
    EXPECT_NEAR(difference, Read("travel") * 0.2e5, 1e-3);
    // q_b - q_a = difference K_m^2/(q_a + q_b)
    EXPECT_LE(std::abs(q_b - q_a), 0.2e5 * K_m * K_m / (q_a + q_b) * (1 + 1e-9));
    EXPECT_EQ(q_a > q_b, p_b > 80e5);
  }
}

TEST_F(FlowDividerTest, AShutSideLeavesTheOtherOneTheFlowOfItsRange) {
  harness.Start();
  b.Zc = 1e18;
  EvaluateAt(200e5, 0, 0);
  EXPECT_NEAR(Read("q_b"), 0, 1e-10);
  const double K_m = kDividedFlow / 2 / std::sqrt(5e5);
  EXPECT_LE(Read("q_a"), K_m * std::sqrt(0.2e5) * (1 + 1e-9));
  EXPECT_GT(Read("q_a"), 0.9 * K_m * std::sqrt(0.2e5));
}

TEST_F(FlowDividerTest, BackwardsItIsTwoOrifices) {
  harness.Start();
  EvaluateAt(10e5, 60e5, 40e5);
  const double K = kDividedFlow / 2 / std::sqrt(5e5) / std::sqrt(2);
  EXPECT_NEAR(Read("q_a"), -OrificeFlow(K, 50e5), 1e-12);
  EXPECT_NEAR(Read("q_b"), -OrificeFlow(K, 30e5), 1e-12);
  EXPECT_EQ(Read("travel"), 0);
}

RC_GTEST_FIXTURE_PROP(FlowDividerTest, LawAndWavesHoldTogether, ()) {
  harness.Set(valve, "share", *rc::gen::inRange(5, 96) / 100.0);
  harness.Start();
  in = RandomNeighbour();
  a = RandomNeighbour();
  b = RandomNeighbour();
  harness.Evaluate();
  const double q_a = Read("q_a"), q_b = Read("q_b");
  RC_ASSERT(in.q == -(q_a + q_b));
  RC_ASSERT(a.q == q_a);
  RC_ASSERT(b.q == q_b);
  // The same pressures without impedances give the same flows.
  const double rounding = std::max(RoundingOf(in, a), RoundingOf(in, b));
  const double p_in = in.p(), p_a = a.p(), p_b = b.p();
  in.Zc = a.Zc = b.Zc = 0;
  EvaluateAt(p_in, p_a, p_b);
  const double same_a = Read("q_a"), same_b = Read("q_b");
  const double nudge = std::max(2 * rounding, 1e-3);
  double slope = 0;
  for (const auto& [d_in, d_a, d_b] : {std::array{1, 0, 0}, std::array{0, 1, 0}, std::array{0, 0, 1}}) {
    for (const double side : {-nudge, nudge}) {
      EvaluateAt(p_in + side * d_in, p_a + side * d_a, p_b + side * d_b);
      slope =
          std::max({slope, std::abs(Read("q_a") - same_a) / nudge, std::abs(Read("q_b") - same_b) / nudge});
    }
  }
  RC_ASSERT(std::abs(q_a - same_a) <= 1e-9 * std::abs(q_a) + 8 * slope * rounding);
  RC_ASSERT(std::abs(q_b - same_b) <= 1e-9 * std::abs(q_b) + 8 * slope * rounding);
}

}  // namespace
}  // namespace davit
