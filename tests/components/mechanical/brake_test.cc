#include "components/mechanical/brake.h"

#include <gtest/gtest.h>

#include <cmath>

#include "components/mechanical/inertia.h"
#include "components/mechanical/torque.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

/// A shaft of 2 kg m2 between a torque and a brake of 100 N m.
class BrakeTest : public testing::Test {
 protected:
  BrakeTest() {
    harness.Set(shaft, "inertia", 2);
    harness.Set(brake, "torque", 100);
    harness.Set(brake, "stiffness", 1e4);
    harness.Connect(drive, "port", shaft, "a");
    harness.Connect(brake, "port", shaft, "b");
  }
  void Run(double seconds) {
    harness.Integrate(0, 1e-4, static_cast<std::size_t>(std::lround(seconds * 1e4)));
  }

  ComponentHarness harness;
  Inertia& shaft = harness.Add<Inertia>("shaft");
  Torque& drive = harness.Add<Torque>("drive");
  Brake& brake = harness.Add<Brake>("brake");
};

TEST_F(BrakeTest, HoldsBelowItsTorqueWithoutCreeping) {
  harness.Set(drive, "torque", 80);
  harness.Start();
  Run(20);
  const double angle = harness.Read(shaft, "angle");
  EXPECT_NEAR(harness.Read(brake, "z"), 80 / 1e4, 1e-9);
  Run(60);
  EXPECT_NEAR(harness.Read(shaft, "angle"), angle, 1e-12);
}

TEST_F(BrakeTest, SlipsAtItsTorque) {
  harness.Set(drive, "torque", 150);
  harness.Start();
  Run(2);
  const double w = harness.Read(shaft, "w");
  Run(1);
  EXPECT_NEAR(harness.Read(shaft, "w") - w, (150 - 100) / 2.0 * 1, 1e-6);
}

TEST_F(BrakeTest, StopsATurningShaftAndHoldsItThere) {
  harness.SetStart(shaft, "w", 30);
  harness.Start();
  Run(0.5);
  // 30 rad/s at 50 rad/s2, except for the first deflection.
  EXPECT_NEAR(harness.Read(shaft, "w"), 30 - 0.5 * 50, 0.1);
  Run(20);
  EXPECT_NEAR(harness.Read(shaft, "w"), 0, 1e-9);
}

TEST_F(BrakeTest, OpenItLetsTheShaftTurn) {
  harness.Set(brake, "release", 1);
  harness.Set(drive, "torque", 10);
  harness.SetStart(brake, "engagement", 0);
  harness.Start();
  Run(1);
  EXPECT_NEAR(harness.Read(shaft, "w"), 5, 1e-9);
  EXPECT_EQ(harness.Read(brake, "braking_torque"), 0);
}

TEST_F(BrakeTest, ClosesWithItsTimeConstant) {
  harness.Set(brake, "close_time", 0.2);
  harness.SetStart(brake, "engagement", 0);
  harness.Start();
  Run(0.3);
  EXPECT_NEAR(harness.Read(brake, "engagement"), 1 - std::exp(-1.5), 1e-9);
}

}  // namespace
}  // namespace davit
