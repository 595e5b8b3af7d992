#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

/// A body that is heated and cooled: C T' = P - alpha A (T - T_air).
TEST(ThermalTest, ABodyWarmsUpExponentially) {
  SystemHarness system(
      R"(<System><SimulatorManager TimeStep="1 s" StopTime="1000 s">
           <Integration solver="ODE" rtol="1e-10" atol="1e-10"/></SimulatorManager>
         <thermal.HeatSource name="heater" heat="100 W"/><thermal.Capacity name="body" heat_capacity="2 kJ/K"/>
         <thermal.Convection name="cooling" area="0.5 m2" alpha="20 W/m2/K"/><thermal.Temperature name="air"/>
         <Connect from="heater.port" to="body.port"/><Connect from="cooling.a" to="body.port"/>
         <Connect from="cooling.b" to="air.port"/></System>)");
  for (const double t : {10.0, 100.0, 1000.0}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("body.T"), 293.15 + 10 * (1 - std::exp(-t / 200)), 1e-7) << t;
    EXPECT_EQ(system.Read("heater.T"), system.Read("body.T"));
  }
}

/// What leaves one body arrives in the other: C_a T_a + C_b T_b stays, but for rounding, and the difference
/// of the temperatures decays.
void ExpectSharedHeat(const std::string& text, double tolerance) {
  SystemHarness system(text);
  const double sum = 1000 * 400.0 + 500 * 300.0;
  system.RunTo(200);
  EXPECT_NEAR(1000 * system.Read("a.T") + 500 * system.Read("b.T"), sum, 1e-12 * sum);
  const double end = sum / 1500;
  const double difference = 100 * std::exp(-200 * 5.0 * (1 / 1000.0 + 1 / 500.0));
  EXPECT_NEAR(system.Read("a.T"), end + difference / 3, tolerance * difference);
}

TEST(ThermalTest, TwoBodiesShareTheirHeat) {
  const std::string rest =
      R"(<thermal.Conductance name="wall" conductance="5 W/K"/><Connect from="wall.a" to="a.port"/>
         <Connect from="wall.b" to="b.port"/></System>)";
  ExpectSharedHeat(R"(<System><SimulatorManager TimeStep="1 s" StopTime="200 s">
      <Integration solver="ODE" rtol="1e-10" atol="1e-10"/></SimulatorManager>
      <thermal.Capacity name="a" heat_capacity="1 kJ/K"><Start T="400 K"/></thermal.Capacity>
      <thermal.Capacity name="b" heat_capacity="500 J/K"><Start T="300 K"/></thermal.Capacity>)" +
                       rest,
                   1e-7);
  ExpectSharedHeat(R"(<System><SimulatorManager TimeStep="0.1 s" StopTime="200 s"/>
      <thermal.CapacityC name="a" heat_capacity="1 kJ/K"><Start T="400 K"/></thermal.CapacityC>
      <thermal.CapacityC name="b" heat_capacity="500 J/K"><Start T="300 K"/></thermal.CapacityC>)" +
                       rest,
                   2 * 200 / 66.7 * 0.1 / 66.7);  // first order: h/T a time constant, over three of them
}

}  // namespace
}  // namespace davit
