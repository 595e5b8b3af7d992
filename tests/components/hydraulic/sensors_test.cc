// Sensors of pressure, flow, position and speed: they measure, and change nothing.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/test_system.h"

namespace davit {
namespace {

std::string Circuit(bool has_sensors, std::string_view volume) {
  const std::string kind(volume);
  return SystemText(
      "TimeStep='1 ms' StopTime='0.2 s'", "method='rosenbrock4' rtol='1e-9'",
      "<signal.Sine name='sine' amplitude='1e-4' offset='4e-4' frequency='40 rad/s'/><hydraulic.FlowSource "
      "name='source'/>"
      "<Route from='sine.y' to='source.flow'/><hydraulic." +
          kind + " name='volume' volume='1 l'><Start p='50 bar'/></hydraulic." + kind +
          "><hydraulic.Orifice name='orifice' area='5 mm2'/><hydraulic.Tank name='tank'/>"
          "<Connect from='source.port' to='volume.port'/><Connect from='orifice.b' to='tank.port'/>" +
          (has_sensors ? "<hydraulic.PressureSensor name='p'/><hydraulic.FlowSensor name='q'/>"
                         "<Connect from='p.port' to='volume.port'/><Connect from='q.inlet' to='volume.port'/>"
                         "<Connect from='q.outlet' to='orifice.a'/>"
                       : "<Connect from='orifice.a' to='volume.port'/>"));
}

TEST(SensorsTest, TellPressureAndFlowAndChangeNothing) {
  TestSystem without(Circuit(false, "Volume"));
  TestSystem with(Circuit(true, "Volume"));
  without.manager().Initialize();
  with.manager().Initialize();
  for (const double t : {0.05, 0.1, 0.2}) {
    without.manager().RunUntil(t);
    with.manager().RunUntil(t);
    EXPECT_EQ(with.Read("volume.p"), without.Read("volume.p")) << t;
    EXPECT_EQ(with.Read("orifice.q"), without.Read("orifice.q")) << t;
    EXPECT_EQ(with.Read("p.p"), with.Read("volume.p")) << t;
    EXPECT_EQ(with.Read("q.q"), with.Read("orifice.q")) << t;
    EXPECT_EQ(with.Read("q.p"), with.Read("volume.p")) << t;
  }
}

TEST(SensorsTest, PassTheWavesOfADelayedVolume) {
  TestSystem with(Circuit(true, "VolumeC"));
  with.Run();
  // What the sensor measures is the pressure behind the impedance of the volume, as the orifice feels it.
  EXPECT_NEAR(with.Read("q.p"), with.Read("orifice.dp"), 1e-9 * with.Read("q.p"));
  EXPECT_EQ(with.Read("q.q"), with.Read("orifice.q"));
}

TEST(SensorsTest, PositionIsThatOfTheMass) {
  TestSystem system(SystemText(
      "TimeStep='1 ms' StopTime='1 s'", "method='runge_kutta_dopri5'",
      "<mechanical.Mass name='mass' mass='2 kg'><Start x='0.1 m' v='0.5 m/s'/></mechanical.Mass>"
      "<mechanical.Spring name='spring' stiffness='50 N/m'/><mechanical.Fixed name='wall'/>"
      "<mechanical.PositionSensor name='along' zero='1 m'/><mechanical.PositionSensor name='against'/>"
      "<Connect from='wall.port' to='spring.a'/><Connect from='spring.b' to='mass.a'/>"
      "<Connect from='along.port' to='mass.b'/><Connect from='against.port' to='mass.a'/>"));
  system.Run();
  EXPECT_EQ(system.Read("along.y"), system.Read("mass.x") - 1);
  EXPECT_EQ(system.Read("along.v"), system.Read("mass.v"));
  EXPECT_EQ(system.Read("against.y"), -system.Read("mass.x"));
  EXPECT_EQ(system.Read("against.v"), -system.Read("mass.v"));
}

TEST(SensorsTest, SpeedIsThatOfTheInertia) {
  TestSystem system(SystemText(
      "TimeStep='1 ms' StopTime='1 s'", "method='runge_kutta_dopri5'",
      "<mechanical.Torque name='torque' torque='3 N.m'/><mechanical.Inertia name='wheel' inertia='2 kg.m2'>"
      "<Start w='5 rad/s'/></mechanical.Inertia>"
      "<mechanical.SpeedSensor name='along'/><mechanical.SpeedSensor name='against'/>"
      "<Connect from='torque.port' to='wheel.a'/><Connect from='along.port' to='wheel.b'/>"
      "<Connect from='against.port' to='wheel.a'/>"));
  system.Run();
  EXPECT_NEAR(system.Read("along.y"), 5 + 3.0 / 2, 1e-9);
  EXPECT_EQ(system.Read("along.y"), system.Read("wheel.w"));
  EXPECT_EQ(system.Read("along.angle"), system.Read("wheel.angle"));
  EXPECT_EQ(system.Read("against.y"), -system.Read("wheel.w"));
}

}  // namespace
}  // namespace davit
