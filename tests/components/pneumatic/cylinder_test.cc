#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::HasSubstr;

constexpr double kAirPistonArea = std::numbers::pi / 4 * 0.032 * 0.032;
constexpr double kAirRingArea = kAirPistonArea - std::numbers::pi / 4 * 0.012 * 0.012;

std::string AirCylinderSystem(std::string_view content, std::string_view stop_time = "2 s") {
  return fmt::format(R"(<System name="c" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="1 ms" StopTime="{}">
    <Integration solver="ODE" method="rodas5p" rtol="1e-9" atol="1e-11"/>
  </SimulatorManager>
  {}
</System>)",
                     stop_time, content);
}

/// A supply extends the piston against a spring; the other side is vented.
std::string AgainstASpring(std::string_view options, std::string_view atmosphere = "1 bar") {
  return AirCylinderSystem(fmt::format(R"(
  <pneumatic.Supply name="supply" pressure="6 bar"/><pneumatic.Exhaust name="air" pressure="{1}"/>
  <pneumatic.Orifice name="in"/><pneumatic.Orifice name="out"/>
  <pneumatic.Cylinder name="cylinder" atmospheric_pressure="{1}" {0}><Start x="10 mm"/></pneumatic.Cylinder>
  <mechanical.Mass name="load" mass="2 kg" viscous_friction="80 N.s/m"/>
  <mechanical.Spring name="spring" stiffness="8 kN/m"/><mechanical.Fixed name="wall"/>
  <Connect from="supply.port" to="in.a"/><Connect from="in.b" to="cylinder.a"/>
  <Connect from="cylinder.b" to="out.a"/><Connect from="out.b" to="air.port"/>
  <Connect from="load.a" to="cylinder.rod"/><Connect from="load.b" to="spring.a"/>
  <Connect from="wall.port" to="spring.b"/>)",
                                       options, atmosphere),
                           "6 s");
}

/// At rest p_a Ap - p_b Ar - p_atm (Ap - Ar) is the force of the spring.
TEST(PneumaticCylinderTest, TheForceBalancesAtRest) {
  for (const std::string_view level : {"Ideal", "Standard"}) {
    SystemHarness system(AgainstASpring(fmt::format("level=\"{}\"", level)));
    system.Run();
    EXPECT_NEAR(system.Read("cylinder.p_a"), 6e5, 10) << level;
    EXPECT_NEAR(system.Read("cylinder.p_b"), 1e5, 10) << level;
    EXPECT_NEAR(system.Read("cylinder.force"), 5e5 * kAirPistonArea, 0.05) << level;
    EXPECT_NEAR(system.Read("spring.force"), 5e5 * kAirPistonArea, 0.05) << level;
  }
  SystemHarness high(AgainstASpring("level=\"Ideal\"", "0.6 bar"));
  high.Run();
  EXPECT_NEAR(high.Read("cylinder.force"), 5.4e5 * kAirPistonArea, 0.05);
}

/// Both ports shut, the piston pushed in: p V^n of each chamber stays.
TEST(PneumaticCylinderTest, ShutChambersAreGasSprings) {
  for (const auto& [options, n] : {std::pair{"heat=\"Isothermal\"", 1.0},
                                   std::pair{"heat=\"Polytropic\" polytropic_exponent=\"1.3\"", 1.3},
                                   std::pair{"heat=\"HeatExchange\" heat_transfer=\"0 W/m2/K\"", 1.4}}) {
    SystemHarness system(AirCylinderSystem(fmt::format(R"(
  <pneumatic.Exhaust name="air"/><pneumatic.Orifice name="a" opening="0"/><pneumatic.Orifice name="b" opening="0"/>
  <pneumatic.Cylinder name="cylinder" {}><Start x="50 mm" p_a="4 bar" p_b="3 bar"/></pneumatic.Cylinder>
  <mechanical.VelocitySource name="push" velocity="20 mm/s"/>
  <Connect from="cylinder.a" to="a.a"/><Connect from="a.b" to="air.port"/>
  <Connect from="cylinder.b" to="b.a"/><Connect from="b.b" to="air.port"/>
  <Connect from="push.port" to="cylinder.rod"/>)",
                                                       options)));
    system.RunTo(0.001);
    constexpr double x0 = 0.05;
    const double m = system.Read("cylinder.m_a");
    system.RunTo(2);
    const double x = system.Read("cylinder.x");
    EXPECT_GT(std::abs(x - x0), 0.03);
    const auto pressure = [n = n](double p0, double V0, double V) { return p0 * std::pow(V0 / V, n); };
    EXPECT_NEAR(system.Read("cylinder.p_a"),
                pressure(4e5, 1e-5 + kAirPistonArea * x0, 1e-5 + kAirPistonArea * x), 1)
        << n;
    EXPECT_NEAR(system.Read("cylinder.p_b"),
                pressure(3e5, 1e-5 + kAirRingArea * (0.1 - x0), 1e-5 + kAirRingArea * (0.1 - x)), 1)
        << n;
    EXPECT_NEAR(system.Read("cylinder.m_a"), m, 1e-12 * m);
  }
}

