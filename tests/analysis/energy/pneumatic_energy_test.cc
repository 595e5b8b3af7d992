// The account of compressed air: its available energy, down to the reference atmosphere.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "simulator/energy/energy_balance.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

std::string AirSystem(std::string_view content) {
  return fmt::format(R"(<System name="e" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="1 ms" StopTime="1.6 s">
    <Integration solver="ODE" method="rodas5p" rtol="1e-9" atol="1e-11"/>
  </SimulatorManager>
  {}
</System>)",
                     content);
}

EnergyBalance AirBalance(std::string_view content) {
  SystemHarness system(AirSystem(content));
  EnergyAccounting accounting(system.system(), system.manager());
  system.Run();
  return accounting.Balance();
}

/// A throttle destroys what the air could do: G R T0 ln(p1/p2).
TEST(PneumaticEnergyTest, AThrottleLosesTheAvailablePower) {
  const EnergyBalance balance = AirBalance((R"(
  <pneumatic.Supply name="supply" pressure="6 bar"/><pneumatic.Orifice name="hole"/><pneumatic.Exhaust name="air"/>
  <Connect from="supply.port" to="hole.a"/><Connect from="hole.b" to="air.port"/>)"));
  const double available = 1.6 * 1e-8 * 1.185 * 6e5 * 287 * 293.15 * std::log(6.0);
  EXPECT_NEAR(balance.in, available, 1e-9 * available);
  EXPECT_NEAR(balance.lost, available, 1e-9 * available);
  EXPECT_LT(balance.balance_error(), 1e-9);
}

TEST(PneumaticEnergyTest, TheBalanceOfVesselsClosesInEveryOption) {
  for (const std::string_view heat : {"Isothermal", "Polytropic", "HeatExchange"}) {
    const EnergyBalance balance = AirBalance((fmt::format(R"(
  <pneumatic.Supply name="supply" temperature="310 K"/><pneumatic.Orifice name="in"/>
  <pneumatic.Chamber name="vessel" volume="0.3 l" heat="{0}" surface="0.03 m2"><Start T="280 K"/></pneumatic.Chamber>
  <pneumatic.Orifice name="out" sonic_conductance="5e-9 m3/s/Pa"/>
  <pneumatic.Chamber name="next" volume="0.5 l" heat="{0}"><Start p="3 bar" T="350 K"/></pneumatic.Chamber>
  <Connect from="supply.port" to="in.a"/><Connect from="in.b" to="vessel.port"/>
  <Connect from="out.a" to="vessel.port"/><Connect from="out.b" to="next.port"/>)",
                                                          heat)));
    EXPECT_GT(balance.in, 10) << heat;
    EXPECT_LT(balance.balance_error(), 1e-7) << heat;
    for (const EnergyOf& loss : balance.losses) {
      if (loss.name == "mixing" || loss.name == "throttling") {
        EXPECT_GT(loss.energy, -1e-9) << loss.name;
      }
    }
  }
}

std::string DrivenCylinder(std::string_view options) {
  return fmt::format(R"(
  <pneumatic.Supply name="supply" pressure="7 bar"/><pneumatic.Exhaust name="air"/>
  <signal.Pulse name="lever" period="0.8 s" width="0.4 s" low="-1" high="1"/>
  <pneumatic.DirectionalValve name="valve" switching_time="20 ms"/><Route from="lever.y" to="valve.spool"/>
  <pneumatic.Cylinder name="cylinder" {}><Start x="10 mm" p_b="7 bar"/></pneumatic.Cylinder>
  <mechanical.Mass name="load" mass="3 kg"/>
  <Connect from="valve.p" to="supply.port"/><Connect from="valve.a" to="cylinder.a"/>
  <Connect from="valve.b" to="cylinder.b"/><Connect from="valve.exhaust_a" to="air.port"/>
  <Connect from="valve.exhaust_b" to="air.port"/><Connect from="load.a" to="cylinder.rod"/>)",
                     options);
}

/// At every level, into the stops and out of them, with a leak, and in a thinner atmosphere.
TEST(PneumaticEnergyTest, TheBalanceOfACylinderCloses) {
  for (const std::string_view options :
       {"level=\"Ideal\"", "level=\"Standard\" leak_conductance=\"2e-9 m3/s/Pa\"", "level=\"Advanced\"",
        "level=\"Standard\" atmospheric_pressure=\"0.8 bar\"", "heat=\"Polytropic\""}) {
    const EnergyBalance balance = AirBalance(DrivenCylinder(options));
    EXPECT_GT(balance.in, 100) << options;
    EXPECT_LT(balance.balance_error(), 1e-6) << options;
    EXPECT_EQ(balance.unaccounted, 0) << options;
  }
}

TEST(PneumaticEnergyTest, TheBalanceOfATubeCloses) {
  for (const std::string_view level : {"Ideal", "Standard", "Advanced"}) {
    const EnergyBalance balance = AirBalance(fmt::format(R"(
  <pneumatic.Tube name="tube" length="3 m" level="{}"/>
  <pneumatic.Supply name="supply" pressure="7 bar"/><pneumatic.Exhaust name="air"/>
  <pneumatic.Orifice name="in" sonic_conductance="5e-8 m3/s/Pa"/>
  <pneumatic.Orifice name="out" sonic_conductance="5e-8 m3/s/Pa"/>
  <Connect from="supply.port" to="in.a"/><Connect from="in.b" to="tube.a"/>
  <Connect from="tube.b" to="out.a"/><Connect from="out.b" to="air.port"/>)",
                                                         level));
    EXPECT_GT(balance.in, 10) << level;
    EXPECT_LT(balance.balance_error(), 1e-6) << level;
    EXPECT_EQ(balance.unaccounted, 0) << level;
  }
}

}  // namespace
}  // namespace davit
