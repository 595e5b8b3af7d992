#include "hopsan/laws/flow.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hopsan/laws/implicit_step.h"
#include "hopsan/laws/waves.h"
#include "hopsan/nodes.h"

namespace davit::hopsan {
namespace {

RC_GTEST_PROP(HopsanTurbulentFlow, SolvesTheOrificeBetweenTwoWaves, ()) {
  const double K = *rc::gen::inRange(1, 1000) * 1e-9;
  const Wave w1{*rc::gen::inRange(0, 400) * 1e5, *rc::gen::inRange(0, 100) * 1e8};
  const Wave w2{*rc::gen::inRange(0, 400) * 1e5, *rc::gen::inRange(0, 100) * 1e8};
  const double q = TurbulentFlow(K, w1, w2), dp = w1.c - w2.c - (w1.Zc + w2.Zc) * q;
  // q = K sqrt(dp): the squares, whose difference is rounded by dc.
  RC_ASSERT(std::abs(q * std::abs(q) - K * K * dp) <= 1e-9 * K * K * (std::abs(w1.c - w2.c) + 1));
  RC_ASSERT(TurbulentFlow(K, w2, w1) == -q);
}

TEST(HopsanCavitation, CountsAPortBelowZeroAsAnEmptyOne) {
  HydraulicNode high, low;
  high.c = 2e6;
  low.c = -3e6;
  low.Zc = 1e9;
  const double K = 1e-7;
  const auto flow = [&](const Wave& w1, const Wave& w2) { return TurbulentFlow(K, w1, w2); };
  SolveFlowWithCavitation(high, low, flow);
  EXPECT_EQ(low.q, TurbulentFlow(K, {2e6, 0}, {0, 0}));
  EXPECT_EQ(low.p, 0);
  EXPECT_EQ(high.p, 2e6);
  EXPECT_EQ(high.q, -low.q);
}

TEST(HopsanCavitation, LeavesPressuresAboveZeroAlone) {
  HydraulicNode a, b;
  a.c = 5e6;
  b.c = 1e6;
  a.Zc = b.Zc = 1e9;
  const auto flow = [](const Wave& w1, const Wave& w2) { return 1e-10 * (w1.c - w2.c) / (1 + 1e-10 * 2e9); };
  SolveFlowWithCavitation(a, b, flow);
  EXPECT_DOUBLE_EQ(b.q, 1e-10 * (a.p - b.p));
  EXPECT_DOUBLE_EQ(a.p, a.c - a.Zc * b.q);
}

// The waves of a volume keep the oil: what flows in raises the mean pressure by T beta/V of the sum.
RC_GTEST_PROP(HopsanVolumeWaves, KeepTheOil, ()) {
  struct Ports {
    std::array<HydraulicNode, 4> nodes;
    std::size_t size() const { return 4; }
    HydraulicNode& operator[](std::size_t i) { return nodes[i]; }
  } ports;
  const double V = 1e-3, beta = 1e9, T = 1e-4, alpha = *rc::gen::inRange(0, 9) / 10.0;
  const double Z = VolumeImpedance(4, V, beta, alpha, T);
  StartStar(ports, Z);
  double before = 0, after = 0, flow = 0;
  for (HydraulicNode& node : ports.nodes) {
    node.q = *rc::gen::inRange(-100, 100) * 1e-6;
    before += node.c / 4;
    flow += node.q;
  }
  MixWaves(ports, Z, alpha);
  for (const HydraulicNode& node : ports.nodes) after += node.c / 4;
  // mean(c) = m - filtered: the flows enter with 2 Z (1 - alpha)/4 each.
  RC_ASSERT(std::abs(after - before - 2 * Z * (1 - alpha) * flow / 4) <= 1e-12 * (std::abs(before) + 1e7));
}

TEST(HopsanWaves, ReachTheOtherEndAfterAStep) {
  HydraulicNode a, b;
  a.c = 1;
  b.c = 2;
  ExchangeWaves(a, 0.5, b, 0.25, 10, 0);
  EXPECT_EQ(a.c, 2 + 2 * 10 * 0.25);
  EXPECT_EQ(b.c, 1 + 2 * 10 * 0.5);
  EXPECT_EQ(a.Zc, 10);
}

TEST(HopsanDual, HasTheDerivativesOfDifferences) {
  const auto f = [](const auto& x) {
    using std::abs, std::asin, std::cos, std::exp, std::pow, std::sin;
    return sin(x) * cos(x) / (1 + x * x) + exp(-x) * pow(x, 1.7) - asin(x) + abs(x - 2);
  };
  Dual<1> x(0.3);
  x.slope[0] = 1;
  const double h = 1e-6;
  EXPECT_NEAR(f(x).slope[0], (f(0.3 + h) - f(0.3 - h)) / (2 * h), 1e-9);
  EXPECT_DOUBLE_EQ(f(x).value, f(0.3));
}

// Newton solves linear equations in one step, and the second, weighted one leaves the solution.
TEST(HopsanImplicitStep, SolvesLinearEquationsExactly) {
  std::array<double, 3> y{};
  SolveImplicitStep(y, [](const auto& u) {
    return std::array{u[1] + u[2] - 5, 2 * u[0] + u[1] - 4, u[0] - u[2] + 2};
  });
  EXPECT_NEAR(y[0], 1, 1e-14);
  EXPECT_NEAR(y[1], 2, 1e-14);
  EXPECT_NEAR(y[2], 3, 1e-14);
}

// x^2 = 4 from 3: 3 -> 13/6, then 0.67 of the way to 313/156.
TEST(HopsanImplicitStep, TakesTwoStepsOfNewtonTheSecondByTwoThirds) {
  std::array<double, 1> y{3};
  SolveImplicitStep(y, [](const auto& u) { return std::array{u[0] * u[0] - 4}; });
  EXPECT_NEAR(y[0], 13.0 / 6 + 0.67 * (313.0 / 156 - 13.0 / 6), 1e-14);
}

}  // namespace
}  // namespace davit::hopsan
