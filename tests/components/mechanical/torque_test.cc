#include "components/mechanical/torque.h"

#include <gtest/gtest.h>

#include "components/mechanical/inertia.h"
#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

TEST(TorqueTest, DrivesTheInertiaAwayFromItself) {
  for (const auto& [side, sign] : {std::pair{"a", 1.0}, {"b", -1.0}}) {
    ComponentHarness harness;
    auto& torque = harness.Add<Torque>("motor");
    auto& inertia = harness.Add<Inertia>("rotor");
    harness.Connect(torque, "port", inertia, side);
    harness.Set(inertia, "inertia", 4);
    harness.Set(torque, "torque", 12);
    harness.Start();
    EXPECT_EQ(harness.Read(inertia, "acceleration"), sign * 3);
  }
}

TEST(TorqueTest, ActsWithFixedStepsBesideAShaft) {
  // Both rotors together: 5 kg m2 under 10 N m. The shaft adds 2 h d, twice what its damper feels late.
  TestSystem system(SystemText("TimeStep='1 ms' StopTime='3 s'", "", R"(
    <mechanical.Torque name="motor" torque="10 Nm"/>
    <mechanical.Inertia name="drive" inertia="2 kg.m2"/>
    <mechanical.ShaftC name="shaft" stiffness="1000 N.m/rad" damping="5 N.m.s/rad"/>
    <mechanical.Inertia name="load" inertia="3 kg.m2"/>
    <Connect from="motor.port" to="drive.a"/>
    <Connect from="drive.b" to="shaft.a"/>
    <Connect from="shaft.b" to="load.a"/>)"));
  system.Run();
  EXPECT_EQ(system.manager().islands().size(), 0U);
  EXPECT_NEAR(2 * system.Read("drive.w") + 3 * system.Read("load.w"), 30 / (1 + 0.01 / 5), 0.02);
  EXPECT_NEAR(system.Read("shaft.torque"), 3 * 10.0 / 5, 0.02);
}

}  // namespace
}  // namespace davit
