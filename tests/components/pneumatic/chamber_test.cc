#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double kAirGas = 287, kAirGamma = 1.4, kAirCv = kAirGas / 0.4, kAirCp = 1.4 * kAirCv,
                 kAirRoom = 293.15;

std::string GasSystem(std::string_view content, std::string_view stop_time = "1 s",
                      std::string_view rtol = "1e-10") {
  return fmt::format(R"(<System name="g" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="1 ms" StopTime="{}">
    <Integration solver="ODE" method="rodas5p" rtol="{}" atol="1e-12"/>
  </SimulatorManager>
  {}
</System>)",
                     stop_time, rtol, content);
}

/// A vessel of 1 l at 7 bar and 320 K that is emptied into a vacuum: choked to the end.
std::string Emptied(std::string_view options) {
  return GasSystem(fmt::format(R"(
  <pneumatic.Chamber name="vessel" volume="1 l" {}><Start p="7 bar" T="320 K"/></pneumatic.Chamber>
  <pneumatic.Orifice name="hole" sonic_conductance="1e-8 m3/s/Pa"/>
  <pneumatic.Exhaust name="vacuum" pressure="0 bar"/>
  <Connect from="vessel.port" to="hole.a"/><Connect from="hole.b" to="vacuum.port"/>)",
                               options));
}

constexpr double kStartMass = 7e5 * 1e-3 / (kAirGas * 320);
/// The time in which the first flow would empty the vessel.
double TimeToEmpty() { return kStartMass / (1e-8 * 1.185 * 7e5 * std::sqrt(kAirRoom / 320)); }

TEST(PneumaticChamberTest, IsothermalDischargeIsExponential) {
  SystemHarness system(Emptied("heat=\"Isothermal\""));
  for (const double t : {0.1, 0.5, 1.0}) {
    system.RunTo(t);
    const double expected = 7e5 * std::exp(-t / TimeToEmpty());
    EXPECT_NEAR(system.Read("vessel.p"), expected, 1e-7 * expected);
    EXPECT_EQ(system.Read("vessel.T"), 320);
  }
}

/// mu' = -mu^(1 + (n - 1)/2)/tau, with the mass mu, T = mu^(n - 1), p = mu^n, all over their start.
TEST(PneumaticChamberTest, AdiabaticAndPolytropicDischargeFollowTheirClosedForm) {
  for (const auto& [options, n] : {std::pair{"heat=\"HeatExchange\" heat_transfer=\"0 W/m2/K\"", kAirGamma},
                                   std::pair{"heat=\"Polytropic\" polytropic_exponent=\"1.25\"", 1.25}}) {
    SystemHarness system(Emptied(options));
    for (const double t : {0.1, 0.5, 1.0}) {
      system.RunTo(t);
      const double s = 1 + (n - 1) / 2 * t / TimeToEmpty();
      EXPECT_NEAR(system.Read("vessel.T"), 320 * std::pow(s, -2), 1e-5) << n << ' ' << t;
      const double p = 7e5 * std::pow(s, -2 * n / (n - 1));
      EXPECT_NEAR(system.Read("vessel.p"), p, 1e-7 * p) << n << ' ' << t;
    }
  }
}

