#include "components/hydraulic/laws/cavitating_ends.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "components/hydraulic/laws/orifice_law.h"
#include "tests/components/hydraulic/random_network.h"

namespace davit {
namespace {

/// A neighbour that may cavitate: with a cavity inside its wave is far below vapour pressure.
HydraulicBond RandomCavitatingNeighbour() {
  HydraulicBond bond = RandomNeighbour();
  if (!(bond.Zc > 0)) return bond;
  bond.p_min = kVapourPressure;
  if (*rc::gen::inRange(0, 2) == 0) bond.c = kVapourPressure - RandomDecades(0, 8);
  return bond;
}

RC_GTEST_PROP(CavitatingEndsTest, LawAndBothEndsHoldTogether, ()) {
  HydraulicBond a = RandomCavitatingNeighbour(), b = RandomCavitatingNeighbour();
  const double K = RandomDecades(-9, -3);
  const FlowAndDrop flow = FlowBetween(a, b, [K](const PortWave& at_a, const PortWave& at_b) {
    return OrificeFlow(K, at_a.c - at_b.c, at_a.Zc + at_b.Zc);
  });
  a.q = -flow.q;
  b.q = flow.q;
  const double rounding = 4 * RoundingOf(a, b) + 1e-10;
  RC_ASSERT(std::abs(flow.dp - (a.p() - b.p())) <= rounding);
  const FlowAndSlope law = OrificeFlowAndSlope(K, flow.dp);
  RC_ASSERT(std::abs(flow.q - law.q) <= 1e-11 * std::abs(law.q) + law.slope * rounding);
}

TEST(CavitatingEndsTest, WithoutCavitationIsTheLawBetweenWaves) {
  const HydraulicBond a{{.c = 50e5, .Zc = 1e9}}, b{{.c = 20e5, .Zc = 2e9}};
  const FlowAndDrop flow = FlowBetween(a, b, [](const PortWave& at_a, const PortWave& at_b) {
    return OrificeFlow(1e-6, at_a.c - at_b.c, at_a.Zc + at_b.Zc);
  });
  EXPECT_EQ(flow.q, OrificeFlow(1e-6, 30e5, 3e9));
}

TEST(CavitatingEndsTest, NothingFlowsBetweenTwoCavities) {
  const HydraulicBond a{{.c = -50e5, .Zc = 1e9}, 0, -1e5}, b{{.c = -20e5, .Zc = 2e9}, 0, -1e5};
  const FlowAndDrop flow = FlowBetween(a, b, [](const PortWave& at_a, const PortWave& at_b) {
    return OrificeFlow(1e-6, at_a.c - at_b.c, at_a.Zc + at_b.Zc);
  });
  EXPECT_EQ(flow.q, 0);
  EXPECT_EQ(flow.dp, 0);
}

}  // namespace
}  // namespace davit
