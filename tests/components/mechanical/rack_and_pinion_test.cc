#include "components/mechanical/rack_and_pinion.h"

#include <gtest/gtest.h>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

class RackAndPinionTest : public testing::Test {
 protected:
  RackAndPinionTest() {
    harness.Set(gear, "radius", 0.04);
    harness.Set(gear, "stiffness", 1e6);
    harness.Set(gear, "damping", 200);
  }
  double Read(std::string_view name) const { return harness.Read(gear, name); }
  void Move(double x, double v, double angle, double w) {
    rack.x = x;
    rack.v = v;
    shaft.angle = -angle;  // the bond counts into the gear
    shaft.w = -w;
    harness.Evaluate();
  }

  ComponentHarness harness;
  RackAndPinion& gear = harness.Add<RackAndPinion>("gear");
  TranslationalBond& rack = harness.AttachTranslational(gear, "rack");
  RotationalBond& shaft = harness.Attach<RotationalBond>(gear, "shaft");
};

TEST_F(RackAndPinionTest, ForceTimesRadiusIsTorqueAndNoPowerIsLostButInTheDamping) {
  harness.Start();
  Move(0.1, 0.3, 2.4, 7);
  const double g = 0.1 - 0.04 * 2.4, rate = 0.3 - 0.04 * 7, F = 1e6 * g + 200 * rate;
  EXPECT_NEAR(Read("force"), F, 1e-9 * F);
  EXPECT_NEAR(shaft.c, 0.04 * F, 1e-9 * F);
  EXPECT_NEAR(rack.c * rack.v + shaft.c * shaft.w, F * rate, 1e-9 * F);
}

TEST_F(RackAndPinionTest, PlayCarriesNothing) {
  harness.Set(gear, "backlash", 1e-3);
  harness.Start();
  Move(0.0004, 1, 0, 0);
  EXPECT_EQ(Read("force"), 0);
  Move(0.0007, 0, 0, 0);
  EXPECT_NEAR(Read("force"), 200, 1e-9);
  Move(-0.0007, 0, 0, 0);
  EXPECT_NEAR(Read("torque"), -8, 1e-9);
}

}  // namespace
}  // namespace davit
