#include "components/mechanical/clutch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "components/mechanical/inertia.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

/// A clutch of 100 N m between a turning shaft of 2 kg m2 and one of 3 kg m2 at rest.
class ClutchTest : public testing::Test {
 protected:
  ClutchTest() {
    harness.Set(driving, "inertia", 2);
    harness.Set(driven, "inertia", 3);
    harness.SetStart(driving, "w", 50);
    harness.Set(clutch, "torque", 100);
    harness.Set(clutch, "stiffness", 1e4);
    harness.Set(clutch, "damping", 20);
    harness.SetStart(clutch, "engagement", 1);
    harness.Connect(clutch, "a", driving, "b");
    harness.Connect(clutch, "b", driven, "a");
  }
  void Run(double seconds) {
    harness.Integrate(0, 1e-4, static_cast<std::size_t>(std::lround(seconds * 1e4)));
  }

  ComponentHarness harness;
  Inertia& driving = harness.Add<Inertia>("driving");
  Inertia& driven = harness.Add<Inertia>("driven");
  Clutch& clutch = harness.Add<Clutch>("clutch");
};

TEST_F(ClutchTest, SlippingItTransmitsItsTorque) {
  harness.Start();
  Run(0.1);
  const double fast = harness.Read(driving, "w"), slow = harness.Read(driven, "w");
  Run(0.2);
  EXPECT_NEAR(harness.Read(driving, "w") - fast, -0.2 * 100 / 2, 1e-6);
  EXPECT_NEAR(harness.Read(driven, "w") - slow, 0.2 * 100 / 3, 1e-6);
  EXPECT_NEAR(harness.Read(clutch, "heat"), 100 * harness.Read(clutch, "slip_speed"), 1e-6);
}

TEST_F(ClutchTest, BothShaftsEndAtTheSpeedOfTheirCommonMomentum) {
  harness.Start();
  Run(3);  // they slip for 50/(100/2 + 100/3) s
  EXPECT_NEAR(harness.Read(driving, "w"), 2 * 50 / 5.0, 1e-6);
  EXPECT_NEAR(harness.Read(driven, "w"), 2 * 50 / 5.0, 1e-6);
}

TEST_F(ClutchTest, OpenItTransmitsNothing) {
  harness.Set(clutch, "engage", 0);
  harness.SetStart(clutch, "engagement", 0);
  harness.Start();
  Run(1);
  EXPECT_EQ(harness.Read(driving, "w"), 50);
  EXPECT_EQ(harness.Read(driven, "w"), 0);
}

TEST_F(ClutchTest, HalfEngagedItTransmitsHalfOfItsTorque) {
  harness.Set(clutch, "engage", 0.5);
  harness.SetStart(clutch, "engagement", 0.5);
  harness.Set(clutch, "engage_time", 1e3);  // in which an open contact forgets
  harness.Start();
  Run(0.5);
  EXPECT_NEAR(harness.Read(clutch, "transmitted_torque"), 50, 0.01);
}

}  // namespace
}  // namespace davit
