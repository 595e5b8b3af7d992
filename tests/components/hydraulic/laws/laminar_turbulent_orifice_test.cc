#include "components/hydraulic/laws/laminar_turbulent_orifice.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/circle_area.h"
#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/random_values.h"

namespace davit {
namespace {

struct Point {
  double dp, q, Re, turbulent;
};

TEST(LaminarTurbulentOrificeTest, HasTheFlowsOfAnOpeningOfThreeMillimetres) {
  const double D = 3e-3;
  const LaminarTurbulentOrifice law(32, 0.611, kRho, kNu);
  const double K = OrificeCoefficient(0.611, CircleArea(D), kRho);
  for (const Point& point : {Point{1, 4.573686113e-8, .6066, 2.080584477e-7},
                             {1e2, 1.678405603e-6, 22.2605, 2.080584477e-6},
                             {1e3, 6.144417825e-6, 81.4929, 6.579385813e-6},
                             {1e4, 2.036035465e-5, 270.0376, 2.080584477e-5},
                             {1e5, 6.534503565e-5, 866.6655, 6.579385813e-5},
                             {1e6, 2.076085713e-4, 2753.4942, 2.080584477e-4},
                             {1e7, 6.574883716e-4, 8720.2104, 6.579385813e-4}}) {
    SCOPED_TRACE(point.dp);
    const double q = law.Flow(K, point.dp);
    EXPECT_NEAR(q, point.q, 0.5e-9 * point.q);
    EXPECT_NEAR(4 * q / (std::numbers::pi * D * kNu), point.Re, 0.5e-4);
    EXPECT_NEAR(K * std::sqrt(point.dp), point.turbulent, 0.5e-9 * point.turbulent);
  }
}

TEST(LaminarTurbulentOrificeTest, ObeysTheLossLawItComesFrom) {
  const double K1 = 32, Cd = 0.7;
  const LaminarTurbulentOrifice law(K1, Cd, kRho, kNu);
  for (const double A : {1e-8, 1e-5, 1e-3}) {
    for (const double dp : {1.0, 1e4, 3e7}) {
      const double q = law.Flow(OrificeCoefficient(Cd, A, kRho), dp);
      const double Re = 4 * q / (std::numbers::pi * CircleDiameter(A) * kNu);
      EXPECT_NEAR((K1 / Re + 1 / (Cd * Cd)) * kRho * q * q / (2 * A * A), dp, 1e-13 * dp);
    }
  }
}

TEST(LaminarTurbulentOrificeTest, OfATubeIsHagenPoiseuilleAtSmallReynoldsNumbers) {
  const double D = 2e-3, L = 0.1, dp = 1e-3;
  const LaminarTurbulentOrifice law(64 * L / D, kSharpEdgeDischargeCoefficient, kRho, kNu);
  const double K = OrificeCoefficient(kSharpEdgeDischargeCoefficient, CircleArea(D), kRho);
  const double q = std::numbers::pi * std::pow(D, 4) * dp / (128 * kRho * kNu * L);
  EXPECT_NEAR(law.FlowWithSlope(K, 0).slope, q / dp, 1e-14 * q / dp);
  EXPECT_NEAR(law.Flow(K, dp), q, 1e-6 * q);  // the turbulent part: b q^2 = 1e-7 dp
}

/// Its slope falls from 1/a to 1/(sqrt(2) a) at dp = a^2/(4 b). No solver resolves that in less than
/// kLeastBendPressure.
TEST(LaminarTurbulentOrificeTest, AWidePortBendsAtTheLeastPressure) {
  for (const double nu : {0.0, kNu}) {
    const LaminarTurbulentOrifice law(kValveEdgeLaminarLoss, kSharpEdgeDischargeCoefficient, kRho, nu);
    for (const double D : {0.05, 0.2, 1e3}) {
      const double K = OrificeCoefficient(1, CircleArea(D), kRho);
      const double at_zero = law.FlowWithSlope(K, 0).slope;
      EXPECT_NEAR(law.FlowWithSlope(K, kLeastBendPressure).slope, at_zero / std::sqrt(2), 1e-14 * at_zero);
      // dp = (a + b q) q: the laminar part takes 2 sqrt(kLeastBendPressure dp) at most.
      for (const double dp : {1.0, 1e6}) {
        const double turbulent = std::pow(law.Flow(K, dp) / K, 2);
        EXPECT_LT(turbulent, dp);
        EXPECT_GE(turbulent, (dp - 2 * std::sqrt(kLeastBendPressure * dp)) * (1 - 1e-14));
      }
    }
  }
}

TEST(LaminarTurbulentOrificeTest, APortOfThirtyTwoMillimetresBendsWhereItsLossLawSays) {
  const double D = 0.032, K1 = kValveEdgeLaminarLoss;
  const LaminarTurbulentOrifice law(K1, kSharpEdgeDischargeCoefficient, kRho, kNu);
  const double K = OrificeCoefficient(kSharpEdgeDischargeCoefficient, CircleArea(D), kRho);
  const double a = 128 * K1 / 64 * kRho * kNu / (std::numbers::pi * std::pow(D, 3));
  EXPECT_NEAR(law.LaminarResistance(K), a, 1e-14 * a);
}

/// Erratum 14: the laminar limit q = pi D^3 dp/(2 K1 nu rho) is that of a round opening.
TEST(LaminarTurbulentOrificeTest, ItsLaminarLimitIsThatOfARoundOpening) {
  const double D = 3e-3;
  const LaminarTurbulentOrifice law(32, 0.611, kRho, kNu);
  const double slope = std::numbers::pi * D * D * D / (2 * 32 * kNu * kRho);
  EXPECT_NEAR(law.FlowWithSlope(OrificeCoefficient(0.611, CircleArea(D), kRho), 0).slope, slope,
              1e-14 * slope);
}

/// Erratum 15: a nominal flow has its discharge coefficient inside, a geometric area has not.
TEST(LaminarTurbulentOrificeTest, NominalFlowHasTheDischargeCoefficientInside) {
  const double K = NominalOrificeCoefficient(500 / 6e4, 5e5);
  for (const double Cd : {0.611, 1.0}) {
    const LaminarTurbulentOrifice law(kValveEdgeLaminarLoss, Cd, kRho, kNu);
    EXPECT_NEAR(law.Flow(K, 5e5) * 6e4, 500, 1.5);  // but for the laminar part
    EXPECT_NEAR(law.Flow(K, 500e5) * 6e4, 5000, 1.5);
  }
}

TEST(LaminarTurbulentOrificeTest, CoefficientsAndAreasOfTheValves) {
  const auto area = [](double K) { return K / OrificeCoefficient(1, 1, kRho); };
  EXPECT_NEAR(NominalOrificeCoefficient(500 / 6e4, 5e5), 1.178511302e-5, 0.5e-14);
  EXPECT_NEAR(area(NominalOrificeCoefficient(500 / 6e4, 5e5)), 2.446369192e-4, 0.5e-13);
  EXPECT_NEAR(NominalOrificeCoefficient(140 / 6e4, 5e5), 3.299831646e-6, 0.5e-15);
  EXPECT_NEAR(area(NominalOrificeCoefficient(140 / 6e4, 5e5)), 6.849833737e-5, 0.5e-14);
  EXPECT_NEAR(NominalOrificeCoefficient(1000 / 6e4, 5e5), 2.357022604e-5, 0.5e-14);
}

TEST(LaminarTurbulentOrificeTest, SharpEdgeHasItsTurbulentLoss) {
  EXPECT_NEAR(1 / (kSharpEdgeDischargeCoefficient * kSharpEdgeDischargeCoefficient), 2.67866, 0.5e-5);
}

TEST(LaminarTurbulentOrificeTest, AShutOneLetsNothingPass) {
  const LaminarTurbulentOrifice law(32, 0.611, kRho, kNu);
  EXPECT_EQ(law.Flow(0, 1e7), 0);
  EXPECT_EQ(law.Flow(-1e-5, 1e7), 0);
  EXPECT_EQ(law.Flow(0, 1e7, 1e9), 0);
  EXPECT_EQ(law.FlowWithSlope(0, 1e7).slope, 0);
}

RC_GTEST_PROP(LaminarTurbulentOrificeTest, IsOddAndMonotoneWithItsSlope, ()) {
  const LaminarTurbulentOrifice law(RandomDecades(0, 4), 0.611, kRho, RandomDecades(-7, -3));
  const double K = RandomDecades(-12, -2);
  const double dp = RandomDecades(-6, 9);
  const FlowAndSlope flow = law.FlowWithSlope(K, dp);
  RC_ASSERT(law.Flow(K, -dp) == -law.Flow(K, dp));
  RC_ASSERT(std::abs(flow.q - law.Flow(K, dp)) <= 1e-15 * flow.q);
  const double h = 1e-4 * dp;
  const double slope = (law.Flow(K, dp + h) - law.Flow(K, dp - h)) / (2 * h);
  RC_ASSERT(flow.slope > 0);
  RC_ASSERT(std::abs(slope - flow.slope) <= 1e-7 * flow.slope);
}

RC_GTEST_PROP(LaminarTurbulentOrificeTest, HoldsLawAndWavesTogether, ()) {
  const LaminarTurbulentOrifice law(32, 0.611, kRho, kNu);
  const double K = RandomDecades(-12, -2);
  const double Zs = RandomDecades(0, 14);
  const double dc = RandomDecades(-6, 9);
  const double q = law.Flow(K, dc, Zs);
  const double a = law.LaminarResistance(K);
  RC_ASSERT(std::abs((a + Zs) * q + q / K * (q / K) - dc) <= 1e-14 * dc);
}

RC_GTEST_PROP(LaminarTurbulentOrificeTest, GivesANumberForAllFiniteInput, ()) {
  const LaminarTurbulentOrifice law(32, 0.611, kRho, kNu);
  const double K = RandomDecades(-300, 2) * (*rc::gen::inRange(0, 2));
  const double dp = AnyFinite();
  RC_ASSERT(std::isfinite(law.Flow(K, dp)));
  RC_ASSERT(std::isfinite(law.Flow(K, dp, RandomDecades(0, 14))));
}

}  // namespace
}  // namespace davit
