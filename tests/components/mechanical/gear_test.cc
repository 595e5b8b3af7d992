#include "components/mechanical/gear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "components/mechanical/inertia.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class GearTest : public testing::Test {
 protected:
  GearTest() {
    harness.Set(gear, "ratio", 50);
    harness.Set(gear, "inertia", 0.2);
    harness.Set(gear, "stiffness", 1e6);
  }
  double Read(std::string_view name) const { return harness.Read(gear, name); }

  ComponentHarness harness;
  Gear& gear = harness.Add<Gear>("gear");
  RotationalBond& fast = harness.Attach<RotationalBond>(gear, "a");
  RotationalBond& slow = harness.Attach<RotationalBond>(gear, "b");
};

TEST_F(GearTest, TurnsTorqueIntoTorqueAndSpeedIntoSpeed) {
  harness.Set(gear, "damping", 1e3);
  harness.SetStart(gear, "twist", 1e-3);
  harness.SetStart(gear, "w", 10);
  fast.c = 7;
  fast.Zc = 0.1;
  fast.added_inertia = 0.3;
  harness.Start();
  slow.w = -0.15;  // w is positive into the gear
  slow.angle = -2;
  harness.Evaluate();
  const double T = 1e6 * 1e-3 + 1e3 * (10.0 / 50 - 0.15);
  EXPECT_DOUBLE_EQ(slow.c, T);
  EXPECT_DOUBLE_EQ(Read("twist.ddt"), 10.0 / 50 - 0.15);
  EXPECT_DOUBLE_EQ(fast.w, -10);
  EXPECT_DOUBLE_EQ(fast.angle, -50 * 2.001);
  EXPECT_DOUBLE_EQ(Read("w.ddt"), (7 - 0.1 * 10 - T / 50) / 0.5);
}

TEST_F(GearTest, PlayCarriesNothingAndTeethNeverPull) {
  harness.Set(gear, "backlash", 2e-3);
  harness.Set(gear, "damping", 1e4);
  harness.SetStart(gear, "twist", 0.9e-3);
  harness.Start();
  EXPECT_EQ(Read("torque"), 0);
  harness.SetStart(gear, "twist", 1.5e-3);
  harness.Start();
  EXPECT_NEAR(Read("torque"), 500, 1e-9);
  slow.w = -1;  // the slow shaft runs away
  harness.Evaluate();
  EXPECT_EQ(Read("torque"), 0);
}

TEST_F(GearTest, TeethAreASpringBetweenTwoInertiasAndLoseNoEnergy) {
  ComponentHarness shafts;
  auto& load = shafts.Add<Inertia>("load");
  auto& teeth = shafts.Add<Gear>("teeth");
  shafts.Set(load, "inertia", 300);
  shafts.Set(teeth, "ratio", 50);
  shafts.Set(teeth, "inertia", 0.2);
  shafts.Set(teeth, "stiffness", 1e6);
  shafts.SetStart(teeth, "twist", 1e-3);
  shafts.Connect(teeth, "b", load, "a");
  shafts.Start();
  const double w = std::sqrt(1e6 * (1 / (0.2 * 2500) + 1.0 / 300));
  const double period = 2 * std::numbers::pi / w;
  shafts.Integrate(0, period / 4000, 10000);  // two periods and a half
  EXPECT_NEAR(shafts.Read(teeth, "twist"), -1e-3, 1e-9);
  shafts.Integrate(0, period / 4000, 1000);  // a quarter more, to where all energy is motion
  const double motion =
      300 * std::pow(shafts.Read(load, "w"), 2) / 2 + 0.2 * std::pow(shafts.Read(teeth, "w"), 2) / 2;
  EXPECT_NEAR(motion, 1e6 * 1e-6 / 2, 1e-9);
  EXPECT_NEAR(300 * shafts.Read(load, "w") + 50 * 0.2 * shafts.Read(teeth, "w"), 0, 1e-9);  // momentum
}

}  // namespace
}  // namespace davit