/// m cv T = m0 cv T0 + (m - m0) cp Ts: an empty vessel is filled with air of gamma Ts.
TEST(PneumaticChamberTest, FillingAnEmptyVesselHeatsTheAirByGamma) {
  SystemHarness system(GasSystem(R"(
  <pneumatic.Chamber name="vessel" volume="2 l" heat="HeatExchange" heat_transfer="0 W/m2/K">
    <Start p="10 Pa" T="300 K"/></pneumatic.Chamber>
  <pneumatic.Orifice name="hole" sonic_conductance="1e-8 m3/s/Pa"/>
  <pneumatic.Supply name="supply" pressure="7 bar" temperature="290 K"/>
  <Connect from="supply.port" to="hole.a"/><Connect from="hole.b" to="vessel.port"/>)"));
  const double m0 = 10 * 2e-3 / (kAirGas * 300);
  for (const double t : {0.01, 0.1, 1.0}) {
    system.RunTo(t);
    const double m = system.Read("vessel.m");
    EXPECT_NEAR(system.Read("vessel.T"), (m0 * 300 + kAirGamma * 290 * (m - m0)) / m, 1e-5) << t;
    // Choked: the flow is constant, and so is the rise of the pressure, gamma R Ts G/V.
    const double G = 1e-8 * 1.185 * 7e5 * std::sqrt(kAirRoom / 290);
    if (t < 0.15) {
      EXPECT_NEAR(system.Read("vessel.p"), 10 + kAirGamma * kAirGas * 290 * G / 2e-3 * t, 1e-3) << t;
    }
  }
  EXPECT_NEAR(system.Read("vessel.T"), kAirGamma * 290, 0.01);
}

TEST(PneumaticChamberTest, AClosedVesselTakesTheTemperatureOfItsWall) {
  SystemHarness system(GasSystem(R"(
  <pneumatic.Chamber name="vessel" volume="1 l" surface="0.06 m2" level="Standard" heat_transfer="30 W/m2/K">
    <Start p="6 bar" T="350 K"/></pneumatic.Chamber>
  <pneumatic.Orifice name="shut" opening="0"/><pneumatic.Exhaust name="air"/>
  <Connect from="shut.a" to="vessel.port"/><Connect from="shut.b" to="air.port"/>)"));
  const double m = 6e5 * 1e-3 / (kAirGas * 350), tau = m * kAirCv / (30 * 0.06);
  for (const double t : {0.2, 1.0}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("vessel.T"), kAirRoom + (350 - kAirRoom) * std::exp(-t / tau), 1e-6);
    EXPECT_NEAR(system.Read("vessel.m"), m, 1e-15);
  }
}

/// Two vessels, hot and cold, with a mass between them that swings: the flow reverses again and again.
constexpr std::string_view kTwoVessels = R"(
  <pneumatic.Chamber name="hot" volume="1 l" heat="HeatExchange" heat_transfer="0 W/m2/K">
    <Start p="5 bar" T="400 K"/></pneumatic.Chamber>
  <pneumatic.Chamber name="cold" volume="3 l" heat="HeatExchange" heat_transfer="0 W/m2/K">
    <Start p="1 bar" T="250 K"/></pneumatic.Chamber>
  <pneumatic.Orifice name="hole" sonic_conductance="5e-8 m3/s/Pa"/>
  <Connect from="hole.a" to="hot.port"/><Connect from="hole.b" to="cold.port"/>)";

TEST(PneumaticChamberTest, MassAndEnergyOfTwoVesselsAreConserved) {
  SystemHarness system(GasSystem(kTwoVessels, "2 s"));
  const double m = 5e5 * 1e-3 / (kAirGas * 400) + 1e5 * 3e-3 / (kAirGas * 250);
  const double U = (5e5 * 1e-3 + 1e5 * 3e-3) / 0.4;
  for (const double t : {0.01, 0.1, 2.0}) {
    system.RunTo(t);
    EXPECT_NEAR(system.Read("hot.m") + system.Read("cold.m"), m, 1e-12 * m) << t;
    EXPECT_NEAR((system.Read("hot.p") * 1e-3 + system.Read("cold.p") * 3e-3) / 0.4, U, 1e-8 * U) << t;
  }
  EXPECT_NEAR(system.Read("hot.p"), 2e5, 1);
  EXPECT_NEAR(system.Read("cold.p"), 2e5, 1);
  // What is left in the first vessel has expanded: T = T0 (p/p0)^((gamma - 1)/gamma).
  EXPECT_NEAR(system.Read("hot.T"), 400 * std::pow(2e5 / 5e5, 0.4 / 1.4), 1e-3);
}

