// Charts in a system: when they see what, in which order what they ask for acts, what can be recorded.

#include "simulator/charts/statechart.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "framework/run_log.h"
#include "simulator/charts/chart_set.h"
#include "statecharts/ecmascript_data_model.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class StatechartTest : public testing::Test {
 protected:
  StatechartTest() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("davit_statechart_test_") + info->name());
    fs::create_directories(folder_);
  }
  ~StatechartTest() override { fs::remove_all(folder_); }
  StatechartTest(const StatechartTest&) = delete;
  StatechartTest& operator=(const StatechartTest&) = delete;

  /// An element for a chart with this content.
  std::string Chart(const std::string& name, const std::string& content) {
    const fs::path file = folder_ / (name + ".scxml");
    std::ofstream(file) << "<scxml xmlns='http://www.w3.org/2005/07/scxml' "
                           "xmlns:davit='urn:davit:chart:1' version='1.0'>\n"
                        << content << "\n</scxml>\n";
    return fmt::format("<Statechart name=\"{}\" src=\"{}\"/>\n", name, file.string());
  }
  static std::string System(const std::string& content, const std::string& manager = "") {
    return SystemText("TimeStep=\"0.1\" StopTime=\"2\" " + manager, "method=\"runge_kutta4\"", content);
  }
  static std::string At(double t, const std::string& event, const std::string& to) {
    return fmt::format("<At time=\"{}\" event=\"{}\" to=\"{}\"/>\n", t, event, to);
  }
  ChartBinding& ChartOf(TestSystem& test, const std::string& path) {
    return *test.manager().charts().Find(*test.system().Find(path));
  }

  fs::path folder_;
};

/// Lets x go up to 1 and down to 0, again and again.
constexpr const char* kTurner =
    "<datamodel><data id='u' expr='1'/></datamodel>"
    "<state id='up'><onentry><assign location='u' expr='1'/></onentry>"
    "<transition cond='x.y ge 0.95' target='down'/></state>"
    "<state id='down'><onentry><assign location='u' expr='-1'/></onentry>"
    "<transition cond='x.y le 0.05' target='up'/></state>";

