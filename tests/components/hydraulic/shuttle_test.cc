#include "components/hydraulic/shuttle.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

const double kOpenShuttle = 20 / 6e4 / std::sqrt(5e5);  // K of the default valve

class ShuttleTest : public testing::Test {
 protected:
  ComponentHarness harness;
  Shuttle& valve = harness.Add<Shuttle>("valve");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
  HydraulicBond& out = harness.AttachHydraulic(valve, "out");
};

TEST_F(ShuttleTest, JoinsTheHigherPressureToItsOutlet) {
  harness.Start();
  a.c = 120e5;
  b.c = 80e5;
  out.c = 100e5;
  harness.Evaluate();
  EXPECT_NEAR(out.q, OrificeFlow(kOpenShuttle, 20e5), 1e-15);
  EXPECT_EQ(a.q, -out.q);
  EXPECT_EQ(b.q, 0);
}

TEST_F(ShuttleTest, JoinsTheLowerOneWhereAsked) {
  harness.Set(valve, "selects", "lower");
  harness.Start();
  a.c = 120e5;
  b.c = 80e5;
  harness.Evaluate();
  EXPECT_NEAR(out.q, OrificeFlow(kOpenShuttle, 80e5), 1e-15);
  EXPECT_EQ(a.q, 0);
}

// A gauge at the outlet shows the higher pressure, whoever it is.
TEST_F(ShuttleTest, AClosedOutletShowsTheHigherPressure) {
  harness.Start();
  out.Zc = 1e14;  // next to no flow
  for (const auto& [p_a, p_b] : {std::pair(200e5, 50e5), {50e5, 200e5}, {10e5, 10e5}}) {
    a.c = p_a;
    b.c = p_b;
    harness.Evaluate();
    // The drop of a small flow through the open orifice, whose slope is K/sqrt(1e4 Pa) there.
    EXPECT_NEAR(out.p(), std::max(p_a, p_b), 1.01 * 100 * out.q / kOpenShuttle);
  }
}

TEST_F(ShuttleTest, ChangesOfAAndBChangePlaces) {
  harness.Start();
  a.c = 50.1e5;
  a.Zc = 1e9;
  b.c = 50e5;
  b.Zc = 3e8;
  harness.Evaluate();
  const double q_a = a.q, q_b = b.q;
  std::swap(a.c, b.c);
  std::swap(a.Zc, b.Zc);
  harness.Evaluate();
  EXPECT_NEAR(b.q, q_a, 1e-12 * std::abs(q_a));
  EXPECT_NEAR(a.q, q_b, 1e-12 * std::abs(q_a));
}

RC_GTEST_FIXTURE_PROP(ShuttleTest, LawsAndWavesHoldTogether, ()) {
  const double range = RandomDecades(4, 6);
  harness.Set(valve, "switching_range", range);
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  out = RandomNeighbour();
  harness.Evaluate();
  RC_ASSERT(std::abs(a.q + b.q + out.q) <= 1e-15 * (std::abs(a.q) + std::abs(b.q)));
  const double r_a = valve.OpeningOfA(a.p(), b.p());
  // The opening is found to 2^-50 and seen through rounded pressures.
  const double of_opening = 4e-15 + RoundingOf(a, b) / range;
  const auto check = [&](double q, const HydraulicBond& from, double r) {
    const double dp = from.p() - out.p();
    const double full = OrificeFlow(kOpenShuttle, std::abs(dp));
    RC_ASSERT(std::abs(q - OrificeFlow(kOpenShuttle * r, dp)) <=
              1e-11 * std::abs(q) + 4 * of_opening * full +
                  4 * OrificeFlowAndSlope(kOpenShuttle * r, dp).slope * RoundingOf(from, out));
  };
  check(-a.q, a, r_a);
  check(-b.q, b, 1 - r_a);
}

}  // namespace
}  // namespace davit