TEST(PneumaticChamberTest, TheAirThatFlowsBackHasTheTemperatureOfItsSide) {
  // 0.1 s filled from a cold supply, then the supply falls to 0: hot air leaves.
  SystemHarness system(GasSystem(R"(
  <signal.Step name="fall" start_time="0.1 s" before="7e5" after="0"/>
  <pneumatic.Supply name="supply" temperature="280 K"/><Route from="fall.y" to="supply.pressure"/>
  <pneumatic.Orifice name="hole" sonic_conductance="5e-8 m3/s/Pa"/>
  <pneumatic.Chamber name="vessel" volume="1 l" heat="HeatExchange" heat_transfer="0 W/m2/K">
    <Start T="280 K"/></pneumatic.Chamber>
  <Connect from="supply.port" to="hole.a"/><Connect from="hole.b" to="vessel.port"/>)"));
  system.RunTo(0.05);
  EXPECT_NEAR(system.Read("vessel.port[0].H") / system.Read("vessel.port[0].G"), kAirCp * 280, 1e-9);
  system.RunTo(0.2);
  EXPECT_LT(system.Read("hole.G"), 0);
  EXPECT_NEAR(system.Read("vessel.port[0].H") / system.Read("vessel.port[0].G"),
              kAirCp * system.Read("vessel.T"), 1e-9);
  double last = system.Read("vessel.p");
  for (double t = 0.3; t < 1; t += 0.1) {
    system.RunTo(t);
    EXPECT_GE(system.Read("vessel.p"), 0);
    EXPECT_LE(system.Read("vessel.p"), last);
    last = system.Read("vessel.p");
  }
}

TEST(PneumaticChamberTest, AChangeOfTheLawKeepsPressureTemperatureAndMass) {
  const auto run = [](std::string_view from, std::string_view to, double until) {
    SystemHarness system(GasSystem(fmt::format(R"(
  <pneumatic.Supply name="supply"/><pneumatic.Orifice name="hole"/>
  <pneumatic.Chamber name="vessel" volume="1 l" heat="{}"><Start T="330 K"/></pneumatic.Chamber>
  <Connect from="supply.port" to="hole.a"/><Connect from="hole.b" to="vessel.port"/>
  <At time="0.1" set="vessel.heat" value="{}"/>)",
                                               from, to)));
    system.RunTo(until);
    return std::array{system.Read("vessel.p"), system.Read("vessel.T"), system.Read("vessel.m")};
  };
  for (const std::string_view from : {"Isothermal", "Polytropic", "HeatExchange"}) {
    for (const std::string_view to : {"Isothermal", "Polytropic", "HeatExchange"}) {
      if (from == to) continue;
      // The switch acts after the values of 0.1 s: one step later the laws have moved them apart by a part of
      // what the step itself changes.
      const auto before = run(from, from, 0.1), plain = run(from, from, 0.101),
                 switched = run(from, to, 0.101);
      const double change = std::abs(plain[0] - before[0]);
      EXPECT_NEAR(switched[0], plain[0], 0.6 * change) << from << ' ' << to;
      EXPECT_NEAR(switched[1], plain[1], 0.6 * change / plain[0] * plain[1]) << from << ' ' << to;
      EXPECT_NEAR(switched[2], plain[2], 1e-3 * plain[2]) << from << ' ' << to;
      EXPECT_NE(run(from, to, 0.2), run(from, from, 0.2)) << from << ' ' << to;
    }
  }
}

TEST(PneumaticInputTest, WrongValuesAreReportedWithTheRemedy) {
  const auto faults = [](std::string_view element) {
    std::string text;
    for (const std::string& fault : SystemHarness::FaultsOf(GasSystem(element))) text += fault + '\n';
    return text;
  };
  EXPECT_THAT(faults("<pneumatic.Orifice name='o' critical_pressure_ratio='1'/>"),
              AllOf(HasSubstr("critical_pressure_ratio"), HasSubstr(">= 0 and < 1")));
  EXPECT_THAT(faults("<pneumatic.Orifice name='o' critical_pressure_ratio='-0.1'/>"),
              HasSubstr(">= 0 and < 1"));
  EXPECT_THAT(faults("<pneumatic.Orifice name='o' sonic_conductance='0 m3/s/Pa'/>"),
              AllOf(HasSubstr("sonic_conductance"), HasSubstr("> 0")));
  EXPECT_THAT(faults("<pneumatic.Supply name='s' temperature='-5 K'/>"),
              AllOf(HasSubstr("temperature"), HasSubstr("> 0")));
  EXPECT_THAT(faults("<pneumatic.Supply name='s' pressure='-1 bar'/>"),
              AllOf(HasSubstr("pressure"), HasSubstr(">= 0")));
  EXPECT_THAT(faults("<pneumatic.Chamber name='v' volume='-1 l'/>"),
              AllOf(HasSubstr("volume"), HasSubstr("> 0")));
  EXPECT_THAT(faults("<pneumatic.Chamber name='v'><Start T='-3 K'/></pneumatic.Chamber>"), HasSubstr("T"));
  EXPECT_THAT(faults("<pneumatic.Chamber name='v'><Start p='3 bar' m='1 g'/></pneumatic.Chamber>"),
              HasSubstr("given twice"));
}

}  // namespace
}  // namespace davit