TEST_F(StatechartTest, ItsDataAreSignalsHeldOverTheStep) {
  // x' = u with u = 1 or -1 from a step point on: x(t) is the triangle between 0 and 1, exact up to rounding.
  TestSystem test(System(Chart("turner", kTurner) +
                         "<signal.Integrator name=\"x\"/><Route from=\"turner.u\" to=\"x.u\"/>"
                         "<Record signals=\"x.y turner.state.up turner.region\"/>"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  ASSERT_EQ(rows.size(), 21U);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double phase = static_cast<double>(n % 20) / 10;
    EXPECT_NEAR(rows[n].values[0], phase <= 1 ? phase : 2 - phase, 1e-12) << n;
    const bool is_up = n < 10 || n == 20;
    EXPECT_EQ(rows[n].values[1], is_up ? 1 : 0) << n;
    EXPECT_EQ(rows[n].values[2], is_up ? 0 : 1) << n;
  }
}

TEST_F(StatechartTest, TheMacrostepThatEndsAChartIsSeen) {
  // Whatever brings the event, a final state that it leads to shows what another state there would show.
  const auto chart = [&](const std::string& name, const std::string& end, const std::string& send) {
    return Chart(
        name, "<datamodel><data id='n' expr='0'/></datamodel><state id='s0'>" + send +
                  "<transition event='go' target='f'><assign location='n' expr='7'/></transition></state>" +
                  end);
  };
  const std::string timer = "<onentry><send event='go' delay='1s'/></onentry>";
  TestSystem test(
      System(chart("ended", "<final id='f'/>", "") + chart("other", "<state id='f'/>", "") +
             chart("timed", "<final id='f'/>", timer) + chart("sent", "<final id='f'/>", "") +
             Chart("sender",
                   "<state id='s'><onentry><send event='now' delay='0.9s'/></onentry>"
                   "<transition event='now'><send target='sent' event='go'/></transition></state>") +
             At(1, "go", "ended") + At(1, "go", "other") +
             "<signal.Gain name=\"g\"/><Route from=\"ended.n\" to=\"g.u\"/>"));
  for (const double t : {0.5, 1.0, 1.1, 2.0}) {
    test.RunTo(t);
    for (const char* item : {".n", ".region", ".state.s0", ".state.f", ".time.f"}) {
      for (const std::string name : {"ended", "timed", "sent"})
        EXPECT_EQ(test.Read(name + item), test.Read(std::string("other") + item)) << t << name << item;
    }
  }
  EXPECT_EQ(test.Read("ended.n"), 7);
  EXPECT_EQ(test.Read("ended.state.f"), 1);
  EXPECT_EQ(test.Read("g.y"), 7);
}

TEST_F(StatechartTest, AllSeeTheSignalsOfTheSameStepPoint) {
  // Each copies the other: both read before either has changed, so they exchange their values, first at
  // the start and then in each step.
  const auto copier = [&](const std::string& name, const std::string& other, int value) {
    return Chart(name,
                 fmt::format("<datamodel><data id='v' expr='{}'/></datamodel><state id='s'>"
                             "<transition cond='{}.v ne v' target='s'><assign location='v' expr='{}.v'/>"
                             "</transition></state>",
                             value, other, other));
  };
  TestSystem test(System(copier("a", "b", 1) + copier("b", "a", 2) + "<Record signals=\"a.v b.v\"/>"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_THAT(rows[n].values, n % 2 == 0 ? ElementsAre(2, 1) : ElementsAre(1, 2)) << n;
  }
}

/// Sends the chart `log` an event with a number when it gets the event `go`.
std::string Sender(int first, int second) {
  return fmt::format(
      "<state id='s'><transition event='go'>"
      "<send target='log' event='note'><param name='n' expr='{}'/></send>"
      "<send target='log' event='note'><param name='n' expr='{}'/></send></transition></state>",
      first, second);
}
constexpr const char* kLog =
    "<datamodel><data id='seen' expr='0'/></datamodel><state id='s'><transition event='note'>"
    "<assign location='seen' expr='10 * seen + _event.data.n'/></transition></state>";

TEST_F(StatechartTest, EventsArriveAtTheNextStepInTheOrderOfTheSendersPaths) {
  // `log` runs last in its step, `z` before `a`; yet what `a` sends comes first, and one step later.
  TestSystem test(System(Chart("z", Sender(3, 4)) + Chart("a", Sender(1, 2)) + Chart("log", kLog) +
                         At(1, "go", "z") + At(1, "go", "a") + "<Record signals=\"log.seen\"/>"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  EXPECT_EQ(rows[10].values[0], 0);
  EXPECT_EQ(rows[11].values[0], 1234);
  EXPECT_EQ(rows[20].values[0], 1234);
}

TEST_F(StatechartTest, AnEventOfTheSystemFileActsAtTheFirstStepPointNotBeforeIt) {
  const std::string counter =
      Chart("c",
            "<datamodel><data id='n' expr='0'/></datamodel><state id='s'><transition event='tick'>"
            "<assign location='n' expr='n + 1'/></transition></state>");
  TestSystem test(System(counter + At(0, "tick", "c") + At(0.3, "tick", "c") + At(0.31, "tick", "c") +
                         "<Record signals=\"c.n\"/>"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n].values[0], n < 3 ? 1 : n == 3 ? 2 : 3) << n;
  }
}

TEST_F(StatechartTest, ADelayFiresAtTheFirstStepNotBeforeItsTime) {
  // 0.1 + 0.2 is above 0.3 in binary: rounding must not cost a step. 0.21 s do not fit: one step more.
  for (const auto& [delay, step] : {std::pair{"200ms", 3U}, {"210ms", 4U}, {"0.7s", 8U}}) {
    TestSystem test(System(Chart("c", fmt::format("<state id='a'><transition event='go' target='b'/></state>"
                                                  "<state id='b'><onentry><send event='due' delay='{}'/>"
                                                  "</onentry><transition event='due' target='d'/></state>"
                                                  "<state id='d'/>",
                                                  delay)) +
                           At(0.1, "go", "c") + "<Record signals=\"c.state.d\"/>"));
    const std::vector<TestRow> rows = test.RunAndRecord();
    for (std::size_t n = 0; n < rows.size(); ++n) EXPECT_EQ(rows[n].values[0], n >= step ? 1 : 0) << n;
  }
}

TEST_F(StatechartTest, WhatItSetsActsBeforeTheNextStep) {
  TestSystem test(System(Chart("c",
                               "<state id='a'><transition event='go' target='b'/></state>"
                               "<state id='b'><onentry><assign location='k.value' expr='5'/></onentry>"
                               "</state>") +
                         "<signal.Constant name=\"k\" value=\"1\"/><signal.Integrator name=\"x\"/>"
                         "<Route from=\"k.y\" to=\"x.u\"/>" +
                         At(1, "go", "c") + "<Record signals=\"x.y\"/>"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  EXPECT_NEAR(rows[10].values[0], 1, 1e-12);
  EXPECT_NEAR(rows[20].values[0], 1 + 5, 1e-12);
}

TEST_F(StatechartTest, ReadsLevelsAndSettingsByNameAndRefusesALevelThatTheModelLacks) {
  TestSystem test(
      System(Chart("c",
                   "<state id='a'><transition cond=\"load.solver == 'Automatic' and not load.located_stops\" "
                   "target='b'/></state><state id='b'><onentry><assign location='k.level' "
                   "expr=\"'Advanced'\"/></onentry><transition event='error.execution' "
                   "cond=\"k.level == 'Ideal'\" target='d'/></state><state id='d'/>") +
             "<test.IdealOnly name=\"k\"/><mechanical.Mass name=\"load\"/>"
             "<mechanical.Fixed name=\"wall\"/><mechanical.Spring name=\"spring\"/>"
             "<Connect from=\"load.a\" to=\"spring.b\"/><Connect from=\"spring.a\" to=\"wall.port\"/>"));
  test.Run();
  EXPECT_EQ(test.Read("c.state.d"), 1);
  EXPECT_EQ(test.Read("k.level"), static_cast<double>(Level::kIdeal));
}

TEST_F(StatechartTest, SetsLevelsAndAspects) {
  // By its level, then by its aspect alone; at each step it sees what it asked for in the step before.
  TestSystem test(
      System(Chart("c",
                   "<state id='a'><transition cond=\"f.level == 'Ideal'\" target='b'/></state>"
                   "<state id='b'><onentry><assign location='f.level' expr=\"'Advanced'\"/></onentry>"
                   "<transition cond=\"f.lag == 'Second' and not f.level_modified\" target='d'/></state>"
                   "<state id='d'><onentry><assign location='f.lag' expr=\"'First'\"/></onentry>"
                   "<transition cond=\"f.lag == 'First' and f.level_modified\" target='e'/></state>"
                   "<state id='e'/>") +
             "<test.Follower name=\"f\"/><Record signals=\"c.region f.level f.lag\"/>"));
  for (int run = 0; run < 2; ++run) {
    const std::vector<TestRow> rows = test.RunAndRecord();
    EXPECT_THAT(rows.front().values, ElementsAre(1, 0, 0));
    EXPECT_THAT(rows.back().values, ElementsAre(3, 2, 1));
    EXPECT_EQ(test.manager().statistics().level_switches, 2U);
  }
}

TEST_F(StatechartTest, WhatItHasSetIsPutBackWhenARunBegins) {
  TestSystem test(System(Chart("c",
                               "<state id='s'><transition event='go'>"
                               "<assign location='k.value' expr='k.value + 5'/></transition></state>") +
                         "<signal.Constant name=\"k\" value=\"1\"/>" + At(1, "go", "c")));
  for (int run = 0; run < 2; ++run) {
    test.Run();
    EXPECT_EQ(test.Read("k.value"), 6);
  }
}

TEST_F(StatechartTest, SendsMessages) {
  TestSystem test(System(Chart("c",
                               "<state id='s'><transition event='go'>"
                               "<send target='SimulatorManager' event='Stop' delay='300ms'/>"
                               "</transition></state>") +
                         At(1, "go", "c")));
  test.manager().Initialize();
  test.manager().RunUntil(2);
  EXPECT_NEAR(test.manager().time(), 1.4, 1e-9);  // sent at 1.3 s, acts in the step that begins there
}

TEST_F(StatechartTest, WhatIsOutOfRangeIsRefusedAndRaisesAnError) {
  std::vector<std::string> lines;
  RunLog log(RunLog::Severity::kInfo,
             [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); });
  TestSystem test(System(Chart("c",
                               "<state id='a'><transition event='go'>\n"
                               "<assign location='f.time_constant' expr='-1'/></transition>"
                               "<transition event='error.execution' target='b'/></state><state id='b'/>") +
                         "<signal.LowPass name=\"f\" time_constant=\"3\"/>" + At(1, "go", "c")));
  test.system().root().set_run_log(&log);
  test.Run();
  EXPECT_EQ(test.Read("f.time_constant"), 3);
  EXPECT_EQ(test.Read("c.state.b"), 1);
  EXPECT_THAT(lines, Contains(HasSubstr("c.scxml:3: the value is not a number or out of range")));
}

TEST_F(StatechartTest, TheLogTellsTransitionsWithWhatTheirConditionsRead) {
  std::vector<std::string> lines;
  RunLog log(RunLog::Severity::kDetail,
             [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); });
  TestSystem test(System(Chart("turner", kTurner) +
                         "<signal.Integrator name=\"x\"/><Route from=\"turner.u\" to=\"x.u\"/>"
                         "<signal.Constant name=\"k\"/>" +
                         Chart("setter",
                               "<state id='s'><onentry><assign location='k.value' expr='2'/>"
                               "<log label='said' expr='1 + 1'/></onentry></state>")));
  test.system().root().set_run_log(&log);
  test.Run();
  EXPECT_THAT(lines, Contains(HasSubstr("t = 1 s: /turner: up -> down: [x.y ge 0.95] with x.y = ")));
  EXPECT_THAT(lines, Contains("t = 0 s: /k: by /setter: <At time=\"0 s\" set=\"k.value\" value=\"2\"/>"));
  EXPECT_THAT(lines, Contains("t = 0 s: /setter: said: 2"));
  EXPECT_EQ(test.manager().statistics().transitions, 2U);
}

TEST_F(StatechartTest, LoopsAndStormsAreCountedAndDoNotEndTheRun) {
  std::vector<std::string> lines;
  RunLog log(RunLog::Severity::kInfo,
             [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); });
  TestSystem test(
      System(Chart("loop",
                   "<state id='a'><transition event='go' target='b'/></state>"
                   "<state id='b'><transition cond='time gt 0' target='d'/></state>"
                   "<state id='d'><transition cond='time gt 0' target='b'/></state>") +
             Chart("storm",
                   "<state id='s'><onentry><send event='e'/></onentry>"
                   "<transition event='e'><send event='e'/><send event='e'/></transition></state>") +
             At(1, "go", "loop")));
  test.system().root().set_run_log(&log);
  test.Run();
  EXPECT_EQ(test.manager().time(), 2);
  EXPECT_GT(test.manager().statistics().livelocks, 0U);
  EXPECT_GT(test.manager().statistics().lost_events, 0U);
  EXPECT_THAT(lines, Contains(HasSubstr("/loop: livelock: eventless transitions never settle, now in")));
  EXPECT_THAT(lines, Contains(HasSubstr("/storm: an event is lost: the external queue is full")));
  EXPECT_LT(lines.size(), 5000U);  // 100 transitions of a chart in a step
}

TEST_F(StatechartTest, TakesEventsFromAnyThread) {
  TestSystem test(
      SystemText("TimeStep=\"0.1\" StopTime=\"1e6\"", "method=\"runge_kutta4\"",
                 Chart("c",
                       "<datamodel><data id='n' expr='0'/></datamodel><state id='s'><transition event='tick'>"
                       "<assign location='n' expr='n + 1'/></transition></state>")));
  test.manager().Initialize();
  constexpr int kEvents = 5000;
  std::atomic<int> finished = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < kEvents;) {
        if (ChartOf(test, "c").PostEvent("tick")) ++k;
      }
      ++finished;
    });
  }
  while (finished < 2) test.manager().Step();
  for (std::thread& thread : threads) thread.join();
  test.manager().Step();
  EXPECT_FALSE(ChartOf(test, "c").PostEvent("unknown"));
  EXPECT_EQ(test.Read("c.n"), 2 * kEvents);
}

