#include "analysis/study/measure_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "components/register.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kOscillator = R"(<System name="s">
  <SimulatorManager TimeStep="1 ms" StopTime="2 s">
    <Integration solver="ODE" method="runge_kutta_dopri5" rtol="1e-10" atol="1e-12"/>
  </SimulatorManager>
  <user.Equation name="spring">
    <Parameter name="w" unit="1/s" value="3.141592653589793"/>
    <State name="x" unit="m" start="2 m" der="v"/>
    <State name="v" unit="m/s" der="-w*w*x"/>
    <Output name="p" unit="Pa" expr="1e5*x"/>
  </user.Equation>
</System>)";

std::vector<MeasureDefinition> Definitions(const std::vector<std::string>& texts) {
  std::vector<MeasureDefinition> definitions;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    definitions.push_back({text.substr(0, equals), text.substr(equals + 1), {}});
  }
  return definitions;
}

MeasuredValues MeasureRun(Simulation& simulation, const std::vector<std::string>& texts,
                          std::vector<std::string>* units = nullptr) {
  Diagnostics diagnostics;
  MeasureSet set(simulation, Definitions(texts), diagnostics);
  for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
  set.Begin();
  simulation.Initialize();
  simulation.Run();
  if (units != nullptr) *units = set.units();
  return set.Finish();
}

std::string FaultOf(const std::string& text) {
  SystemHarness system(kOscillator);
  Diagnostics diagnostics;
  const MeasureSet set(system.simulation(), Definitions({text}), diagnostics);
  return diagnostics.all().empty() ? "" : diagnostics.all().front().message();
}

