#include "components/mechanical/planetary_gear.h"

#include <gtest/gtest.h>

#include <cmath>

#include "components/mechanical/inertia.h"
#include "components/mechanical/torque.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

/// Sun and ring are connected with their side b, the carrier with its side a.
class PlanetaryGearTest : public testing::Test {
 protected:
  PlanetaryGearTest() {
    harness.Set(sun, "inertia", 0.5);
    harness.Set(ring, "inertia", 2);
    harness.Set(carrier, "inertia", 3);
    harness.Set(gear, "ratio", 2.5);
    harness.Connect(gear, "sun", sun, "b");
    harness.Connect(gear, "carrier", carrier, "a");
    harness.Connect(drive, "port", sun, "a");
  }
  void Run(double seconds) {
    harness.Integrate(0, 1e-5, static_cast<std::size_t>(std::lround(seconds * 1e5)));
  }
  double Speed(const Inertia& shaft) const { return harness.Read(shaft, "w"); }

  ComponentHarness harness;
  Inertia& sun = harness.Add<Inertia>("sun");
  Inertia& ring = harness.Add<Inertia>("ring");
  Inertia& carrier = harness.Add<Inertia>("carrier");
  PlanetaryGear& gear = harness.Add<PlanetaryGear>("gear");
  Torque& drive = harness.Add<Torque>("drive");
};

TEST_F(PlanetaryGearTest, WithTheRingHeldTheCarrierTurnsSlowlyAndStrongly) {
  harness.Set(drive, "torque", 10);
  harness.Set(gear, "damping", 200);
  harness.Start();
  Run(2);
  const double w = 10 * 2 / (0.5 + 3 / (3.5 * 3.5));
  EXPECT_NEAR(Speed(sun), w, 1e-4 * w);
  EXPECT_NEAR(Speed(carrier), Speed(sun) / 3.5, 1e-6 * w);
  EXPECT_NEAR(harness.Read(carrier, "torque"), 3.5 * harness.Read(gear, "torque"), 1e-9);
}

TEST_F(PlanetaryGearTest, ThreeFreeShaftsFollowTheEquationOfWillis) {
  harness.Connect(gear, "ring", ring, "b");
  harness.Set(drive, "torque", 10);
  harness.Set(gear, "damping", 200);
  harness.Start();
  Run(2);
  // T on the sun, ring and carrier is -T, -2.5 T and 3.5 T.
  const double T = 10 / 0.5 / (1 / 0.5 + 2.5 * 2.5 / 2 + 3.5 * 3.5 / 3);
  EXPECT_NEAR(Speed(sun), 2 * (10 - T) / 0.5, 1e-3);
  EXPECT_NEAR(Speed(ring), 2 * -2.5 * T / 2, 1e-3);
  EXPECT_NEAR(Speed(carrier), 2 * 3.5 * T / 3, 1e-3);
  EXPECT_NEAR(Speed(sun) + 2.5 * Speed(ring), 3.5 * Speed(carrier), 1e-5);
}

TEST_F(PlanetaryGearTest, ADifferentialGivesBothWheelsTheSameTorqueAndLosesNoEnergy) {
  harness.Connect(gear, "ring", ring, "b");
  harness.Set(gear, "ratio", 1);
  harness.Set(gear, "damping", 0);
  harness.SetStart(sun, "w", 7);
  harness.SetStart(ring, "w", -3);
  harness.SetStart(carrier, "w", 1);  // the teeth twist
  harness.Start();
  const auto energy = [&] {
    const double twist = harness.Read(gear, "twist");
    return 0.5 * std::pow(Speed(sun), 2) / 2 + 2 * std::pow(Speed(ring), 2) / 2 +
           3 * std::pow(Speed(carrier), 2) / 2 + 1e5 * twist * twist / 2;
  };
  const double start = energy();
  for (int i = 0; i < 5; ++i) {
    Run(0.0123);
    const double T = harness.Read(gear, "torque");
    EXPECT_GT(std::abs(T), 1);
    EXPECT_DOUBLE_EQ(harness.Read(sun, "torque"), -T);
    EXPECT_DOUBLE_EQ(harness.Read(ring, "torque"), -T);
    EXPECT_DOUBLE_EQ(harness.Read(carrier, "torque"), 2 * T);
    EXPECT_NEAR(energy(), start, 1e-9 * start);
  }
}

TEST_F(PlanetaryGearTest, InThePlayItTransmitsNothing) {
  harness.Set(gear, "backlash", 2e-3);
  harness.SetStart(gear, "twist", 0.9e-3);
  harness.Start();
  EXPECT_EQ(harness.Read(gear, "torque"), 0);
  harness.SetStart(gear, "twist", 1.5e-3);
  harness.Start();
  EXPECT_NEAR(harness.Read(gear, "torque"), 1e5 * 0.5e-3, 1e-9);
}

}  // namespace
}  // namespace davit
