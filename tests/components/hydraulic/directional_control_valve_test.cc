#include "components/hydraulic/directional_control_valve.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

constexpr std::array<std::string_view, 6> kEdgeFlows{"q_pa", "q_pb", "q_at", "q_bt", "q_pt", "q_ab"};

class DirectionalControlValveTest : public testing::Test {
 protected:
  void Move(double u) {
    harness.Set(valve, "spool", u);
    harness.Evaluate();
  }
  double Read(std::string_view name) { return harness.Read(valve, name); }
  /// Pressures that differ at all edges, so that each open one shows.
  void SetPressures() {
    p.c = 200e5;
    a.c = 120e5;
    b.c = 50e5;
    t.c = 1e5;
  }

  ComponentHarness harness;
  DirectionalControlValve& valve = harness.Add<DirectionalControlValve>("valve");
  HydraulicBond& p = harness.AttachHydraulic(valve, "p");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
  HydraulicBond& t = harness.AttachHydraulic(valve, "t");
};

TEST_F(DirectionalControlValveTest, PassesItsNominalFlowBothWays) {
  harness.Start();
  p.c = 105e5;
  a.c = b.c = 100e5;
  t.c = 95e5;
  Move(0.3);
  EXPECT_NEAR(Read("q_pa") * 6e4, 500, 0.06);
  EXPECT_NEAR(Read("q_bt") * 6e4, 500, 0.06);
  EXPECT_EQ(Read("q_pb"), 0);
  EXPECT_EQ(Read("q_at"), 0);
  Move(-0.3);
  EXPECT_NEAR(Read("q_pb") * 6e4, 500, 0.06);
  EXPECT_NEAR(Read("q_at") * 6e4, 500, 0.06);
  EXPECT_EQ(Read("q_pa"), 0);
  EXPECT_EQ(Read("q_bt"), 0);
}

TEST_F(DirectionalControlValveTest, OpensFullyAtAnyDeflection) {
  harness.Start();
  SetPressures();
  Move(1e-9);
  const double q = Read("q_pa");
  Move(1);
  EXPECT_EQ(Read("q_pa"), q);
}

TEST_F(DirectionalControlValveTest, TheOrderOfThePortsOfANeutralSpool) {
  const std::pair<std::string, std::string> kOpenEdges[] = {
      {"O", "000000"}, {"B", "111111"}, {"Y", "001100"}, {"K", "101010"},
      {"M", "000010"}, {"X", "111111"}, {"P", "110001"},
  };
  for (const auto& [type, edges] : kOpenEdges) {
    harness.Set(valve, "spool_type", type);
    harness.Set(valve, "neutral_opening", 0.5);
    harness.Start();
    SetPressures();
    Move(1);
    const double q_full = Read("q_pa");
    Move(0);
    for (std::size_t i = 0; i < kEdgeFlows.size(); ++i) {
      EXPECT_EQ(Read(kEdgeFlows[i]) > 0, edges[i] == '1') << type << ' ' << kEdgeFlows[i];
    }
    EXPECT_DOUBLE_EQ(Read("q_pa"), edges[0] == '1' ? 0.5 * q_full : 0) << type;
  }
}

TEST_F(DirectionalControlValveTest, NeutralOpeningOfTheDefaultSpool) {
  harness.Start();
  SetPressures();
  Move(-1);
  const double q_full = Read("q_at");
  Move(0);
  EXPECT_NEAR(Read("q_at"), 0.01 * q_full, 1e-15);
}

TEST_F(DirectionalControlValveTest, LosesNoOil) {
  harness.Set(valve, "spool_type", "B");
  harness.Start();
  SetPressures();
  for (const double u : {-1.0, 0.0, 1.0}) {
    Move(u);
    EXPECT_NEAR(p.q + a.q + b.q + t.q, 0, 1e-16);
    EXPECT_EQ(p.q, -Read("q_pa") - Read("q_pb") - Read("q_pt"));
    EXPECT_EQ(a.q, Read("q_pa") - Read("q_at") - Read("q_ab"));
    EXPECT_EQ(t.q, Read("q_at") + Read("q_bt") + Read("q_pt"));
  }
}

TEST_F(DirectionalControlValveTest, StandsStillAtEqualPressures) {
  harness.Set(valve, "spool_type", "B");
  harness.Start();
  p.c = a.c = b.c = t.c = 30e5;
  for (const double u : {-1.0, 0.0, 1.0}) {
    Move(u);
    for (const std::string_view q : kEdgeFlows) EXPECT_EQ(Read(q), 0);
  }
}

