#include "components/hydraulic/accumulator_c.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "tests/components/hydraulic/wave_harness.h"

namespace davit {
namespace {

constexpr double kAtmosphere = 1e5;

/// 10 l, 100 bar absolute.
class AccumulatorCHarness : public WaveHarness<AccumulatorC> {
 public:
  AccumulatorCHarness() { Set(component, "precharge_pressure", 100e5 - kAtmosphere); }
  void StartAtAbsolute(double P) { SetStart(component, "p", P - kAtmosphere); }
  double AbsolutePressure() const { return Read("p") + kAtmosphere; }

  HydraulicBond& port = AttachHydraulic(component, "port");
};

TEST(AccumulatorCTest, GasFollowsItsLaw) {
  constexpr std::array<double, 5> kPressures{120e5, 150e5, 200e5, 250e5, 300e5};
  constexpr std::array<double, 5> kAdiabatic{8.77893770e-3, 7.48549508e-3, 6.09506827e-3, 5.19705289e-3,
                                             4.56246036e-3};
  constexpr std::array<double, 5> kIsothermal{8.33333333e-3, 6.66666667e-3, 5e-3, 4e-3, 3.33333333e-3};
  for (std::size_t i = 0; i < kPressures.size(); ++i) {
    for (const bool is_adiabatic : {true, false}) {
      AccumulatorCHarness accumulator;
      accumulator.Set(accumulator.component, "polytropic_exponent", is_adiabatic ? 1.4 : 1.0);
      accumulator.StartAtAbsolute(kPressures[i]);
      accumulator.Begin(1e-3);
      EXPECT_NEAR(accumulator.Read("gas_volume_now"), is_adiabatic ? kAdiabatic[i] : kIsothermal[i], 1e-11);
      EXPECT_NEAR(accumulator.AbsolutePressure(), kPressures[i], 1e-5);
      EXPECT_NEAR(accumulator.port.p(), kPressures[i] - kAtmosphere, 1e-5);
    }
  }
}

TEST(AccumulatorCTest, EmptiesAtALitrePerSecond) {
  AccumulatorCHarness accumulator;
  accumulator.StartAtAbsolute(200e5);
  accumulator.Begin(1e-3);
  accumulator.port.q = -1e-3;
  for (int n = 0; n < 1000; ++n) accumulator.Step();
  EXPECT_NEAR(accumulator.AbsolutePressure(), 161.68167e5, 1);
  for (int n = 0; n < 1000; ++n) accumulator.Step();
  EXPECT_NEAR(accumulator.AbsolutePressure(), 134.42848e5, 1);
}

TEST(AccumulatorCTest, TakesTheWorkOfItsGas) {
  // 150 to 200 bar: 24.0473 kJ, of second order in the step (less the half step at both ends).
  const auto work = [](int steps) {
    AccumulatorCHarness accumulator;
    accumulator.StartAtAbsolute(150e5);
    const double h = 1.0 / steps;
    accumulator.Begin(h);
    const double q = 1.39042681e-3;
    double sum = 0;
    accumulator.port.q = q;
    for (int n = 0; n < steps; ++n, accumulator.Step()) sum += h * q * (accumulator.port.p() + kAtmosphere);
    return sum;
  };
  EXPECT_NEAR(work(1000), 24047.3, 0.1);
  const double exact = work(100000);
  EXPECT_NEAR((work(50) - exact) / (work(100) - exact), 4, 0.2);
}

TEST(AccumulatorCTest, GivesNoOilWhenEmpty) {
  AccumulatorCHarness accumulator;
  accumulator.StartAtAbsolute(110e5);
  accumulator.Begin(1e-3);
  const double oil = accumulator.Read("oil");
  double balance = 0;
  for (int n = 0; n < 2000; ++n) {  // draws what is not there
    accumulator.port.q = -1e-3;
    accumulator.Step();
    balance -= 1e-6;
    EXPECT_LE(accumulator.Read("gas_volume_now"), 0.01);
    EXPECT_GE(accumulator.Read("p"), -99900);
  }
  EXPECT_EQ(accumulator.Read("p"), -99900);
  EXPECT_EQ(accumulator.port.p(), -99900);
  EXPECT_EQ(accumulator.Read("gas_volume_now"), 0.01);
  for (int n = 0; n < 2000; ++n) {  // the pressure returns with the last oil that was missing
    accumulator.port.q = 1e-3;
    accumulator.Step();
    balance += 1e-6;
  }
  EXPECT_NEAR(accumulator.Read("oil"), oil + balance, 1e-16);
  EXPECT_NEAR(accumulator.AbsolutePressure(), 110e5, 1e-3);
}

TEST(AccumulatorCTest, IsAStiffVolumeBelowThePrecharge) {
  AccumulatorCHarness accumulator;
  accumulator.SetStart(accumulator.component, "p", 50e5);
  accumulator.Begin(1e-3);
  EXPECT_EQ(accumulator.Read("gas_volume_now"), 0.01);
  accumulator.port.q = 1e-4;
  accumulator.Step();
  EXPECT_NEAR(accumulator.Read("p"), 50e5 + 1.6e9 / 1e-4 * 1e-7, 1e-6);
}

TEST(AccumulatorCTest, StaysFiniteWhenTheGasIsCrushed) {
  AccumulatorCHarness accumulator;
  accumulator.Begin(1e-2);
  for (int n = 0; n < 1000; ++n) {
    accumulator.port.q = 1e-2;  // ten times the gas volume
    accumulator.Step();
    ASSERT_TRUE(std::isfinite(accumulator.port.c) && std::isfinite(accumulator.port.Zc));
  }
  EXPECT_GT(accumulator.Read("p"), 1e9);
}

TEST(AccumulatorCTest, RepeatsARunBitForBitAndAllocatesNothing) {
  AccumulatorCHarness accumulator;
  accumulator.StartAtAbsolute(150e5);
  std::vector<double> seen(1000), first;
  for (int run = 0; run < 2; ++run) {
    accumulator.Begin(1e-3);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> flow(-3e-3, 3e-3);
    const AllocationCounter allocations;
    for (double& p : seen) {
      accumulator.port.q = flow(random);
      p = accumulator.port.p();
      accumulator.Step();
    }
    EXPECT_EQ(allocations.count(), 0U);
    if (run == 0) first = seen;
  }
  EXPECT_EQ(seen, first);
}

}  // namespace
}  // namespace davit
