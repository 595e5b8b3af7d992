#include "components/hydraulic/accumulator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

class AccumulatorTest : public testing::Test {
 protected:
  AccumulatorTest() {
    harness.Set(accumulator, "gas_volume", 10e-3);
    harness.Set(accumulator, "precharge_pressure", 99e5);  // 100 bar absolute
  }
  double p() const { return harness.Read(accumulator, "p"); }

  ComponentHarness harness;
  Accumulator& accumulator = harness.Add<Accumulator>("accumulator");
  HydraulicBond& bond = harness.AttachHydraulic(accumulator, "port");
};

TEST_F(AccumulatorTest, StartsAtItsPressureAboveAndBelowThePrecharge) {
  for (const double start : {0.0, 50e5, 98.9e5, 99e5, 99.1e5, 250e5}) {
    harness.SetStart(accumulator, "p", start);
    harness.Start();
    EXPECT_NEAR(p(), start, 1e-9 * 250e5);
    EXPECT_EQ(bond.c, p());
  }
}

TEST_F(AccumulatorTest, GasFollowsThePolytropicLaw) {
  harness.SetStart(accumulator, "p", 199e5);
  harness.Start();
  const double V = harness.Read(accumulator, "gas_volume_now");
  EXPECT_NEAR(V, 10e-3 * std::pow(0.5, 1 / 1.4), 1e-12);
  bond.q = 1e-4;
  harness.Integrate(0, 1e-2, 1000);  // a litre
  EXPECT_NEAR(harness.Read(accumulator, "gas_volume_now"), V - 1e-3, 1e-12);
  EXPECT_NEAR(p(), 100e5 * std::pow(10e-3 / (V - 1e-3), 1.4) - 1e5, 1);
}

TEST_F(AccumulatorTest, EmptyItIsAStiffPort) {
  harness.SetStart(accumulator, "p", 10e5);
  harness.Start();
  EXPECT_NEAR(harness.Read(accumulator, "oil"), 10e5 * 1e-3 / 1.6e9, 1e-15);
  bond.q = -1e-6;
  harness.Integrate(0, 1e-2, 100);
  EXPECT_EQ(p(), 0);  // it has no more to give
}

}  // namespace
}  // namespace davit