std::string Driven(std::string_view options) {
  return AirCylinderSystem(fmt::format(R"(
  <pneumatic.Supply name="supply" pressure="7 bar"/><pneumatic.Exhaust name="air"/>
  <signal.Pulse name="lever" period="0.8 s" width="0.4 s" low="-1" high="1"/>
  <pneumatic.DirectionalValve name="valve" switching_time="20 ms"/><Route from="lever.y" to="valve.spool"/>
  <pneumatic.Cylinder name="cylinder" {}><Start x="10 mm" p_b="7 bar"/></pneumatic.Cylinder>
  <mechanical.Mass name="load" mass="3 kg"/>
  <Connect from="valve.p" to="supply.port"/><Connect from="valve.a" to="cylinder.a"/>
  <Connect from="valve.b" to="cylinder.b"/><Connect from="valve.exhaust_a" to="air.port"/>
  <Connect from="valve.exhaust_b" to="air.port"/><Connect from="load.a" to="cylinder.rod"/>)",
                                       options));
}

TEST(PneumaticCylinderTest, ItMovesFromStopToStop) {
  for (const std::string_view options : {"stops=\"elastic\"", "stops=\"rigid\""}) {
    SystemHarness system(Driven(options));
    system.RunTo(0.39);
    EXPECT_NEAR(system.Read("cylinder.x"), 0.1, 1e-3) << options;
    EXPECT_NEAR(system.Read("cylinder.v"), 0, 1e-3) << options;
    system.RunTo(0.79);
    EXPECT_NEAR(system.Read("cylinder.x"), 0, 1e-3) << options;
  }
}

TEST(PneumaticCylinderTest, AChangeOfLevelKeepsPressuresAndMotion) {
  for (const std::string_view from : {"Ideal", "Standard", "Advanced"}) {
    for (const std::string_view to : {"Ideal", "Standard", "Advanced"}) {
      if (from == to) continue;
      std::string text = Driven(fmt::format("level=\"{}\"", from));
      text.insert(text.rfind("</System>"),
                  fmt::format("<At time=\"0.05\" set=\"cylinder.level\" value=\"{}\"/>", to));
      SystemHarness switched(text), plain(Driven(fmt::format("level=\"{}\"", from)));
      // The switch acts after the values of 0.05 s; one step later the laws have moved them apart a little.
      switched.RunTo(0.051);
      plain.RunTo(0.051);
      const auto expect_near = [&](const char* name, double tolerance) {
        EXPECT_NEAR(switched.Read(name), plain.Read(name), tolerance) << from << ' ' << to << ' ' << name;
      };
      expect_near("cylinder.p_a", 3e3);
      expect_near("cylinder.p_b", 2e3);
      expect_near("cylinder.x", 5e-5);
      expect_near("cylinder.v", 0.06);
      expect_near("cylinder.m_a", 2e-3 * plain.Read("cylinder.m_a"));
    }
  }
}

TEST(PneumaticCylinderTest, WrongValuesAreReported) {
  const auto faults = [](std::string_view element) {
    std::string text;
    for (const std::string& fault : SystemHarness::FaultsOf(AirCylinderSystem(element))) text += fault + '\n';
    return text;
  };
  EXPECT_THAT(faults("<pneumatic.Cylinder name='c' bore='10 mm' rod='12 mm'/>"),
              HasSubstr("must fit into the barrel"));
  EXPECT_THAT(faults("<pneumatic.Cylinder name='c' static_friction='1 N'/>"),
              HasSubstr("give at least the same"));
  EXPECT_THAT(faults("<pneumatic.Cylinder name='c'><Start T_b='0 K'/></pneumatic.Cylinder>"),
              HasSubstr("give more than 0 K"));
  EXPECT_THAT(faults("<pneumatic.Cylinder name='c' dead_volume='-1 cm3'/>"), HasSubstr("> 0"));
}

}  // namespace
}  // namespace davit
