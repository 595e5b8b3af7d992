#include "components/hydraulic/laws/gas_spring.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "tests/support/random_values.h"

namespace davit {
namespace {

GasSpring Gas(double n) { return {.P0 = 100e5, .V0 = 10e-3, .n = n}; }

TEST(GasSpringTest, VolumesOverPressure) {
  constexpr std::array<double, 5> kPressures{120e5, 150e5, 200e5, 250e5, 300e5};
  constexpr std::array<double, 5> kFast{8.77893770, 7.48549508, 6.09506827, 5.19705289, 4.56246036};
  constexpr std::array<double, 5> kSlow{8.33333333, 6.66666667, 5, 4, 3.33333333};
  for (std::size_t i = 0; i < kPressures.size(); ++i) {
    EXPECT_NEAR(Gas(1.4).Volume(kPressures[i]) * 1e3, kFast[i], 0.5e-8);
    EXPECT_NEAR(Gas(1).Volume(kPressures[i]) * 1e3, kSlow[i], 0.5e-8);
  }
}

TEST(GasSpringTest, StoresOilAndWork) {
  const auto stored = [](double n) { return (Gas(n).Volume(150e5) - Gas(n).Volume(200e5)) * 1e3; };
  EXPECT_NEAR(stored(1.4), 1.39042681, 0.5e-8);
  EXPECT_NEAR(stored(1), 1.66666667, 0.5e-8);
  EXPECT_NEAR(Gas(1.4).Work(150e5, 200e5), 24.0473e3, 0.05);
  EXPECT_NEAR(Gas(1).Work(150e5, 200e5), 28.7682e3, 0.05);
}

TEST(GasSpringTest, Discharges) {
  const GasSpring gas = Gas(1.4);
  const double V = gas.Volume(200e5);
  EXPECT_NEAR(gas.At(V + 1e-3).P, 161.68167e5, 0.5);
  EXPECT_NEAR(gas.At(V + 2e-3).P, 134.42848e5, 0.5);
}

RC_GTEST_PROP(GasSpringTest, SlopeAndVolumeBelongToThePressure, ()) {
  const GasSpring gas{.P0 = RandomDecades(5, 8), .V0 = RandomDecades(-4, 0), .n = 1 + RandomDecades(-3, 0)};
  const double V = gas.V0 * RandomDecades(-1, 0);
  RC_ASSERT(std::abs(gas.Volume(gas.At(V).P) - V) <= 1e-13 * V);
  const double h = 1e-4 * V;
  const double slope = (gas.At(V - h).P - gas.At(V + h).P) / (2 * h);
  RC_ASSERT(std::abs(slope - gas.At(V).slope) <= 1e-6 * slope);
}

RC_GTEST_PROP(GasSpringTest, IsNoNanForAnyFiniteVolume, ()) {
  RC_ASSERT(!std::isnan(Gas(1.4).At(AnyFinite()).P));
}

TEST(GasSpringTest, GoesOnAlongItsTangentWhenNearlyGone) {
  const GasSpring gas = Gas(1.4);
  const double V = gas.V0 / 100;
  EXPECT_NEAR(gas.At(V / 2).P, gas.At(V).P + gas.At(V).slope * V / 2, 1e-9 * gas.At(V).P);
  EXPECT_EQ(gas.At(-V).slope, gas.At(V).slope);
}

}  // namespace
}  // namespace davit
