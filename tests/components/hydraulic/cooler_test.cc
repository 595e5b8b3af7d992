#include "components/hydraulic/cooler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

class CoolerTest : public testing::Test {
 protected:
  ComponentHarness harness;
  Cooler& cooler = harness.Add<Cooler>("cooler");
  HydraulicBond& a = harness.AttachHydraulic(cooler, "a");
  HydraulicBond& b = harness.AttachHydraulic(cooler, "b");
  const double KA = 300;  // [W/K]
};

TEST_F(CoolerTest, PowerIsThatOfTheLogarithmicMean) {
  harness.Start();
  const double T = 333.15, ambient = 293.15;
  for (const double q : {1e-4, 1e-3, 1e-2}) {
    const double stream = 861.8 * 1900 * q;
    const double power = cooler.Power(q, T);
    const double T_out = T - power / stream;
    const double dT = (T - T_out) / std::log((T - ambient) / (T_out - ambient));
    EXPECT_NEAR(power, KA * dT, 1e-9 * power) << q;
    EXPECT_EQ(cooler.Power(-q, T), power);
  }
  EXPECT_NEAR(cooler.Power(1, T), KA * 40, 1e-3 * KA * 40);  // A K dT for much flow: less by KA/(2 stream)
  EXPECT_EQ(cooler.Power(0, T), 0);
  EXPECT_EQ(cooler.Power(1e-3, ambient), 0);
}

TEST_F(CoolerTest, OilCoolsDownExponentially) {
  harness.SetStart(cooler, "temperature", 343.15);
  harness.Set(cooler, "ambient_temperature", 293.15);
  harness.Set(cooler, "heat_transfer", 1e5);  // so much that the stream gives all its heat
  harness.Start();
  a.c = 1e5;
  b.c = 1e5 - 1e2;
  harness.Evaluate();
  const double q = harness.Read(cooler, "q");
  const double rate = 861.8 * q / 200;  // the oil passes once in oil_mass/(density*q)
  const double t = 600;
  harness.Integrate(0, 1, 600);
  const double heating = q * harness.Read(cooler, "dp") / (861.8 * 1900 * q);  // it settles that much above
  EXPECT_NEAR(harness.Read(cooler, "temperature"), 293.15 + heating + (50 - heating) * std::exp(-rate * t),
              1e-6);
}

TEST_F(CoolerTest, HeatOfTheCircuitAndOfTheLossGoesIntoTheOil) {
  harness.Set(cooler, "running", 0);
  harness.Set(cooler, "heat", 5000);
  harness.Start();
  a.c = 3e5;
  b.c = 1e5;
  harness.Evaluate();
  const double loss = harness.Read(cooler, "q") * 2e5;
  EXPECT_NEAR(loss, 2e5 * 100 / 6e4 * std::sqrt(2), 1e-3 * loss);
  EXPECT_DOUBLE_EQ(harness.Read(cooler, "temperature.ddt"), (5000 + loss) / (200 * 1900));
}

}  // namespace
}  // namespace davit
