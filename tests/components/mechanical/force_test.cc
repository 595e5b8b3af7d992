#include "components/mechanical/force.h"

#include <gtest/gtest.h>

#include <cmath>

#include "components/mechanical/mass.h"
#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

TEST(ForceTest, PushesTheMassAwayFromItself) {
  for (const auto& [side, sign] : {std::pair{"a", 1.0}, {"b", -1.0}}) {
    ComponentHarness harness;
    auto& force = harness.Add<Force>("force");
    auto& mass = harness.Add<Mass>("mass");
    harness.Connect(force, "port", mass, side);
    harness.Set(mass, "mass", 4);
    harness.Set(force, "force", 12);
    harness.Start();
    EXPECT_EQ(harness.Read(mass, "acceleration"), sign * 3);
    harness.Set(force, "force", -12);
    harness.Evaluate();
    EXPECT_EQ(harness.Read(mass, "acceleration"), sign * -3);
  }
}

TEST(ForceTest, ActsWithFixedStepsBesideASpring) {
  // A constant force on a mass at a spring: x = F/k (1 - cos(w t)), w = 10 rad/s.
  TestSystem system(SystemText("TimeStep='1 ms' StopTime='1 s'", "", R"(
    <mechanical.Force name="push" force="8 N"/>
    <mechanical.Mass name="load" mass="2 kg"/>
    <mechanical.SpringC name="spring" stiffness="200 N/m"/>
    <mechanical.Fixed name="wall"/>
    <Connect from="push.port" to="load.a"/>
    <Connect from="load.b" to="spring.a"/>
    <Connect from="spring.b" to="wall.port"/>)"));
  system.Run();
  EXPECT_TRUE(system.manager().islands().empty());
  EXPECT_NEAR(system.Read("load.x"), 8.0 / 200 * (1 - std::cos(10.0)), 1e-5);
}

}  // namespace
}  // namespace davit
