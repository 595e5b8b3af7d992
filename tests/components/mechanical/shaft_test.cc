#include "components/mechanical/shaft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "components/mechanical/inertia.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

/// A shaft between 2 and 3 kg m2.
class ShaftTest : public testing::Test {
 protected:
  ShaftTest() {
    harness.Set(left, "inertia", 2);
    harness.Set(right, "inertia", 3);
    harness.Set(shaft, "stiffness", 1e4);
    harness.Connect(shaft, "a", left, "b");
    harness.Connect(shaft, "b", right, "a");
  }

  ComponentHarness harness;
  Inertia& left = harness.Add<Inertia>("left");
  Inertia& right = harness.Add<Inertia>("right");
  Shaft& shaft = harness.Add<Shaft>("shaft");
};

TEST_F(ShaftTest, TwoInertiasSwingAgainstEachOther) {
  harness.SetStart(left, "angle", 0.01);
  harness.Start();
  const double period = 2 * std::numbers::pi / std::sqrt(1e4 * (1 / 2.0 + 1 / 3.0));
  harness.Integrate(0, period / 2000, 1000);
  const auto twist = [&] { return harness.Read(left, "angle") - harness.Read(right, "angle"); };
  EXPECT_NEAR(twist(), -0.01, 1e-9);
  EXPECT_NEAR(harness.Read(shaft, "torque"), -100, 1e-5);
  EXPECT_NEAR(2 * harness.Read(left, "angle") + 3 * harness.Read(right, "angle"), 0.02, 1e-9);  // momentum
}

TEST_F(ShaftTest, InThePlayBothSidesTurnFreelyThenTheyBounce) {
  harness.Set(shaft, "backlash", 0.2);
  harness.SetStart(left, "w", 1);
  harness.Start();
  harness.Integrate(0, 1e-4, 999);  // 0.1 rad to the flank
  EXPECT_EQ(harness.Read(left, "w"), 1);
  EXPECT_EQ(harness.Read(right, "w"), 0);
  harness.Integrate(0, 1e-5, 10000);
  // An elastic impact; the step over the flank, of width h, costs about v*h of 0.1 rad.
  EXPECT_NEAR(harness.Read(left, "w"), (2 - 3.0) / (2 + 3), 1e-3);
  EXPECT_NEAR(harness.Read(right, "w"), 2 * 2.0 / (2 + 3), 1e-3);
}

TEST_F(ShaftTest, FlanksNeverPull) {
  harness.Set(shaft, "backlash", 0.2);
  harness.Set(shaft, "damping", 1e4);
  harness.SetStart(left, "angle", 0.11);
  harness.SetStart(left, "w", -1);
  harness.Start();
  EXPECT_EQ(harness.Read(shaft, "torque"), 0);
}

}  // namespace
}  // namespace davit
