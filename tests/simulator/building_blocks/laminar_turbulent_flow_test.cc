#include "simulator/building_blocks/laminar_turbulent_flow.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "simulator/building_blocks/turbulent_flow.h"
#include "tests/support/special_values.h"

namespace davit::building_blocks {
namespace {

/// mantissa * 10^exponent, both at random; the exponent between the two given.
double Number(int low, int high) {
  return *rc::gen::inRange(1000, 10000) * 1e-3 * std::pow(10.0, *rc::gen::inRange(low, high + 1));
}

RC_GTEST_PROP(LaminarTurbulentFlowTest, SatisfiesItsEquation, ()) {
  const double a = Number(0, 13);
  const double b = Number(0, 16);
  const double dc = Number(-6, 9);
  const double Zs = Number(0, 13);
  const long double q = LaminarTurbulentFlow(a, b, dc, Zs);
  const long double dp = dc - Zs * q;
  RC_ASSERT(std::abs(a * q + b * q * std::abs(q) - dp) <=
            8 * kEpsilon * std::abs(static_cast<long double>(dc)));
}

RC_GTEST_PROP(LaminarTurbulentFlowTest, IsOddAndMonotone, ()) {
  const double a = Number(0, 13);
  const double b = Number(0, 16);
  const double dc = Number(-6, 9);
  const double Zs = Number(0, 13);
  const double q = LaminarTurbulentFlow(a, b, dc, Zs);
  RC_ASSERT(LaminarTurbulentFlow(a, b, -dc, Zs) == -q);
  RC_ASSERT(LaminarTurbulentFlow(a, b, dc * 1.001, Zs) > q);
}

TEST(LaminarTurbulentFlowTest, HasTheTwoLawsAsLimits) {
  EXPECT_DOUBLE_EQ(LaminarTurbulentFlow(2e9, 0, 1e5, 0), 1e5 / 2e9);
  EXPECT_DOUBLE_EQ(LaminarTurbulentFlow(2e9, 0, 1e5, 3e9), 1e5 / 5e9);
  EXPECT_DOUBLE_EQ(LaminarTurbulentFlow(0, 4e10, 1e6, 0), std::sqrt(1e6 / 4e10));
  // With a = 0 and b = 1/Ks^2 it is the turbulent orifice.
  EXPECT_NEAR(LaminarTurbulentFlow(0, 1 / (1e-5 * 1e-5), 3e5, 4e9) / TurbulentFlow(1e-5, 4e5, 1e5, 1e9, 3e9),
              1, 4 * kEpsilon);
}

TEST(LaminarTurbulentFlowTest, WithoutDifferenceIsZero) {
  EXPECT_EQ(LaminarTurbulentFlow(1, 1, 0, 1), 0);
  EXPECT_EQ(LaminarTurbulentFlow(0, 1, 0, 0), 0);
}

TEST(LaminarTurbulentFlowTest, HasTheSlopeOfItsLaminarPartAtZero) {
  EXPECT_DOUBLE_EQ(LaminarTurbulentFlow(2e9, 4e10, 1e-9, 3e9), 1e-9 / 5e9);
}

TEST(LaminarTurbulentFlowTest, PassesNanOn) {
  EXPECT_TRUE(std::isnan(LaminarTurbulentFlow(1, 1, std::numeric_limits<double>::quiet_NaN(), 1)));
}

}  // namespace
}  // namespace davit::building_blocks
