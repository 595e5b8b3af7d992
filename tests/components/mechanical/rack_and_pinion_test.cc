#include "components/mechanical/rack_and_pinion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/component_harness.h"
#include "tests/support/system_harness.h"

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

// Law: a rotary actuator of a cylinder turns by the volume over (area times radius) and gives the torque
// (p_a - p_b) times area times radius. The teeth give way by force/stiffness.
TEST(RotaryActuatorTest, TurnsByItsVolumePerRadian) {
  SystemHarness system(R"(<System name="rotary" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="6 s"><Integration method="rodas5p" rtol="1e-8" atol="1e-10"/></SimulatorManager>
  <hydraulic.FlowSource name="pump" flow="3 l/min"/>
  <hydraulic.Volume name="line" volume="0.5 l"/><hydraulic.Tank name="tank"/>
  <hydraulic.Cylinder name="cylinder" bore="60 mm" rod="1 mm" stroke="0.15 m" rod_mass="2 kg" level="Ideal"><Start x="0 m"/></hydraulic.Cylinder>
  <mechanical.Mass name="piston" mass="3 kg" viscous_friction="2e4 N.s/m"/>
  <mechanical.RackAndPinion name="gear" radius="40 mm" damping="2e4 N.s/m"/>
  <mechanical.Inertia name="arm" inertia="2 kg.m2"/>
  <mechanical.Torque name="load" torque="-100 N.m"/>
  <Connect from="pump.port" to="line.port"/><Connect from="cylinder.a" to="line.port"/><Connect from="cylinder.b" to="tank.port"/>
  <Connect from="cylinder.rod" to="piston.a"/><Connect from="gear.rack" to="piston.b"/>
  <Connect from="gear.shaft" to="arm.a"/><Connect from="load.port" to="arm.a"/>
</System>)");
  system.RunTo(4);
  const double area = std::numbers::pi / 4 * 0.06 * 0.06;
  EXPECT_NEAR(system.Read("arm.w"), 3e-3 / 60 / (area * 0.04), 1e-4 * system.Read("arm.w"));
  EXPECT_NEAR(system.Read("gear.torque"), 100, 0.1);
  const double friction = 2e4 * system.Read("piston.v");
  EXPECT_NEAR(system.Read("line.p") * area, 100 / 0.04 + friction, 0.001 * 2500);
  EXPECT_NEAR(system.Read("piston.x") - 0.04 * system.Read("arm.angle"), 100 / 0.04 / 1e8, 1e-7);
}

}  // namespace
}  // namespace davit
