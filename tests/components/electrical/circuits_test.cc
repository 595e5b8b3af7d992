// Circuits of several components against their closed solutions, in ODE, DAE and TLM networks.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

std::string System(const std::string& manager, const std::string& content) {
  return "<System><SimulatorManager " + manager + "</SimulatorManager>" + content + "</System>";
}

/// u = U (1 - exp(-t/(R C)))
TEST(CircuitsTest, ACapacitorChargesThroughAResistor) {
  SystemHarness system(
      System(R"(TimeStep="1 ms" StopTime="50 ms"><Integration solver="ODE" rtol="1e-10" atol="1e-10"/>)",
             R"(<electrical.VoltageSource name="source" voltage="12 V"/>
         <electrical.Resistor name="resistor" resistance="10 ohm"/>
         <electrical.Capacitor name="capacitor" capacitance="1 mF"/>
         <Connect from="resistor.a" to="source.port"/><Connect from="resistor.b" to="capacitor.port"/>)"));
  for (const double t : {0.005, 0.01, 0.05}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("capacitor.u"), 12 * (1 - std::exp(-t / 0.01)), 1e-8) << t;
    EXPECT_NEAR(system.Read("resistor.P"), 14.4 * std::exp(-2 * t / 0.01), 1e-7) << t;
  }
}

/// L and C alone: the energy L i^2/2 + C u^2/2 stays, the period is 2 pi sqrt(L C).
TEST(CircuitsTest, ACoilAndACapacitorSwing) {
  SystemHarness system(
      System(R"(TimeStep="1 ms" StopTime="1 s"><Integration solver="ODE" rtol="1e-11" atol="1e-11"/>)",
             R"(<electrical.Ground name="ground"/><electrical.Inductor name="coil" inductance="10 mH"/>
         <electrical.Capacitor name="capacitor" capacitance="1 mF"><Start u="5 V"/></electrical.Capacitor>
         <Connect from="coil.a" to="capacitor.port"/><Connect from="coil.b" to="ground.port"/>)"));
  const double w = 1 / std::sqrt(10e-3 * 1e-3);
  for (const double t : {0.01, 0.1, 1.0}) {
    system.RunTo(t);
    const double u = system.Read("capacitor.u"), i = system.Read("coil.i");
    EXPECT_NEAR(u, 5 * std::cos(w * t), 1e-7) << t;
    EXPECT_NEAR(10e-3 * i * i / 2 + 1e-3 * u * u / 2, 1e-3 * 25 / 2, 1e-10) << t;
  }
}

/// Resistors that meet without capacitance: Kirchhoff's law, solved by IDA.
TEST(CircuitsTest, AJunctionDividesTheVoltage) {
  SystemHarness system(
      System(R"(TimeStep="1 ms" StopTime="10 ms"><Integration solver="DAE"/>)",
             R"(<electrical.VoltageSource name="source" voltage="12 V"/><electrical.Ground name="ground"/>
         <electrical.Resistor name="r1" resistance="10 ohm"/><electrical.Resistor name="r2" resistance="20 ohm"/>
         <electrical.Resistor name="r3" resistance="20 ohm"/><electrical.Junction name="node"/>
         <Connect from="r1.a" to="source.port"/><Connect from="r1.b" to="node.port"/>
         <Connect from="r2.a" to="node.port"/><Connect from="r2.b" to="ground.port"/>
         <Connect from="r3.a" to="node.port"/><Connect from="r3.b" to="ground.port"/>)"));
  system.Run();
  EXPECT_NEAR(system.Read("node.u"), 6, 1e-6);
  EXPECT_NEAR(system.Read("r1.i"), 0.6, 1e-6);
}

/// Two TLM nodes share a charge through a resistor: u = u_end + (u_0 - u_end) exp(-2 t/(R C)), and not a
/// coulomb is lost. The wave variables are of first order here: half the TimeStep gives half the error.
double ErrorOfSharedCharge(const std::string& time_step) {
  SystemHarness system(
      System("TimeStep=\"" + time_step + "\" StopTime=\"10 ms\">",
             R"(<electrical.CapacitorC name="a" capacitance="1 mF"><Start u="10 V"/></electrical.CapacitorC>
         <electrical.Resistor name="resistor" resistance="10 ohm"/>
         <electrical.CapacitorC name="b" capacitance="1 mF"/>
         <Connect from="resistor.a" to="a.port"/><Connect from="resistor.b" to="b.port"/>)"));
  system.Run();
  EXPECT_NEAR(system.Read("a.u") + system.Read("b.u"), 10, 1e-12);
  return std::abs(system.Read("a.u") - 5 * (1 + std::exp(-2 * 0.01 / 0.01)));
}

TEST(CircuitsTest, TlmNodesShareTheirCharge) {
  const double coarse = ErrorOfSharedCharge("0.1 ms"), fine = ErrorOfSharedCharge("0.05 ms");
  EXPECT_LT(fine, 5 * 2 * 0.05 / 10 * 2);  // h/(R C/2) of 5 V, and as much again
  EXPECT_NEAR(coarse / fine, 2, 0.2);
}

/// A motor between fixed steps: the same steady state as in an island. After 6 s, 18 times the time constant
/// J R/k^2 of 1/3 s, a share of 1e-8 of the run-up is left.
TEST(CircuitsTest, AMotorRunsBetweenTlmNodes) {
  SystemHarness system(
      System(R"(TimeStep="0.1 ms" StopTime="6 s">)",
             R"(<electrical.VoltageSource name="source" voltage="48 V"/><electrical.Ground name="ground"/>
         <electrical.Resistor name="cable" resistance="0.05 ohm"/>
         <electrical.CapacitorC name="filter" capacitance="10 mF"/>
         <electrical.DcMotor name="motor" level="Ideal"/>
         <mechanical.ShaftC name="shaft" stiffness="1e4 N.m/rad" damping="0.1 N.m.s/rad"/>
         <mechanical.Inertia name="rotor" inertia="0.01 kg.m2"/><mechanical.Inertia name="drum" inertia="0.02 kg.m2"/>
         <mechanical.Torque name="load" torque="-6 N.m"/>
         <thermal.CapacityC name="case" heat_capacity="10 kJ/K"/>
         <thermal.Conductance name="wall" conductance="2 W/K"/><thermal.Temperature name="air"/>
         <Connect from="cable.a" to="source.port"/><Connect from="cable.b" to="filter.port"/>
         <Connect from="motor.a" to="filter.port"/><Connect from="motor.b" to="ground.port"/>
         <Connect from="motor.shaft" to="rotor.a"/><Connect from="rotor.b" to="shaft.a"/>
         <Connect from="shaft.b" to="drum.a"/><Connect from="load.port" to="drum.a"/>
         <Connect from="motor.heat" to="case.port"/><Connect from="wall.a" to="case.port"/>
         <Connect from="wall.b" to="air.port"/>)"));
  system.Run();
  EXPECT_NEAR(system.Read("motor.i"), 40, 1e-3);
  EXPECT_NEAR(system.Read("drum.w"), (48 - 0.25 * 40) / 0.15, 1e-2);
  EXPECT_GT(system.Read("case.T"), 293.15);
}

}  // namespace
}  // namespace davit