constexpr const char* kBusy =
    "<datamodel><data id='n' expr='0'/><data id='mode' davit:values='slow fast'/></datamodel>"
    "<parallel id='p'><state id='r1'><state id='a'><transition cond='x.y gt 0.5' target='b'/></state>"
    "<state id='b'><onentry><assign location='k.value' expr='0 - k.value'/><send target='peer' event='hit'>"
    "<param name='v' expr='x.y'/></send></onentry><transition cond='x.y lt 0.2' davit:holds='300ms' "
    "target='a'/>"
    "</state></state><state id='r2'><state id='d'><transition davit:after='400ms' target='e'>"
    "<assign location='mode' expr=\"'fast'\"/></transition></state><state id='e'>"
    "<onentry><send event='back' delay='200ms'/></onentry><transition event='back' target='d'>"
    "<assign location='mode' expr=\"'slow'\"/></transition></state></state></parallel>";

TEST_F(StatechartTest, ARunIsRepeatedBitForBitWithAnyNumberOfThreads) {
  TestSystem test(SystemText(
      "TimeStep=\"0.01\" StopTime=\"20\"", "method=\"runge_kutta_dopri5\"",
      Chart("busy", kBusy) +
          Chart("peer",
                "<datamodel><data id='sum' expr='0'/></datamodel><state id='s'><transition event='hit'>"
                "<assign location='sum' expr='sum + _event.data.v'/></transition></state>") +
          "<signal.Constant name=\"k\" value=\"1\"/><signal.Integrator name=\"x\"/>"
          "<signal.Integrator name=\"other\"/><Route from=\"busy.region.r1\" to=\"other.u\"/>"
          "<Route from=\"k.y\" to=\"x.u\"/>" +
          At(3, "hit.now", "peer")));
  const std::vector<TestRow> first = test.RunAndRecord();
  EXPECT_GT(test.manager().statistics().transitions, 20U);
  const std::uint64_t transitions = test.manager().statistics().transitions;
  EXPECT_EQ(first, test.RunAndRecord());
  EXPECT_EQ(test.manager().statistics().transitions, transitions);
  test.manager().set_threads(3, ThreadUse::kAlways);
  EXPECT_EQ(first, test.RunAndRecord());
}

