#include "components/pneumatic/laws/sonic_conductance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "components/pneumatic/laws/gas_flow.h"
#include "components/pneumatic/laws/tube_law.h"

namespace davit::pneumatic {
namespace {

constexpr double kC = 2e-8, kT = 293.15;

/// Up to r = b the flow is C rho0 p1 sqrt(T0/T1), whatever the pressure downstream.
TEST(SonicConductanceTest, ChokedFlowIsInProportionToThePressureUpstream) {
  const SonicConductance law{kC, 0.3, 0.5};
  for (const double p1 : {1e3, 1e5, 7e5}) {
    for (const double T1 : {200.0, kT, 400.0}) {
      const double choked = kC * 1.185 * p1 * std::sqrt(293.15 / T1);
      for (const double r : {0.0, 0.1, 0.3}) {
        EXPECT_NEAR(law.Flow(p1, T1, r * p1), choked, 1e-14 * choked);
        EXPECT_EQ(law.IsChoked(p1, r * p1), r * p1 <= 0.3 * p1);
      }
    }
  }
  EXPECT_LT(law.Flow(1e5, kT, 0.32e5), law.Flow(1e5, kT, 0.3e5));
}

/// Above b it is (1 - y^2)^m of that. The smooth law differs by (1 - m)/2 e^2 (1/z^2 - 1), of first order.
TEST(SonicConductanceTest, SubsonicFlowIsTheEllipseOfTheStandard) {
  for (const double b : {0.0, 0.3, 0.6}) {
    for (const double m : {0.4, 0.5, 0.6, 1.0}) {
      const SonicConductance law{kC, b, m};
      for (const double r : {0.65, 0.8, 0.95, 0.99}) {
        const double y = (r - b) / (1 - b), z = 1 - y * y;
        const double e = SonicConductance::kLinear / z;
        EXPECT_NEAR(law.Share(r) / std::pow(z, m), 1, (1 - m) / 2 * e * e + 1e-13)
            << b << ' ' << m << ' ' << r;
      }
    }
  }
}

/// At equal pressures it is 0 with a finite slope, odd where both temperatures are equal.
TEST(SonicConductanceTest, IsContinuousOddAndMonotonicAtZero) {
  const SonicConductance law{kC, 0.3, 0.5};
  const auto flow = [&](double dp) { return MassFlow(law, law, {5e5 + dp / 2, kT}, {5e5 - dp / 2, kT}); };
  EXPECT_EQ(flow(0), 0);
  // psi' = z' e^(m - 1), z' = -2/(1 - b) at r = 1
  const double slope = law.Choked(5e5, kT) * 2 / 0.7 / 5e5 * std::pow(SonicConductance::kLinear, -0.5);
  EXPECT_NEAR(flow(1e-2) / 1e-2, slope, 1e-5 * slope);
  double last = -1;
  for (double dp = -9e5; dp <= 9e5; dp += 1e3) {
    EXPECT_EQ(flow(-dp), -flow(dp));
    EXPECT_GE(flow(dp), last);
    last = flow(dp);
  }
  EXPECT_EQ(law.Flow(0, kT, 0), 0);
}

/// Where the flow reverses, the temperature is that of the other side.
TEST(SonicConductanceTest, TheTemperatureUpstreamCounts) {
  const SonicConductance law{kC, 0.3, 0.5};
  EXPECT_NEAR(MassFlow(law, law, {6e5, 400}, {1e5, 250}), kC * 1.185 * 6e5 * std::sqrt(293.15 / 400), 1e-15);
  EXPECT_NEAR(MassFlow(law, law, {1e5, 400}, {6e5, 250}), -kC * 1.185 * 6e5 * std::sqrt(293.15 / 250), 1e-15);
  PneumaticBond a, b;
  a.T = 400;
  b.T = 250;
  Pass(1e-3, a, b);
  EXPECT_NEAR(b.H, 1e-3 * 1004.5 * 400, 1e-12);
  Pass(-1e-3, a, b);
  EXPECT_NEAR(b.H, -1e-3 * 1004.5 * 250, 1e-12);
  EXPECT_EQ(a.H, -b.H);
  EXPECT_EQ(a.G, -b.G);
}

/// Between waves p = c + Zc G holds together with the law.
TEST(SonicConductanceTest, FlowBetweenWavesSolvesBothEquations) {
  const SonicConductance law{kC, 0.3, 0.5};
  const auto flow = [&](const GasEnd& at_a, const GasEnd& at_b) { return MassFlow(law, law, at_a, at_b); };
  for (const auto& [c_a, c_b] : {std::pair{7e5, 1e5}, std::pair{1e5, 7e5}, std::pair{5e5, 4.9e5}}) {
    PneumaticBond a, b;
    a.c = c_a;
    a.Zc = 1e7;
    b.c = c_b;
    b.Zc = 3e7;
    const double G = FlowBetweenBonds(a, b, flow);
    a.G = -G;
    b.G = G;
    EXPECT_NEAR(G, flow({a.p(), a.T}, {b.p(), b.T}), 1e-10 * std::abs(G));
    EXPECT_LT(std::abs(a.p() - b.p()), std::abs(c_a - c_b));
  }
}

/// ISO 6358-3: n equal elements one behind the other have C n^(-1/3) and 1 - b = n^(1/3) (1 - b1).
TEST(SonicConductanceTest, SeriesAndParallelOfEqualElements) {
  const SonicConductance one{kC, 0.5, 0.5};
  const SonicConductance series = InSeries(one, one);
  EXPECT_NEAR(series.C, kC / std::cbrt(2), 1e-22);
  EXPECT_NEAR(1 - series.b, 0.5 * std::cbrt(2), 1e-14);
  const SonicConductance parallel = InParallel(one, one);
  EXPECT_NEAR(parallel.C, 2 * kC, 1e-22);
  EXPECT_NEAR(parallel.b, 0.5, 1e-14);
  // Against the flow at the pressure between two elements that conserves mass: what the rule approximates.
  const SonicConductance wide{3 * kC, 0.4, 0.5};
  const SonicConductance both = InSeries(one, wide);
  for (const double p2 : {1e5, 3e5, 5e5}) {
    double low = p2, high = 7e5;
    for (int i = 0; i < 60; ++i) {
      const double p = (low + high) / 2;
      (one.Flow(7e5, kT, p) > wide.Flow(p, kT, p2) ? low : high) = p;
    }
    const double exact = wide.Flow(low, kT, p2);
    EXPECT_NEAR(both.Flow(7e5, kT, p2), exact, 0.03 * exact) << p2;
  }
  EXPECT_EQ(InSeries(one, {0, 0.3, 0.5}).C, 0);
}

/// G^2 R T/A^2 (K + 2 ln(p1/p2)) = p1^2 - p2^2, choked at p2 = b p1.
TEST(TubeLawTest, IsThatOfIsothermalFlowWithFriction) {
  constexpr double kLength = 2, kDiameter = 4e-3, kFriction = 0.02, kInlet = 1.5;
  const double A = std::numbers::pi / 4 * kDiameter * kDiameter, RT = 287 * 293.15;
  const double K = kFriction * kLength / kDiameter + kInlet;
  const SonicConductance law = TubeConductance(kLength, kDiameter, kFriction, kInlet);
  const auto exact = [&](double p1, double p2) {
    return A * std::sqrt((p1 * p1 - p2 * p2) / (RT * (K + 2 * std::log(p1 / p2))));
  };
  EXPECT_NEAR(law.Choked(7e5, 293.15), exact(7e5, law.b * 7e5), 1e-12);
  // It is the largest flow.
  EXPECT_GT(exact(7e5, law.b * 7e5), exact(7e5, 1.01 * law.b * 7e5));
  EXPECT_GT(exact(7e5, law.b * 7e5), exact(7e5, 0.99 * law.b * 7e5));
  // The ellipse of the standard follows it within 6 %.
  for (const double r : {0.4, 0.6, 0.8, 0.95}) {
    EXPECT_NEAR(law.Flow(7e5, 293.15, r * 7e5), exact(7e5, r * 7e5), 0.06 * exact(7e5, r * 7e5)) << r;
  }
  // Long tubes: C falls with the root of the length, as in series 1/C^2 adds up.
  const SonicConductance twice = TubeConductance(2000, kDiameter, kFriction, kInlet);
  const SonicConductance once = TubeConductance(1000, kDiameter, kFriction, kInlet);
  EXPECT_NEAR(std::pow(once.C / twice.C, 2), 2, 0.01);
}

TEST(TubeLawTest, TheLossIsTheInverseOfTheFlow) {
  const SonicConductance law{kC, 0.3, 0.5};
  for (const double share : {0.1, 0.5, 0.9, 0.999}) {
    const double G = share * law.Choked(6e5, 350);
    const double loss = TubeLoss(law, G, 6e5, 350);
    // z = share^2 and more: the smooth law of the flow differs by e^2/(4 z^2).
    const double z = share * share;
    EXPECT_NEAR(law.Flow(6e5, 350, 6e5 - loss), G, G * 1e-6 / (z * z)) << share;
    EXPECT_EQ(TubeLoss(law, -G, 6e5, 350), loss);
  }
  EXPECT_EQ(TubeLoss(law, 0, 6e5, 350), 0);
  EXPECT_GT(TubeLoss(law, 1.01 * law.Choked(6e5, 350), 6e5, 350), 6e5 * 0.7);
}

}  // namespace
}  // namespace davit::pneumatic