TEST(MeasureSetTest, MeasuresExpressionsOfSignals) {
  // x = 2 m cos(pi t), one period. Straight lines between rows 1 ms apart: relative error below (pi 1e-3)^2
  // / 8.
  SystemHarness system(kOscillator);
  std::vector<std::string> units;
  const MeasuredValues measured = MeasureRun(
      system.simulation(),
      {"peak=max(spring.x)", "swing=max(spring.x) - min(spring.x)", "power=rms(spring.v*spring.x)",
       "passing=crossing(spring.x, -1000 mm)", "middle=at(spring.x, 500 ms)", "way=integral(abs(spring.v))",
       "reserve=250 bar - max(spring.p)", "ratio=swing/peak", "end=max(time)", "larger=max(peak, 3 m)"},
      &units);
  EXPECT_TRUE(measured.faults.empty()) << measured.faults.front();
  constexpr double kPi = 3.141592653589793;
  const std::vector<double> expected{2, 4, kPi * std::sqrt(2.0), 2.0 / 3, 0, 8, 248e5, 2, 2, 3};
  ASSERT_EQ(measured.values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(measured.values[i], expected[i], 5e-6 * std::max(1.0, std::abs(expected[i]))) << i;
  EXPECT_THAT(units, ElementsAre("m", "m", "m2/s", "s", "m", "m", "Pa", "", "s", "m"));
}

TEST(MeasureSetTest, DoesNotDependOnWhatIsRecorded) {
  const std::vector<std::string> texts{"peak=max(spring.v)", "square=mean(spring.x*spring.x)"};
  SystemHarness alone(kOscillator);
  SystemHarness recorded(kOscillator);
  recorded.simulation().StartRecording(
      {.signals = {"spring.x"}, .interval = 0.5, .on_row = [](double, auto) {}});
  EXPECT_EQ(MeasureRun(alone.simulation(), texts).values, MeasureRun(recorded.simulation(), texts).values);
}

TEST(MeasureSetTest, DoesNotChangeTheRun) {
  const Registry registry = AllModels();
  const auto file = std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / "bouncing_ball.xml";
  const auto run = [&](bool is_measured) {
    const auto simulation = Simulation::Load(file, registry).Take();
    std::vector<double> rows;
    simulation->StartRecording({.on_row = [&](double t, std::span<const double> values) {
      rows.push_back(t);
      rows.insert(rows.end(), values.begin(), values.end());
    }});
    if (is_measured) {
      MeasureRun(*simulation, {"top=max(ball.x)", "bounces=events(ball)"});
    } else {
      simulation->Initialize();
      simulation->Run();
    }
    return rows;
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(MeasureSetTest, CountsEventsAsTheRunDoes) {
  const Registry registry = AllModels();
  const auto simulation =
      Simulation::Load(std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / "bouncing_ball.xml", registry)
          .Take();
  const MeasuredValues measured = MeasureRun(*simulation, {"bounces=events(ball)", "low=min(ball.x)"});
  EXPECT_GT(measured.values[0], 3);
  EXPECT_EQ(measured.values[0], static_cast<double>(simulation->statistics().events));
  EXPECT_LT(std::abs(measured.values[1]), 1e-6);  // the rows at the events are measured
}

TEST(MeasureSetTest, TheSecondRunHasTheSameValues) {
  SystemHarness system(kOscillator);
  Diagnostics diagnostics;
  MeasureSet set(system.simulation(), Definitions({"rise=settling_time(spring.v, 10 %)", "m=mean(spring.v)"}),
                 diagnostics);
  const auto run = [&] {
    set.Begin();
    system.simulation().Initialize();
    system.simulation().Run();
    return set.Finish().values;
  };
  const std::vector<double> first = run();
  EXPECT_EQ(first, run());
}

TEST(MeasureSetTest, WhatNeverHappensSaysSo) {
  SystemHarness system(kOscillator);
  const MeasuredValues measured =
      MeasureRun(system.simulation(), {"t=crossing(spring.x, 5 m)", "x=max(spring.x)"});
  EXPECT_TRUE(std::isnan(measured.values[0]));
  EXPECT_EQ(measured.values[1], 2);
  EXPECT_THAT(measured.faults, ElementsAre(HasSubstr("crossing(spring.x, 5 m): spring.x never crosses 5")));
}

TEST(MeasureSetTest, WrongExpressionsAreToldWithRemedies) {
  EXPECT_THAT(FaultOf("a=max(spring.y)"), HasSubstr("it has x, v, p"));
  EXPECT_THAT(FaultOf("a=maxi(spring.x)"), HasSubstr("did you mean 'max'?"));
  EXPECT_THAT(FaultOf("a=spring.x"), HasSubstr("write for example final(spring.x)"));
  EXPECT_THAT(FaultOf("a=max(spring.x) + 5 bar"), HasSubstr("'+' adds m and Pa"));
  EXPECT_THAT(FaultOf("a=max(spring.x) + max(spring.v)"), HasSubstr("'+' adds m and m/s"));
  EXPECT_THAT(FaultOf("a=crossing(spring.x, 3 s)"), HasSubstr("compares m and s"));
  EXPECT_THAT(FaultOf("a=crossing(spring.x)"), HasSubstr("crossing takes 2 arguments, not 1"));
  EXPECT_THAT(FaultOf("a=at(spring.x, 3 s)"), HasSubstr("3 s is not in the run"));
  EXPECT_THAT(FaultOf("a=at(spring.x, 3 brr)"), HasSubstr("unknown unit 'brr'"));
  EXPECT_THAT(FaultOf("a=settling_time(spring.x, 200 %)"), HasSubstr("below 1"));
  EXPECT_THAT(FaultOf("a=max(mean(spring.x))"), HasSubstr("inside another measure"));
  EXPECT_THAT(FaultOf("a=events(sprong)"), HasSubstr("spring"));
  EXPECT_THAT(FaultOf("a=max(spring.x"), HasSubstr("')' is missing here"));
  EXPECT_THAT(FaultOf("a=max(spring.x))"), HasSubstr("the expression should end here"));
  EXPECT_THAT(FaultOf("a="), HasSubstr("the expression is empty"));
  EXPECT_THAT(FaultOf("max=max(spring.x)"), HasSubstr("'max' is a function"));
  EXPECT_THAT(FaultOf("1a=max(spring.x)"), HasSubstr("is not a name of a measure"));
  EXPECT_THAT(FaultOf("a=" + std::string(1000, '(')), HasSubstr("nested too deeply"));
}

TEST(MeasureSetTest, ATableIsMadeOfStraightLines) {
  SystemHarness system(kOscillator);
  std::vector<std::string> units;
  const MeasuredValues measured = MeasureRun(
      system.simulation(),
      {"before=table(0 s, 1 s, -1 m, 2 s, 1 m, 2 s, 5 m, 4 s, 1 m)",
       "begin=table(1 s, 1 s, -1 m, 2 s, 1 m, 2 s, 5 m, 4 s, 1 m)",
       "between=table(1.75 s, 1 s, -1 m, 2 s, 1 m, 2 s, 5 m, 4 s, 1 m)",
       "jump=table(2 s, 1 s, -1 m, 2 s, 1 m, 2 s, 5 m, 4 s, 1 m)",
       "fall=table(3 s, 1 s, -1 m, 2 s, 1 m, 2 s, 5 m, 4 s, 1 m)",
       "after=table(9 s, 1 s, -1 m, 2 s, 1 m, 2 s, 5 m, 4 s, 1 m)",
       // x = 2 cos(pi t) and the line from 2 m at 0 s to 0 m at 2 s, 2 - t: at t = 2 they are 2 m apart.
       "over=max(spring.x - table(time, 0 s, 2 m, 2 s, 0 m))"},
      &units);
  const std::vector<double> expected{-1, -1, 0.5, 5, 3, 1, 2};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(measured.values[i], expected[i], 1e-9) << i;
  for (const std::string& unit : units) EXPECT_EQ(unit, "m");
}

TEST(MeasureSetTest, WrongTablesSaySo) {
  EXPECT_THAT(FaultOf("a=table(1 s, 0 s, 1 m)"), HasSubstr("table has 1 point"));
  EXPECT_THAT(FaultOf("a=table(1 s, 0 s, 1 m, 2 s)"), HasSubstr("has no value"));
  EXPECT_THAT(FaultOf("a=table(1 s, 1 s, 1 m, 0 s, 1 m)"), HasSubstr("fall from 1 to 0; sort them"));
  EXPECT_THAT(FaultOf("a=table(1 s, 1 m, 1 m, 2 m, 1 m)"), HasSubstr("both must have the same dimension"));
  EXPECT_THAT(FaultOf("a=table(1 s, 1 s, 1 m, 2 s, 1 s)"), HasSubstr("both must have the same dimension"));
  EXPECT_THAT(FaultOf("a=max(spring.x - table(time, 0 s, 1 Pa, 1 s, 1 Pa))"), HasSubstr("'-' subtracts"));
  EXPECT_THAT(FaultOf("a=table(1 s, spring.x, 1 m, 2 s, 1 m)"), HasSubstr("is not a number"));
}

}  // namespace
}  // namespace davit
