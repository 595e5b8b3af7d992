#include "components/hydraulic/laws/solve_ports.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "components/hydraulic/laws/orifice_law.h"
#include "tests/components/hydraulic/random_network.h"

namespace davit {
namespace {

/// Flow from the first port to the second, into the C components.
std::array<double, 2> Between(double q) { return {-q, q}; }

TEST(SolvePortsTest, WithoutImpedanceIsDirect) {
  const HydraulicBond a{{.c = 2e7}};
  const HydraulicBond b{{.c = 3e5}};
  std::array<double, 2> p{};
  int calls = 0;
  EXPECT_TRUE(SolvePorts<2>({&a, &b}, p, [&](const auto&) {
    ++calls;
    return Between(0);
  }));
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(p[0], a.c);
  EXPECT_EQ(p[1], b.c);
}

TEST(SolvePortsTest, IsExactForALinearLaw) {
  const HydraulicBond a{{.c = 2e7, .Zc = 3e9}};
  const HydraulicBond b{{.c = 3e5, .Zc = 1e9}};
  std::array<double, 2> p{};
  const double G = 1e-9;
  ASSERT_TRUE(SolvePorts<2>({&a, &b}, p, [&](const auto& at) { return Between(G * (at[0] - at[1])); }));
  const double q = G * (a.c - b.c) / (1 + G * (a.Zc + b.Zc));
  EXPECT_NEAR(p[0], a.c - a.Zc * q, 1e-12 * a.c);
  EXPECT_NEAR(p[1], b.c + b.Zc * q, 1e-12 * a.c);
}

RC_GTEST_PROP(SolvePortsTest, FindsTheFlowOfAnOrificeFromAnywhere, ()) {
  const HydraulicBond a = RandomNeighbour();
  const HydraulicBond b = RandomNeighbour();
  const double K = RandomDecades(-8, -4);
  std::array<double, 2> p{RandomPressure(), RandomPressure()};
  RC_ASSERT(
      SolvePorts<2>({&a, &b}, p, [&](const auto& at) { return Between(OrificeFlow(K, at[0] - at[1])); }));
  const double q = OrificeFlow(K, a.c - b.c, a.Zc + b.Zc);
  const double size = std::abs(a.c) + std::abs(b.c);
  RC_ASSERT(std::abs(p[0] - (a.c - a.Zc * q)) <= 1e-11 * size);
  RC_ASSERT(std::abs(p[1] - (b.c + b.Zc * q)) <= 1e-11 * size);
}

TEST(SolvePortsTest, SaysThatThereIsNoSolution) {
  const HydraulicBond a{{.c = 1e5, .Zc = 1e9}};
  std::array<double, 1> p{};
  // p = c + Zc q becomes 0 = 1e9 + p^2.
  EXPECT_FALSE(SolvePorts<1>({&a}, p, [](const auto& at) {
    return std::array<double, 1>{(at[0] - 1e5 + 1e9 + at[0] * at[0]) / 1e9};
  }));
}

}  // namespace
}  // namespace davit
