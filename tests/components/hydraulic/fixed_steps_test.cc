// Filter, cooler, restriction and the valves with a spool or piston between TLM volumes: with fixed steps
// they come to what a solver with error control finds between volumes with a pressure as state.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>

#include "tests/support/test_system.h"

namespace davit {
namespace {

std::string Circuit(const std::string& volume, const std::string& manager, const std::string& integration) {
  const std::string text =
      R"(<signal.Sine name="flow" amplitude="3e-4" offset="7e-4" frequency="40 rad/s"/>
  <hydraulic.FlowSource name="source"/><Route from="flow.y" to="source.flow"/>
  <hydraulic.VOLUME name="v1" volume="1 l"/>
  <hydraulic.ReliefValve name="relief" dynamics="first_order" set_pressure="100 bar" seat_diameter="8 mm"/>
  <hydraulic.VOLUME name="v2" volume="1 l"/>
  <hydraulic.Cooler name="cooler"/>
  <hydraulic.VOLUME name="v3" volume="1 l"/>
  <hydraulic.Filter name="filter" clogging="0.8"/>
  <hydraulic.VOLUME name="v4" volume="1 l"/>
  <hydraulic.Restriction name="hole" law="AnnularGap" diameter="50 mm" clearance="0.1 mm" length="5 mm"/>
  <hydraulic.Tank name="tank"/>
  <hydraulic.CounterbalanceValve name="cbv" level="Standard" piston="SecondOrder" leakage="Gap"/>
  <Connect from="source.port" to="v1.port"/><Connect from="relief.in" to="v1.port"/>
  <Connect from="relief.out" to="v2.port"/>
  <Connect from="cooler.a" to="v2.port"/><Connect from="cooler.b" to="v3.port"/>
  <Connect from="filter.a" to="v3.port"/><Connect from="filter.b" to="v4.port"/>
  <Connect from="hole.a" to="v4.port"/><Connect from="hole.b" to="tank.port"/>
  <Connect from="cbv.a" to="tank.port"/><Connect from="cbv.c" to="v4.port"/><Connect from="cbv.pilot" to="v1.port"/>)";
  return SystemText(manager, integration, std::regex_replace(text, std::regex("VOLUME"), volume));
}

TEST(FixedStepsTest, ComeToTheSolutionAsTheStepGetsShorter) {
  TestSystem exact(Circuit("Volume", "TimeStep='1 ms' StopTime='0.3 s'", "method='rosenbrock4' rtol='1e-9'"));
  exact.Run();
  double before = 0;
  for (const char* h : {"0.4 ms", "0.1 ms"}) {
    TestSystem steps(Circuit("VolumeC", "TimeStep='" + std::string(h) + "' StopTime='0.3 s'", ""));
    steps.Run();
    double worst = 0;
    for (const char* volume : {"v1.p", "v2.p", "v3.p", "v4.p"}) {
      worst = std::max(worst, std::abs(steps.Read(volume) - exact.Read(volume)) / exact.Read(volume));
    }
    EXPECT_TRUE(before == 0 || worst < before / 3) << worst;  // of first order at least: a wave takes a step
    before = worst;
    EXPECT_NEAR(steps.Read("cooler.temperature"), exact.Read("cooler.temperature"), 1e-4);
  }
  EXPECT_LT(before, 0.01);
}

/// A pump with a flow control valve of three ways, a reduced branch, a shuttle valve and a logic element.
std::string PressureValves(const std::string& volume, const std::string& manager,
                           const std::string& integration) {
  const std::string text =
      R"(<signal.Sine name="flow" amplitude="2e-4" offset="5e-4" frequency="40 rad/s"/>
  <hydraulic.FlowSource name="source"/><Route from="flow.y" to="source.flow"/>
  <hydraulic.VOLUME name="v1" volume="1 l"/><hydraulic.VOLUME name="v2" volume="1 l"/>
  <hydraulic.VOLUME name="v3" volume="1 l"/><hydraulic.VOLUME name="v4" volume="1 l"/>
  <hydraulic.FlowControlValve name="speed" flow="12 l/min"/>
  <hydraulic.PressureReducingValve name="reducing" set_pressure="6 bar" opening_range="4 bar"/>
  <hydraulic.Shuttle name="shuttle" switching_range="4 bar"/>
  <hydraulic.LogicElement name="logic" spring_pressure="1 bar" opening_range="5 bar"/>
  <hydraulic.Orifice name="consumer" area="8 mm2"/><hydraulic.Orifice name="drain" area="4 mm2"/>
  <hydraulic.Tank name="tank"/>
  <Connect from="source.port" to="v1.port"/>
  <Connect from="speed.in" to="v1.port"/><Connect from="speed.out" to="v2.port"/>
  <Connect from="speed.bypass" to="tank.port"/>
  <Connect from="reducing.in" to="v1.port"/><Connect from="reducing.out" to="v3.port"/>
  <Connect from="reducing.tank" to="tank.port"/>
  <Connect from="shuttle.a" to="v2.port"/><Connect from="shuttle.b" to="v3.port"/>
  <Connect from="shuttle.out" to="v4.port"/>
  <Connect from="logic.a" to="v2.port"/><Connect from="logic.b" to="tank.port"/><Connect from="logic.x" to="v3.port"/>
  <Connect from="consumer.a" to="v2.port"/><Connect from="consumer.b" to="tank.port"/>
  <Connect from="drain.a" to="v4.port"/><Connect from="drain.b" to="tank.port"/>)";
  return SystemText(manager, integration, std::regex_replace(text, std::regex("VOLUME"), volume));
}

TEST(FixedStepsTest, ValvesThatPressuresOpenComeToTheSolution) {
  TestSystem exact(
      PressureValves("Volume", "TimeStep='1 ms' StopTime='0.3 s'", "method='rosenbrock4' rtol='1e-9'"));
  exact.Run();
  double before = 0;
  for (const char* h : {"0.2 ms", "0.05 ms"}) {
    TestSystem steps(PressureValves("VolumeC", "TimeStep='" + std::string(h) + "' StopTime='0.3 s'", ""));
    steps.Run();
    double worst = 0;
    for (const char* volume : {"v1.p", "v2.p", "v3.p", "v4.p"})
      worst = std::max(worst, std::abs(steps.Read(volume) - exact.Read(volume)) / exact.Read("v1.p"));
    EXPECT_TRUE(before == 0 || worst < before / 3) << worst;  // of first order at least: a wave takes a step
    before = worst;
  }
  EXPECT_LT(before, 0.01);
}

}  // namespace
}  // namespace davit