TEST_F(DirectionalControlValveTest, MirroringSpoolAndConsumersMirrorsTheFlows) {
  harness.Start();
  SetPressures();
  Move(0.5);
  const double q_a = a.q;
  const double q_b = b.q;
  std::swap(a.c, b.c);
  Move(-0.5);
  EXPECT_EQ(a.q, q_b);
  EXPECT_EQ(b.q, q_a);
}

TEST_F(DirectionalControlValveTest, LosesNoOilWithAnyImpedancesAndSpool) {
  harness.Set(valve, "neutral_opening", 0.5);
  for (const std::string_view type : DirectionalControlValve::kSpoolTypeNames) {
    harness.Set(valve, "spool_type", type);
    harness.Start();
    SetPressures();
    for (int impedances = 0; impedances < 16; ++impedances) {
      p.Zc = (impedances & 1) != 0 ? 2e9 : 0;
      a.Zc = (impedances & 2) != 0 ? 3e9 : 0;
      b.Zc = (impedances & 4) != 0 ? 5e8 : 0;
      t.Zc = (impedances & 8) != 0 ? 1e9 : 0;
      for (const double u : {-1.0, 0.0, 1.0}) {
        Move(u);
        EXPECT_NEAR(p.q + a.q + b.q + t.q, 0, 1e-16) << type << ' ' << impedances;
        const auto law = DirectionalControlValve::Flow(valve.Opening(u), p.p(), a.p(), b.p(), t.p());
        const double q[] = {law.pa, law.pb, law.at, law.bt, law.pt, law.ab};
        for (std::size_t i = 0; i < kEdgeFlows.size(); ++i)
          EXPECT_NEAR(Read(kEdgeFlows[i]), q[i], 1e-12 * std::abs(q[i])) << type << ' ' << impedances;
      }
    }
  }
}

RC_GTEST_FIXTURE_PROP(DirectionalControlValveTest, AlwaysFindsThePortPressures, ()) {
  harness.Set(valve, "spool_type",
              DirectionalControlValve::kSpoolTypeNames[*rc::gen::inRange<std::size_t>(0, 7)]);
  harness.Set(valve, "neutral_opening", RandomDecades(-6, 0));
  harness.Set(valve, "nominal_flow", RandomDecades(-6, -1));
  harness.Start();
  for (HydraulicBond* bond : {&p, &a, &b, &t}) *bond = RandomNeighbour();
  const double u = *rc::gen::element(-1.0, 0.0, 1.0);
  Move(u);
  const auto law = DirectionalControlValve::Flow(valve.Opening(u), p.p(), a.p(), b.p(), t.p());
  const double q[] = {law.pa, law.pb, law.at, law.bt, law.pt, law.ab};
  double K = 0;
  double rounding = 0;  // [Pa]
  for (const HydraulicBond* one : {&p, &a, &b, &t}) {
    for (const double flow : q) rounding += 1e-15 * (std::abs(one->c) + one->Zc * std::abs(flow));
  }
  const auto& opening = valve.Opening(u);
  for (const double edge : {opening.pa, opening.pb, opening.at, opening.bt, opening.pt, opening.ab})
    K = std::max(K, edge);
  for (std::size_t i = 0; i < kEdgeFlows.size(); ++i) {
    const double slope = OrificeFlowAndSlope(K, 0).slope;
    RC_ASSERT(std::abs(Read(kEdgeFlows[i]) - q[i]) <= 1e-12 * std::abs(q[i]) + slope * rounding);
  }
}

TEST_F(DirectionalControlValveTest, ASmallImpedanceChangesNothing) {
  harness.Set(valve, "spool_type", "X");
  harness.Set(valve, "neutral_opening", 0.5);
  harness.Start();
  SetPressures();
  for (const double u : {-1.0, 0.0, 1.0}) {
    std::array<double, 6> q{};
    p.Zc = a.Zc = b.Zc = t.Zc = 0;
    Move(u);
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = Read(kEdgeFlows[i]);
    p.Zc = a.Zc = b.Zc = t.Zc = 1e-6;
    Move(u);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(Read(kEdgeFlows[i]), q[i], 1e-13 * q[i]);
  }
}

TEST_F(DirectionalControlValveTest, TakesNothingFromTheHeapBetweenWaves) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "the heap belongs to a sanitizer";
  harness.Set(valve, "spool_type", "B");
  harness.Start();
  SetPressures();
  p.Zc = a.Zc = b.Zc = t.Zc = 1e9;
  const AllocationCounter allocations;
  harness.Evaluate();
  EXPECT_EQ(allocations.count(), 0U);
}

}  // namespace
}  // namespace davit