TEST_F(StatechartTest, AStepTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  TestSystem test(SystemText("TimeStep=\"0.01\" StopTime=\"20\"", "method=\"runge_kutta_dopri5\"",
                             Chart("busy", kBusy) +
                                 Chart("peer", "<state id='s'><transition event='hit' target='s'/></state>") +
                                 "<signal.Constant name=\"k\" value=\"1\"/><signal.Integrator name=\"x\"/>"
                                 "<Route from=\"k.y\" to=\"x.u\"/>" +
                                 At(3, "hit", "peer")));
  test.manager().Initialize();
  test.manager().Step();
  const AllocationCounter counter;
  while (!test.manager().is_finished()) test.manager().Step();
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_GT(test.manager().statistics().transitions, 20U);
}

TEST_F(StatechartTest, ShowsStatesRegionsTimesAndData) {
  TestSystem test(System(Chart("c",
                               "<datamodel><data id='mode' davit:values='slow fast'/></datamodel>"
                               "<state id='out'><transition event='go' target='t'>"
                               "<assign location='mode' expr=\"'fast'\"/></transition></state>"
                               "<state id='in'><state id='s'/><state id='t'/></state>") +
                         At(1, "go", "c") + "<Record signals=\"c.* c.time.t\"/>"));
  std::vector<std::string> names;
  for (const Item& column : test.system().record_plan().columns) names.push_back(column.path());
  EXPECT_THAT(names, ElementsAre("c.mode", "c.region", "c.state.out", "c.state.in", "c.region.in",
                                 "c.state.s", "c.state.t", "c.time.t"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  EXPECT_THAT(rows[9].values, ElementsAre(0, 0, 1, 0, -1, 0, 0, 0));
  EXPECT_THAT(rows[10].values, ElementsAre(1, 1, 0, 1, 1, 0, 1, 0));
  EXPECT_NEAR(rows[15].values[7], 0.5, 1e-12);
}

TEST_F(StatechartTest, ChartsBelowReadChartsAbove) {
  // Names of charts that come later in the file are known, and their types are checked.
  const std::string below = Chart("below", "<state id='on'/><state id='off'/>");
  const std::string reader = Chart("reader",
                                   "<state id='a'><transition cond='below.state.on' target='b'/></state>"
                                   "<state id='b'/>");
  TestSystem test(System(reader + below));
  test.Run();
  EXPECT_EQ(test.Read("reader.state.b"), 1);
  const std::string wrong = Chart("wrong",
                                  "<state id='a'>\n<transition cond='below.state.onn' target='b'/></state>"
                                  "<state id='b'><transition cond='below.region' target='a'/></state>");
  const std::vector<std::string> faults = FaultsOf(System(wrong + below));
  EXPECT_THAT(faults, Contains(HasSubstr("wrong.scxml:3: error: /a: cond, column 19: no value is named "
                                         "'below.state.onn'; did you mean 'state.on'?")));
  EXPECT_THAT(faults, Contains(HasSubstr("the condition is a number; compare it")));
}

TEST_F(StatechartTest, FaultsOfTheChartAndOfTheSystemComeTogether) {
  const std::vector<std::string> faults =
      FaultsOf(System(Chart("c",
                            "<state id='a'><onentry>\n<assign location='x.z' expr='1'/>\n"
                            "<send target='xx' event='go'/></onentry>"
                            "<transition cond='x.yy gt 1' target='b'/></state>") +
                      "<signal.Integrator name=\"x\"/>" + At(1, "go", "c") + At(1, "go", "x") +
                      "<Route from=\"c.nothing\" to=\"x.u\"/>" +
                      "<Statechart name=\"d\" src=\"missing.scxml\"/><Statechart name=\"e\"/>"));
  EXPECT_THAT(faults,
              Contains(HasSubstr("c.scxml:3: error: /a: location, column 19: nothing that can be set is "
                                 "named 'x.z'")));
  EXPECT_THAT(faults,
              Contains(HasSubstr("c.scxml:4: error: /a: no component 'xx' takes the message 'go'; did you "
                                 "mean 'x'?")));
  EXPECT_THAT(faults, Contains(HasSubstr("no value is named 'x.yy'; did you mean 'y'?")));
  EXPECT_THAT(faults, Contains(HasSubstr("no state has the id 'b'")));
  EXPECT_THAT(faults, Contains(HasSubstr("'x' takes no events; write the path of a Statechart")));
  EXPECT_THAT(faults, Contains(HasSubstr("/d: cannot read 'missing.scxml'")));
  EXPECT_THAT(faults, Contains(HasSubstr("/e: src is missing; write src=\"operator.scxml\"")));
  // What does not find a chart with faults is no fault of its own.
  EXPECT_THAT(faults, Not(Contains(HasSubstr("c.nothing"))));
}

TEST_F(StatechartTest, RefusesEventsThatNobodyTakesAndWritesWithoutEffect) {
  const std::string chart = Chart("c",
                                  "<state id='a'><onentry>\n<assign location='x.u' expr='1'/>\n"
                                  "</onentry><transition event='lift lower.*'/></state>");
  const std::string route = "<signal.Integrator name=\"x\"/><signal.Constant name=\"k\"/>";
  EXPECT_THAT(FaultsOf(System(chart + route + At(1, "lifft", "c") + At(1, "lower.slowly", "c"))),
              ElementsAre(HasSubstr("/c: the chart takes no event 'lifft'; did you mean 'lift'?")));
  EXPECT_THAT(FaultsOf(System(chart + route + "<Route from=\"k.y\" to=\"x.u\"/>")),
              ElementsAre(HasSubstr(
                  "c.scxml:3: error: /c: x.u is driven by a <Route>, so setting it has no effect")));
}

/// Asks for the level that a signal means, at each change.
std::string Chaser(const fs::path& folder, const std::string& dwell) {
  const fs::path file = folder / "chaser.scxml";
  std::ofstream(file)
      << "<scxml xmlns='http://www.w3.org/2005/07/scxml' xmlns:davit='urn:davit:chart:1' "
         "version='1.0' davit:dwell='" +
             dwell +
             "'>\n<state id='s'>"
             "<transition event='up'><assign location='level' expr=\"'Advanced'\"/></transition>"
             "<transition event='down'><assign location='level' expr=\"'Ideal'\"/></transition>"
             "<transition event='middle'><assign location='level' expr=\"'Standard'\"/>"
             "<assign location='lag' expr=\"'None'\"/></transition>"
             "</state></scxml>\n";
  return fmt::format("<test.Follower name=\"f\" chart=\"{}\"/>", file.string());
}

TEST_F(StatechartTest, SwitchesKeepTheirDistance) {
  const std::string events = At(0.1, "up", "f.chart") + At(0.2, "down", "f.chart") +
                             At(0.3, "up", "f.chart") + At(0.5, "middle", "f.chart") +
                             At(1.5, "up", "f.chart");
  TestSystem test(System(Chaser(folder_, "600ms") + events + "<Record signals='f.level f.lag'/>"));
  std::vector<double> at;
  std::vector<double> levels;
  double before = 0;
  for (const TestRow& row : test.RunAndRecord()) {
    if (row.values[0] != before) {
      at.push_back(row.t);
      levels.push_back(row.values[0]);
    }
    before = row.values[0];
  }
  // At 0.1 it may; what comes until 0.7 waits, and the last of it counts, both parts together.
  EXPECT_THAT(levels, ElementsAre(2, 1, 2));
  ASSERT_EQ(at.size(), 3U);
  EXPECT_NEAR(at[0], 0.1, 1e-9);
  EXPECT_NEAR(at[1], 0.7, 1e-9);
  EXPECT_NEAR(at[2], 1.5, 1e-9);
  // Set alone after the level.
  TestSystem until(System(Chaser(folder_, "600ms") + events));
  until.manager().Initialize();
  until.manager().RunUntil(1);
  EXPECT_EQ(until.Read("f.level"), 1);
  EXPECT_EQ(until.Read("f.lag"), 0);
}

TEST_F(StatechartTest, WithoutADistanceSwitchesFollowAtOnce) {
  TestSystem test(System(Chaser(folder_, "0s") + At(0.1, "up", "f.chart") + At(0.2, "down", "f.chart")));
  test.Run();
  EXPECT_EQ(test.manager().statistics().level_switches, 2U);
}

TEST_F(StatechartTest, AWrongDistanceIsRefused) {
  EXPECT_THAT(
      FaultsOf(System(Chaser(folder_, "soon"))),
      ElementsAre(HasSubstr("chaser.scxml:1: error: /: davit:dwell is 'soon'; write a time such as")));
}

TEST_F(StatechartTest, AChartThatRunsAScriptHasNoSnapshot) {
  if (!HasEcmascript()) GTEST_SKIP() << "davit is built without Duktape";
  std::ofstream(folder_ / "script.scxml") << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0' "
                                             "datamodel='ecmascript'><state id='s'/></scxml>";
  TestSystem test(
      System(fmt::format("<Statechart name=\"script\" src=\"{}\"/>", (folder_ / "script.scxml").string())));
  test.RunAndRecord();
  std::ostringstream stream;
  try {
    test.manager().SaveState(stream);
    ADD_FAILURE() << "a snapshot was taken";
  } catch (const std::runtime_error& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("/script: its chart runs a script"));
  }
}

}  // namespace
}  // namespace davit
