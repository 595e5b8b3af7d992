#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "components/pneumatic/laws/sonic_conductance.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::HasSubstr;

std::string AirValveSystem(std::string_view content) {
  return fmt::format(R"(<System name="v" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="1 ms" StopTime="3 s">
    <Integration solver="ODE" method="rodas5p" rtol="1e-9" atol="1e-11"/>
  </SimulatorManager>
  {}
</System>)",
                     content);
}

/// A valve between a supply of 7 bar, the atmosphere, and outlets that are kept at 3 bar.
std::string KeptOutlets(std::string_view options) {
  return AirValveSystem(fmt::format(R"(
  <pneumatic.Supply name="supply" pressure="7 bar"/><pneumatic.Supply name="a" pressure="3 bar"/>
  <pneumatic.Supply name="b" pressure="3 bar"/><pneumatic.Exhaust name="air"/>
  <pneumatic.DirectionalValve name="valve" sonic_conductance="2e-8 m3/s/Pa"
      exhaust_conductance="3e-8 m3/s/Pa" critical_pressure_ratio="0.5" {}/>
  <Connect from="valve.p" to="supply.port"/><Connect from="valve.a" to="a.port"/><Connect from="valve.b" to="b.port"/>
  <Connect from="valve.exhaust_a" to="air.port"/><Connect from="valve.exhaust_b" to="air.port"/>)",
                                    options));
}

/// Choked flows [kg/s] from the supply into an outlet and from an outlet to its exhaust.
constexpr double kIn = 2e-8 * 1.185 * 7e5, kOut = 3e-8 * 1.185 * 3e5;

TEST(PneumaticValveTest, EveryPositionOpensItsEdges) {
  struct Case {
    std::string_view options;
    double a, b;  // flows out at A and B
  };
  for (const Case& one :
       {Case{"spool=\"1\"", kIn, -kOut}, Case{"spool=\"-1\"", -kOut, kIn}, Case{"spool=\"0\"", 0, 0},
        Case{"spool=\"0\" centre=\"exhausted\"", -kOut, -kOut},
        Case{"spool=\"0\" centre=\"pressurized\"", kIn, kIn},
        Case{"spool=\"0.6\"", kIn / 2, -kOut / 2},  // (0.6 - 0.2)/0.8 of the edges
        Case{"spool=\"0.1\" centre=\"exhausted\"", -kOut / 2, -kOut / 2}, Case{"spool=\"0.1\"", 0, 0},
        Case{"spool=\"0\" positions=\"2\"", -kOut, kIn}, Case{"spool=\"1\" positions=\"2\"", kIn, -kOut},
        Case{"spool=\"1\" stuck_at=\"-1\"", -kOut, kIn}}) {
    SystemHarness system(KeptOutlets(std::string(one.options) + " switching_time=\"0.1 ms\""));
    system.RunTo(0.002);
    EXPECT_NEAR(system.Read("valve.G_a"), one.a, 1e-9 * kIn) << one.options;
    EXPECT_NEAR(system.Read("valve.G_b"), one.b, 1e-9 * kIn) << one.options;
    // What goes in comes out.
    const double sum =
        system.Read("valve.G_p") - system.Read("valve.G_a") - system.Read("valve.G_b") - system.Read("air.G");
    EXPECT_NEAR(sum, 0, 1e-15) << one.options;
  }
}

