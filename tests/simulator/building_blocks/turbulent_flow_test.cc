#include "simulator/building_blocks/turbulent_flow.h"
#include "tests/support/special_values.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace davit::building_blocks {
namespace {

/// mantissa * 10^exponent, both at random; the exponent between the two given.
double PowerOfTen(int low, int high) {
  return *rc::gen::inRange(1000, 10000) * 1e-3 * std::pow(10.0, *rc::gen::inRange(low, high + 1));
}

RC_GTEST_PROP(TurbulentFlowTest, SatisfiesItsQuadraticEquation, ()) {
  const double Ks = PowerOfTen(-12, 0);
  const double c1 = PowerOfTen(-6, 9);
  const double c2 = PowerOfTen(-6, 9);
  const double Zc1 = PowerOfTen(0, 13);
  const double Zc2 = PowerOfTen(0, 13);
  const long double q = TurbulentFlow(Ks, c1, c2, Zc1, Zc2);
  const long double drive = static_cast<long double>(Ks) * Ks * (c1 - c2);
  const long double Z = static_cast<long double>(Zc1) + Zc2;
  const long double residual = q * std::abs(q) + static_cast<long double>(Ks) * Ks * Z * q - drive;
  RC_ASSERT(std::abs(residual) <= 8 * kEpsilon * std::abs(drive));  // the equation doubles the error of q
}

RC_GTEST_PROP(TurbulentFlowTest, IsOdd, ()) {
  const double Ks = PowerOfTen(-12, 0);
  const double c1 = PowerOfTen(-6, 9);
  const double c2 = PowerOfTen(-6, 9);
  const double Zc1 = PowerOfTen(0, 13);
  const double Zc2 = PowerOfTen(0, 13);
  const double q = TurbulentFlow(Ks, c1, c2, Zc1, Zc2);
  RC_ASSERT(TurbulentFlow(Ks, c2, c1, Zc2, Zc1) == -q);
  RC_ASSERT(TurbulentFlow(Ks, -c1, -c2, Zc1, Zc2) == -q);
}

TEST(TurbulentFlowTest, IsThePlainLawOfTheSolvedPressures) {
  const double q = TurbulentFlow(1e-5, 200e5, 50e5, 3e9, 1e9);
  const double p1 = 200e5 - 3e9 * q;
  const double p2 = 50e5 + 1e9 * q;
  EXPECT_GT(p1, p2);
  EXPECT_NEAR(q, 1e-5 * std::sqrt(p1 - p2), 1e-13 * q);
}

TEST(TurbulentFlowTest, WithoutImpedanceIsTheSquareRootLaw) {
  for (const double dp : {1e-300, 1e-9, 1.0, 1e7}) {
    EXPECT_DOUBLE_EQ(TurbulentFlow(2e-5, dp, 0, 0, 0), 2e-5 * std::sqrt(dp));
    EXPECT_DOUBLE_EQ(TurbulentFlow(2e-5, 0, dp, 0, 0), -2e-5 * std::sqrt(dp));
    // A vanishing impedance changes nothing.
    EXPECT_DOUBLE_EQ(TurbulentFlow(2e-5, dp, 0, 1e-160, 0), 2e-5 * std::sqrt(dp));
  }
}

TEST(TurbulentFlowTest, WideOpenIsLimitedByTheImpedances) {
  EXPECT_DOUBLE_EQ(TurbulentFlow(1e6, 5e5, 1e5, 1e9, 3e9), 4e5 / 4e9);
}

TEST(TurbulentFlowTest, IsZeroWhereNothingFlows) {
  EXPECT_EQ(TurbulentFlow(0, 5e5, 1e5, 1e9, 1e9), 0);
  EXPECT_EQ(TurbulentFlow(0, 5e5, 1e5, 0, 0), 0);
  EXPECT_EQ(TurbulentFlow(0, 1e5, 1e5, 0, 0), 0);
  EXPECT_EQ(TurbulentFlow(1e-5, 1e5, 1e5, 0, 0), 0);
  EXPECT_EQ(TurbulentFlow(1e-5, 1e5, 1e5, 1e9, 1e9), 0);
}

TEST(TurbulentFlowTest, NearZeroIsLaminarByTheImpedances) {
  // q = dc/Z (1 - dc/(Ks Z)^2 + ...): no digits are lost in a difference.
  EXPECT_DOUBLE_EQ(TurbulentFlow(1e-5, 1e-9, 0, 1e10, 1e10), 1e-9 / 2e10);
}

TEST(TurbulentFlowTest, PassesNanOn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(TurbulentFlow(1e-5, nan, 0, 1e9, 1e9)));
  EXPECT_TRUE(std::isnan(TurbulentFlow(nan, 1e5, 0, 1e9, 1e9)));
}

}  // namespace
}  // namespace davit::building_blocks
