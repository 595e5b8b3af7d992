#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "components/pneumatic/laws/tube_law.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

std::string TubeSystem(std::string_view options, std::string_view rest) {
  return fmt::format(R"(<System name="t" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="0.2 ms" StopTime="1 s">
    <Integration solver="ODE" method="rodas5p" rtol="1e-9" atol="1e-11"/>
  </SimulatorManager>
  <pneumatic.Tube name="tube" length="3 m" diameter="4 mm" {}</pneumatic.Tube>
  {}
</System>)",
                     options, rest);
}

/// Between wide orifices, from 7 bar to the atmosphere.
constexpr std::string_view kThrough = R"(
  <pneumatic.Supply name="supply" pressure="7 bar"/><pneumatic.Exhaust name="air"/>
  <pneumatic.Orifice name="in" sonic_conductance="5e-8 m3/s/Pa"/><pneumatic.Orifice name="out" sonic_conductance="5e-8 m3/s/Pa"/>
  <Connect from="supply.port" to="in.a"/><Connect from="in.b" to="tube.a"/>
  <Connect from="tube.b" to="out.a"/><Connect from="out.b" to="air.port"/>)";

TEST(PneumaticTubeTest, TheSteadyFlowIsThatOfItsConductance) {
  const pneumatic::SonicConductance law = pneumatic::TubeConductance(3, 4e-3, 0.02, 1.5);
  for (const auto& [options, tolerance] : {std::pair{"heat=\"Isothermal\">", 1e-6},
                                           std::pair{"heat=\"Isothermal\" inertia=\"Column\">", 0.01}}) {
    SystemHarness system(TubeSystem(options, kThrough));
    system.Run();
    const double G = law.Flow(system.Read("tube.p_a"), 293.15, system.Read("tube.p_b"));
    EXPECT_NEAR(system.Read("tube.G"), G, tolerance * G);
    EXPECT_NEAR(system.Read("in.G"), G, 2 * tolerance * G);
    EXPECT_NEAR(system.Read("out.G"), G, 2 * tolerance * G);
    // One behind the other by ISO 6358-3, with what the rule neglects.
    const pneumatic::SonicConductance end{5e-8, 0.3, 0.5};
    const pneumatic::SonicConductance all = pneumatic::InSeries(pneumatic::InSeries(end, law), end);
    EXPECT_NEAR(all.Flow(7e5, 293.15, 1e5), G, 0.05 * G);
  }
}

constexpr std::string_view kShut = R"(
  <pneumatic.Exhaust name="air"/><pneumatic.Orifice name="a" opening="0"/><pneumatic.Orifice name="b" opening="0"/>
  <Connect from="tube.a" to="a.a"/><Connect from="a.b" to="air.port"/>
  <Connect from="tube.b" to="b.a"/><Connect from="b.b" to="air.port"/>)";

/// A shut tube swings with w = (4 n R T)^(1/2)/length, from one end to the other in pi/2 length/(n R
/// T)^(1/2).
TEST(PneumaticTubeTest, TheColumnSwingsWithTheSpeedOfSound) {
  const double m = 5e5 * std::numbers::pi / 4 * 16e-6 * 1.5 / (287 * 293.15);
  for (const auto& [heat, n] : {std::pair{"Isothermal", 1.0}, std::pair{"Polytropic", 1.4}}) {
    SystemHarness system(
        TubeSystem(fmt::format(R"(heat="{}" polytropic_exponent="1.4" inertia="Column" friction_factor="1e-4">
                    <Start m_a="{:.17g} kg" m_b="{:.17g} kg"/>)",
                               heat, 1.001 * m, 0.999 * m),
                   kShut));
    const double half = std::numbers::pi * 3 / std::sqrt(4 * n * 287 * 293.15);
    double t = 0, last = 1;
    while (last > 0) {  // until both pressures are equal: a quarter of the period
      t += 2e-4;
      system.RunTo(t);
      last = system.Read("tube.p_a") - system.Read("tube.p_b");
    }
    EXPECT_NEAR(t, half / 2, 4e-4) << heat;
    EXPECT_NEAR(system.Read("tube.m_a") + system.Read("tube.m_b"), 2 * m, 1e-12 * m);
  }
}

TEST(PneumaticTubeTest, AChangeOfLevelKeepsPressuresAndFlow) {
  for (const std::string_view from : {"Ideal", "Standard", "Advanced"}) {
    for (const std::string_view to : {"Ideal", "Standard", "Advanced"}) {
      if (from == to) continue;
      const std::string options = fmt::format("level=\"{}\">", from);
      std::string text = TubeSystem(options, kThrough);
      text.insert(text.rfind("</System>"),
                  fmt::format("<At time=\"0.01\" set=\"tube.level\" value=\"{}\"/>", to));
      SystemHarness switched(text), plain(TubeSystem(options, kThrough));
      // The switch acts after the values of 0.01 s; one step of 0.2 ms later the laws have moved them apart a
      // little.
      switched.RunTo(0.0102);
      plain.RunTo(0.0102);
      for (const char* name : {"tube.p_a", "tube.p_b", "tube.m_a", "tube.T_b", "tube.G"}) {
        const double value = plain.Read(name);
        EXPECT_NEAR(switched.Read(name), value, 4e-3 * std::abs(value)) << from << ' ' << to << ' ' << name;
      }
    }
  }
}

}  // namespace
}  // namespace davit
