// Indicators in a run: when they are evaluated, for whom, and that nothing depends on them.

#include "simulator/events/indicator_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// A cylinder that is driven through a restriction.
std::string Driven(const std::string& level, const std::string& content) {
  return SystemText(
      "TimeStep=\"1 ms\" StopTime=\"0.2\"", "method=\"rosenbrock4\"",
      "<hydraulic.Cylinder name=\"c\" " + level +
          "/><hydraulic.PressureSource name=\"s\" pressure=\"100 bar\"/>"
          "<hydraulic.Restriction name=\"r\" diameter=\"5 mm\" level=\"Advanced\"/>"
          "<hydraulic.Volume name=\"a\" volume=\"1 l\"/><hydraulic.Volume name=\"b\" volume=\"1 l\"/>"
          "<hydraulic.Tank name=\"t\"/><hydraulic.Restriction name=\"back\" diameter=\"10 mm\"/>"
          "<mechanical.Mass name=\"m\" mass=\"1 t\"><Start x=\"1 m\"/></mechanical.Mass>"
          "<Connect from=\"s.port\" to=\"r.a\"/><Connect from=\"r.b\" to=\"a.port\"/>"
          "<Connect from=\"a.port\" to=\"c.a\"/><Connect from=\"c.b\" to=\"b.port\"/>"
          "<Connect from=\"b.port\" to=\"back.a\"/><Connect from=\"back.b\" to=\"t.port\"/>"
          "<Connect from=\"c.rod\" to=\"m.a\"/>" +
          content);
}

std::vector<TestRow> FirstColumn(std::vector<TestRow> rows) {
  for (TestRow& row : rows) row.values.resize(1);
  return rows;
}

TEST(IndicatorWatchTest, NothingDependsOnAnIndicator) {
  TestSystem with(Driven("level=\"Advanced\"", "<Record signals=\"m.x *.indicator.*\"/>"));
  TestSystem without(Driven("level=\"Advanced\"", "<Record signals=\"m.x\"/>"));
  const std::vector<TestRow> rows = with.RunAndRecord();
  EXPECT_GT(rows.front().values.size(), 5U);
  EXPECT_EQ(FirstColumn(rows), without.RunAndRecord());
}

TEST(IndicatorWatchTest, IsEvaluatedOnlyWhereSomethingReadsIt) {
  TestSystem test(Driven("level=\"Advanced\"", "<Record signals=\"c.indicator.dry_seals\"/>"));
  test.StartRecording();
  test.manager().Initialize();
  const double at_start = test.Read("r.indicator.laminar_flow");
  test.manager().RunUntil(0.1);
  EXPECT_GT(test.Read("c.indicator.dry_seals"), 0);
  EXPECT_EQ(test.Read("r.indicator.laminar_flow"), at_start);
}

TEST(IndicatorWatchTest, ARouteHasTheValueOfTheLastCommunicationPoint) {
  TestSystem test(
      Driven("level=\"Advanced\"",
             "<signal.Gain name=\"g\" gain=\"2\"/><Route from=\"c.indicator.dry_seals\" to=\"g.u\"/>"
             "<Record signals=\"c.indicator.dry_seals g.y\"/>"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  EXPECT_GT(rows.back().values[0], 0);
  for (std::size_t i = 1; i < rows.size(); ++i)
    EXPECT_EQ(rows[i].values[1], 2 * rows[i - 1].values[0]) << rows[i].t;
}

TEST(IndicatorWatchTest, WatchingTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  TestSystem test(Driven("level=\"Advanced\"", "<Record signals=\"m.x *.indicator.*\" interval=\"1 s\"/>"));
  test.StartRecording();
  test.manager().Initialize();
  test.manager().RunUntil(0.05);
  const AllocationCounter counter;
  test.manager().RunUntil(0.1);
  EXPECT_EQ(counter.count(), 0U);
}

TEST(IndicatorWatchTest, LevelsThatChooseThemselvesBeginWithTheHighest) {
  for (const std::string setting : {"levels=\"automatic\"", "levels=\"automatic\" level=\"Ideal\""}) {
    TestSystem test(Driven(setting, ""));
    test.manager().Initialize();
    EXPECT_EQ(test.Read("c.level"), 2);
    EXPECT_EQ(test.Read("c.chart.state.AtAdvanced"), 1);
  }
}

TEST(IndicatorWatchTest, AComponentWithoutLevelsHasNoneToChoose) {
  EXPECT_THAT(FaultsOf(Driven("", "<hydraulic.Volume name=\"v\" volume=\"1 l\" levels=\"automatic\"/>")),
              testing::Contains(testing::HasSubstr("hydraulic.Volume has no levels; leave out 'levels'")));
}

/// Times at which the level of `c` changes.
std::vector<double> Switches(const std::vector<TestRow>& rows) {
  std::vector<double> times;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].values[0] != rows[i - 1].values[0]) times.push_back(rows[i].t);
  }
  return times;
}

TEST(IndicatorWatchTest, SwitchesAreAtLeastTheDwellTimeApart) {
  for (const std::string tolerance : {"1e-6", "1e-3", "0.02", "0.1", "0.5"}) {
    TestSystem test(Driven("levels=\"automatic\" level_tolerance=\"" + tolerance + "\"",
                           "<Record signals=\"c.level\"/>"));
    const std::vector<double> times = Switches(test.RunAndRecord());
    for (std::size_t i = 1; i < times.size(); ++i)
      EXPECT_GE(times[i] - times[i - 1], 0.1 - 1e-9) << tolerance;
  }
}

TEST(IndicatorWatchTest, AnInfiniteToleranceEndsAtIdealAndATinyOneStaysAtAdvanced) {
  for (const auto& [tolerance, level] : {std::pair("1e4", 0), std::pair("1e-12", 2)}) {
    TestSystem test(Driven(std::string("levels=\"automatic\" level_tolerance=\"") + tolerance + "\"", ""));
    test.Run();
    EXPECT_EQ(test.Read("c.level"), level);
  }
}

TEST(IndicatorWatchTest, TheChoiceMayChangeDuringARun) {
  TestSystem test(Driven("level=\"Standard\" level_tolerance=\"1e-12\"",
                         "<At time=\"50 ms\" set=\"c.levels\" value=\"automatic\"/>"));
  test.manager().Initialize();
  test.manager().RunUntil(0.04);
  EXPECT_EQ(test.Read("c.level"), 1);
  EXPECT_EQ(test.Read("c.chart.state.Given"), 1);
  test.manager().RunUntil(0.2);
  EXPECT_EQ(test.Read("c.level"), 2);
}

}  // namespace
}  // namespace davit
