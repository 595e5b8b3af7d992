#include "components/hydraulic/laws/solve_orifices.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "components/hydraulic/laws/laminar_turbulent_orifice.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "components/hydraulic/laws/solve_ports.h"
#include "tests/components/hydraulic/random_network.h"

namespace davit {
namespace {

using Bonds = std::array<HydraulicBond, 4>;
using Orifices = std::array<OrificeBetweenPorts, 6>;

/// Every pair of four ports.
Orifices AllPairs(double K = 0) {
  return {{{0, 1, K}, {0, 2, K}, {1, 3, K}, {2, 3, K}, {0, 3, K}, {1, 2, K}}};
}

/// Random openings, of which `shut` in ten are shut.
Orifices RandomOrifices(int shut) {
  Orifices orifices = AllPairs();
  for (OrificeBetweenPorts& orifice : orifices)
    orifice.K = *rc::gen::inRange(0, 10) < shut ? 0.0 : RandomDecades(-9, -3);
  return orifices;
}

Bonds RandomNeighbours() {
  return {RandomNeighbour(), RandomNeighbour(), RandomNeighbour(), RandomNeighbour()};
}

/// Gives the flows to the bonds.
void AddFlows(Bonds& bonds, const Orifices& orifices) {
  for (const OrificeBetweenPorts& orifice : orifices) {
    bonds[orifice.from].q -= orifice.q;
    bonds[orifice.to].q += orifice.q;
  }
}

RC_GTEST_PROP(SolveOrificesTest, HoldsAllLawsAndWavesTogether, ()) {
  Bonds bonds = RandomNeighbours();
  if (*rc::gen::inRange(0, 2) == 0) {  // some of them cavitate, with a cavity behind
    for (HydraulicBond& bond : bonds) {
      if (!(bond.Zc > 0)) continue;
      bond.p_min = -1e5;
      if (*rc::gen::inRange(0, 2) == 0) bond.c = -RandomDecades(5, 8);
    }
  }
  Orifices orifices = RandomOrifices(3);
  RC_ASSERT(SolveOrifices(bonds, orifices));
  AddFlows(bonds, orifices);
  double largest = 0;  // rounding of one flow is seen at all ports that it reaches
  for (const OrificeBetweenPorts& orifice : orifices) {
    for (const std::size_t i : {orifice.from, orifice.to})
      largest = std::max(largest, bonds[i].Zc * std::abs(orifice.q));
  }
  for (const OrificeBetweenPorts& orifice : orifices) {
    const HydraulicBond& from = bonds[orifice.from];
    const HydraulicBond& to = bonds[orifice.to];
    const FlowAndSlope flow = OrificeFlowAndSlope(orifice.K, from.p() - to.p());
    const double rounding = flow.slope * (RoundingOf(from, to) + 1e-15 * largest);
    RC_ASSERT(std::abs(orifice.q - flow.q) <= 1e-12 * std::abs(flow.q) + rounding);
  }
}

RC_GTEST_PROP(SolveOrificesTest, HoldsLaminarLawsAndLeaksToo, ()) {
  Bonds bonds = RandomNeighbours();
  Orifices orifices = RandomOrifices(3);
  const LaminarTurbulentOrifice law(kValveEdgeLaminarLoss, kSharpEdgeDischargeCoefficient, 861.8, 32e-6);
  const bool is_laminar = *rc::gen::inRange(0, 2) == 0;
  // A gap that is turbulent from some bar on, or leaks that are laminar at any drop.
  const bool has_gaps = *rc::gen::inRange(0, 2) == 0;
  std::array<EdgeLeak, std::tuple_size_v<Orifices>> leaks;
  for (std::size_t e = 0; e < orifices.size(); ++e) {
    const AnnularGap gap{.diameter = 0.03, .clearance = RandomDecades(-5, -3), .length = 5e-3};
    leaks[e] =
        has_gaps ? EdgeLeak(gap, 861.8, 32e-6) : EdgeLeak(*rc::gen::inRange(0, 3) * RandomDecades(-16, -10));
    orifices[e].leak = &leaks[e];
    if (is_laminar) orifices[e].law = &law;
  }
  RC_ASSERT(SolveOrifices(bonds, orifices));
  AddFlows(bonds, orifices);
  double largest = 0;
  for (const OrificeBetweenPorts& orifice : orifices) {
    for (const std::size_t i : {orifice.from, orifice.to})
      largest = std::max(largest, bonds[i].Zc * std::abs(orifice.q));
  }
  for (std::size_t e = 0; e < orifices.size(); ++e) {
    const OrificeBetweenPorts& orifice = orifices[e];
    const HydraulicBond& from = bonds[orifice.from];
    const HydraulicBond& to = bonds[orifice.to];
    const double dp = from.p() - to.p();
    const FlowAndSlope flow =
        is_laminar ? law.FlowWithSlope(orifice.K, dp) : OrificeFlowAndSlope(orifice.K, dp);
    const FlowAndSlope leak = leaks[e].FlowWithSlope(dp);
    const double q = flow.q + leak.q;
    const double rounding = (flow.slope + leaks[e].conductance()) * (RoundingOf(from, to) + 1e-15 * largest);
    // 1e-9: the Newton iterations of a turbulent gap end there.
    const double tolerance = leaks[e].IsLaminar(dp) ? 1e-12 : 1e-9;
    RC_ASSERT(std::abs(orifice.q - q) <= tolerance * std::abs(q) + rounding);
  }
}

RC_GTEST_PROP(SolveOrificesTest, MirroredWavesMirrorTheFlows, ()) {
  Bonds bonds = RandomNeighbours();
  Orifices orifices = RandomOrifices(3);
  RC_ASSERT(SolveOrifices(bonds, orifices));
  Orifices mirrored = orifices;
  for (HydraulicBond& bond : bonds) bond.c = -bond.c;
  RC_ASSERT(SolveOrifices(bonds, mirrored));
  for (std::size_t e = 0; e < orifices.size(); ++e) RC_ASSERT(mirrored[e].q == -orifices[e].q);
}

RC_GTEST_PROP(SolveOrificesTest, AgreesWithTheGeneralSolver, ()) {
  Bonds bonds = RandomNeighbours();
  Orifices orifices = AllPairs();
  for (OrificeBetweenPorts& orifice : orifices) orifice.K = RandomDecades(-8, -6);
  RC_ASSERT(SolveOrifices(bonds, orifices));
  std::array<double, 4> p{bonds[0].c, bonds[1].c, bonds[2].c, bonds[3].c};
  const bool is_found =
      SolvePorts<4>({&bonds[0], &bonds[1], &bonds[2], &bonds[3]}, p, [&](const std::array<double, 4>& at) {
        std::array<double, 4> q{};
        for (const OrificeBetweenPorts& orifice : orifices) {
          const double flow = OrificeFlow(orifice.K, at[orifice.from] - at[orifice.to]);
          q[orifice.from] -= flow;
          q[orifice.to] += flow;
        }
        return q;
      });
  RC_ASSERT(is_found);
  AddFlows(bonds, orifices);
  for (std::size_t i = 0; i < 4; ++i) RC_ASSERT(std::abs(bonds[i].p() - p[i]) <= 1e-3);
}

TEST(SolveOrificesTest, TwoEqualOnesShareAPort) {
  // By symmetry each passes half of the flow of one orifice of twice the size.
  const Bonds bonds{{{{.c = 2e7, .Zc = 4e9}}, {{.c = 1e5}}, {{.c = 1e5}}, {}}};
  Orifices orifices = AllPairs();
  orifices[0].K = orifices[1].K = 3e-6;
  ASSERT_TRUE(SolveOrifices(bonds, orifices));
  const double q = OrificeFlow(6e-6, 2e7 - 1e5, 4e9) / 2;
  EXPECT_NEAR(orifices[0].q, q, 1e-14 * q);
  EXPECT_NEAR(orifices[1].q, q, 1e-14 * q);
}

TEST(SolveOrificesTest, ThoseAloneAreSolvedAlone) {
  const Bonds bonds{
      {{{.c = 2e7, .Zc = 4e9}}, {{.c = 1e7, .Zc = 1e9}}, {{.c = 5e6}}, {{.c = 1e5, .Zc = 2e9}}}};
  Orifices orifices = AllPairs();
  orifices[0].K = orifices[3].K = 3e-6;
  ASSERT_TRUE(SolveOrifices(bonds, orifices));
  EXPECT_EQ(orifices[0].q, OrificeFlow(3e-6, 1e7, 5e9));
  EXPECT_EQ(orifices[3].q, OrificeFlow(3e-6, 5e6 - 1e5, 2e9));
  for (const std::size_t shut : {1, 2, 4, 5}) EXPECT_EQ(orifices[shut].q, 0);
}

TEST(SolveOrificesTest, StandsStillAtEqualPressures) {
  Bonds bonds;
  for (HydraulicBond& bond : bonds) bond = {{.c = 3e6, .Zc = 1e9}};
  Orifices orifices = AllPairs(1e-5);
  ASSERT_TRUE(SolveOrifices(bonds, orifices));
  for (const OrificeBetweenPorts& orifice : orifices) EXPECT_EQ(orifice.q, 0);
}

TEST(SolveOrificesTest, SaysThatNumbersAreNotFinite) {
  Bonds bonds;
  for (HydraulicBond& bond : bonds) bond = {{.c = std::numeric_limits<double>::quiet_NaN(), .Zc = 1e9}};
  Orifices orifices = AllPairs(1e-5);
  EXPECT_FALSE(SolveOrifices(bonds, orifices));
}

}  // namespace
}  // namespace davit