TEST(PneumaticValveTest, WithoutBItIsA32WayValve) {
  SystemHarness system(AirValveSystem(R"(
  <pneumatic.Supply name="supply" pressure="7 bar"/><pneumatic.Exhaust name="air"/>
  <signal.Step name="lever" start_time="0.5 s" before="1" after="0"/>
  <pneumatic.DirectionalValve name="valve" positions="2"/><Route from="lever.y" to="valve.spool"/>
  <pneumatic.Chamber name="vessel" volume="0.2 l"/>
  <Connect from="valve.p" to="supply.port"/><Connect from="valve.a" to="vessel.port"/>
  <Connect from="valve.exhaust_a" to="air.port"/>)"));
  system.RunTo(0.5);
  EXPECT_NEAR(system.Read("vessel.p"), 7e5, 1);
  system.RunTo(1.5);
  EXPECT_NEAR(system.Read("vessel.p"), 1e5, 1);
  EXPECT_EQ(system.Read("valve.G_p"), 0);
}

/// The spool has gone 1 - exp(-3) of its way after the switching time.
TEST(PneumaticValveTest, TheSpoolTakesItsTime) {
  SystemHarness system(KeptOutlets("spool=\"1\" switching_time=\"30 ms\""));
  system.RunTo(0.03);
  EXPECT_NEAR(system.Read("valve.x"), 1 - std::exp(-3), 1e-7);
}

TEST(PneumaticValveTest, AnExhaustWithoutItsOutletIsReported) {
  const std::vector<std::string> faults = SystemHarness::FaultsOf(AirValveSystem(R"(
  <pneumatic.Supply name="supply"/><pneumatic.Exhaust name="air"/><pneumatic.Chamber name="vessel"/>
  <pneumatic.DirectionalValve name="valve"/>
  <Connect from="valve.p" to="supply.port"/><Connect from="valve.a" to="vessel.port"/>
  <Connect from="valve.exhaust_b" to="air.port"/>)"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0], HasSubstr("connect b, or for a 3/2 way valve leave out both"));
}

std::string Regulated(std::string_view options, std::string_view load) {
  return AirValveSystem(fmt::format(R"(
  <pneumatic.Supply name="supply" pressure="9 bar"/><pneumatic.Exhaust name="air"/>
  <pneumatic.Regulator name="regulator" setting="6 bar" band="0.5 bar" {}/>
  <pneumatic.Chamber name="vessel" volume="0.3 l"/>
  <Connect from="regulator.inlet" to="supply.port"/><Connect from="regulator.outlet" to="vessel.port"/>
  <Connect from="regulator.exhaust" to="air.port"/>{})",
                                    options, load));
}

TEST(PneumaticRegulatorTest, WithoutFlowItHoldsItsSetting) {
  SystemHarness system(Regulated("", ""));
  system.Run();
  EXPECT_NEAR(system.Read("vessel.p"), 6e5, 50);
  EXPECT_LE(system.Read("vessel.p"), 6e5 + 1e-3);
}

/// (setting - p)/band of the conductance feeds what the consumer draws.
TEST(PneumaticRegulatorTest, TheOutletFallsWithTheFlowWithinTheBand) {
  SystemHarness system(Regulated("", R"(<pneumatic.Orifice name="tool" sonic_conductance="1e-8 m3/s/Pa"/>
  <Connect from="tool.a" to="vessel.port"/><Connect from="tool.b" to="air.port"/>)"));
  system.Run();
  const double p = system.Read("vessel.p");
  EXPECT_LT(p, 6e5);
  EXPECT_GT(p, 5.5e5);
  const pneumatic::SonicConductance open{4e-8 * (6e5 - p) / 0.5e5, 0.3, 0.5};
  const double T = system.Read("vessel.T");
  EXPECT_NEAR(open.Flow(9e5, 293.15, p), 1e-8 * 1.185 * p * std::sqrt(293.15 / T), 1e-9);
  EXPECT_NEAR(system.Read("regulator.G"), system.Read("tool.G"), 1e-9);
}

TEST(PneumaticRegulatorTest, ItRelievesWhatIsAboveTheSetting) {
  std::string text = Regulated("", "");
  text.replace(text.find(R"(volume="0.3 l"/>)"), 16,
               R"(volume="0.3 l"><Start p="8 bar"/></pneumatic.Chamber>)");
  SystemHarness system(text);
  system.Run();
  EXPECT_NEAR(system.Read("vessel.p"), 6.1e5, 50);  // the setting and relief_offset
  // Without an exhaust the pressure stays.
  for (const std::string_view part :
       {R"(<Connect from="regulator.exhaust" to="air.port"/>)", R"(<pneumatic.Exhaust name="air"/>)"}) {
    text.replace(text.find(part), part.size(), "");
  }
  SystemHarness shut(text);
  shut.Run();
  EXPECT_NEAR(shut.Read("vessel.p"), 8e5, 1e-6);
}

TEST(PneumaticOrificeTest, ACheckValveInParallelOpensOneWay) {
  for (const auto& [from, C] : {std::pair{"throttle.a", 4e-9 + 3e-8}, std::pair{"throttle.b", 4e-9}}) {
    const std::string_view to = std::string_view(from) == "throttle.a" ? "throttle.b" : "throttle.a";
    SystemHarness system(AirValveSystem(fmt::format(R"(
  <pneumatic.Supply name="supply" pressure="7 bar"/><pneumatic.Exhaust name="air"/>
  <pneumatic.Orifice name="throttle" sonic_conductance="8e-9 m3/s/Pa" opening="0.5" check_conductance="3e-8 m3/s/Pa"/>
  <Connect from="{}" to="supply.port"/><Connect from="{}" to="air.port"/>)",
                                                    from, to)));
    system.RunTo(0.002);
    EXPECT_NEAR(std::abs(system.Read("throttle.G")), C * 1.185 * 7e5, 1e-12) << from;
    EXPECT_NEAR(std::abs(system.Read("throttle.q")), C * 7e5, 1e-12) << from;
  }
}

// The table "discharge of air through an orifice", coefficient 1.0, column of 1 inch (the others are its
// fractions), in ft3/min of free air, with the ambient pressure, temperature and density that it states. Up
// to 12 psi it has the adiabatic formula, from which the ellipse of ISO 6358 differs by up to 0.35 %; above,
// that of S. A. Moss (American Machinist, 20 September 1906), whose constant is 0.28 % below the ideal
// nozzle.
TEST(PneumaticOrificeTest, ANozzleDischargesWhatThePublishedTableSays) {
  constexpr double kPsi = 6894.757, kInch = 0.0254, kFoot3 = 1728 * kInch * kInch * kInch,
                   kAmbient = 14.7 * kPsi, kT = 530 / 1.8, kFreeAir = 0.07494 * 0.45359237 / kFoot3;
  // Of an ideal nozzle: C = A sqrt(k/R (2/(k+1))^((k+1)/(k-1)))/(rho0 sqrt(T0)).
  const double k = Air::kHeatRatio, area = std::numbers::pi / 4 * kInch * kInch,
               C = area * std::sqrt(k / Air::kR * std::pow(2 / (k + 1), (k + 1) / (k - 1))) /
                   (Air::kReferenceDensity * std::sqrt(Air::kReferenceTemperature)),
               b = std::pow(2 / (k + 1), k / (k - 1));
  for (const auto& [gauge, printed] : {std::pair(1, 115),
                                       {2, 162},
                                       {3, 198},
                                       {5, 254},
                                       {7, 300},
                                       {9, 339},
                                       {12, 388},
                                       {15, 430},
                                       {20, 503},
                                       {30, 648},
                                       {50, 938},
                                       {80, 1371},
                                       {100, 1661},
                                       {125, 2023}}) {
    SystemHarness system(AirValveSystem(fmt::format(
        R"(<pneumatic.Supply name="supply" pressure="{} Pa" temperature="{} K"/>
           <pneumatic.Exhaust name="air" pressure="{} Pa"/>
           <pneumatic.Orifice name="nozzle" sonic_conductance="{} m3/s/Pa" critical_pressure_ratio="{}"/>
           <Connect from="nozzle.a" to="supply.port"/><Connect from="nozzle.b" to="air.port"/>)",
        gauge * kPsi + kAmbient, kT, kAmbient, C, b)));
    system.RunTo(0.002);
    EXPECT_NEAR(system.Read("nozzle.G") / kFreeAir / kFoot3 * 60, printed, 0.5 + 0.0035 * printed) << gauge;
  }
}

}  // namespace
}  // namespace davit
