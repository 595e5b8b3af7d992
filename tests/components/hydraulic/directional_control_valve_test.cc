#include "components/hydraulic/directional_control_valve.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

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

}  // namespace
}  // namespace davit
