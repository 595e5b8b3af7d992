#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <string>

#include "components/register.h"
#include "framework/xml/xml_file.h"
#include "proof/bench_element.h"
#include "proof/bench_file.h"
#include "proof/bench_report.h"
#include "proof/bench_run.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// x = t, s = 1 - exp(-t), and a chart that counts; 10 s.
constexpr const char* kSystem = R"xml(<System name="ramp" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="10 s"/>
  <Statechart name="counter" src="counter.scxml"/>
  <user.Equation name="m">
    <Parameter name="rate" unit="m/s" value="1 m/s"/>
    <State name="x" unit="m" der="rate"/>
    <State name="s" unit="m" der="1 m/s - s/(1 s)"/>
    <State name="y" unit="m" der="v"/>
    <State name="v" unit="m/s" start="1" der="(0 - y)/(1 s)/(1 s)"/>
  </user.Equation>
</System>)xml";
constexpr const char* kChart = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="low"><transition cond="m.x gt 2 m" target="high"/><transition event="up" target="high"/></state>
  <state id="high"><transition event="down" target="low"/></state>
</scxml>)xml";

class BenchTest : public testing::Test {
 protected:
  BenchTest()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    fs::create_directories(folder_);
    Write("ramp.xml", kSystem);
    Write("counter.scxml", kChart);
  }
  ~BenchTest() override { fs::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  fs::path WriteBench(const std::string& inside) const {
    Write("bench.xml", "<Bench system=\"ramp.xml\">" + inside + "</Bench>");
    return folder_ / "bench.xml";
  }
  /// All that is wrong with a bench before it runs.
  std::string FaultsOf(const std::string& inside) {
    Diagnostics diagnostics;
    const Bench bench = LoadBench(WriteBench(inside), diagnostics);
    BenchRun(bench, registry_).Check(diagnostics);
    return ToText(diagnostics);
  }
  std::vector<CaseReport> Run(const std::string& inside, unsigned workers = 1) {
    EXPECT_EQ(FaultsOf(inside), "");
    Diagnostics diagnostics;
    bench_ = LoadBench(folder_ / "bench.xml", diagnostics);
    return BenchRun(bench_, registry_).Run({.workers = workers, .counts_coverage = true});
  }
  /// Of one expectation.
  Verdict Judge(const std::string& expectation) {
    return Run("<Case name=\"one\">" + expectation + "</Case>").front().expectations.front().verdict;
  }

  Registry registry_;
  fs::path folder_;
  Bench bench_;
};

TEST_F(BenchTest, ExpectationsHoldExactlyWhereTheyAreTrue) {
  const std::vector<std::pair<std::string, bool>> cases{
      {R"xml(<Always expr="m.x ge 0 m"/>)xml", true},
      {R"xml(<Always expr="m.x lt 9.99 m"/>)xml", false},
      {R"xml(<Always expr="m.x lt 9.99 m" to="9.9 s"/>)xml", true},
      {R"xml(<Never expr="m.x gt 10.01 m"/>)xml", true},
      {R"xml(<Never expr="m.x gt 9.99 m"/>)xml", false},
      {R"xml(<Never expr="sqrt(m.x - 50 m) gt 0"/>)xml", false},  // it has no value
      {R"xml(<Always expr="not (sqrt(m.x - 50 m) gt 0)"/>)xml", false},
      {R"xml(<Eventually expr="m.x gt 9.98 m"/>)xml", true},
      {R"xml(<Eventually expr="m.x gt 10.5 m"/>)xml", false},
      {R"xml(<Within expr="m.x ge 3 m" time="3.02 s"/>)xml", true},
      {R"xml(<Within expr="m.x ge 3 m" time="2.9 s"/>)xml", false},
      {R"xml(<Within expr="m.x ge 5 m" after="m.x ge 3 m" time="2.02 s"/>)xml", true},
      {R"xml(<Within expr="m.x ge 5 m" after="m.x ge 3 m" time="1.9 s"/>)xml", false},
      {R"xml(<Within expr="m.x ge 5 m" after="m.x ge 30 m" time="100 s"/>)xml", false},
      {R"xml(<Settles signal="m.s" value="1 m" band="0.0498 m" time="3.02 s"/>)xml",
       true},  // exp(-3) = 0.0498
      {R"xml(<Settles signal="m.s" value="1 m" band="0.0498 m" time="2.9 s"/>)xml", false},
      {R"xml(<Settles signal="m.y" value="0 m" band="0.5 m"/>)xml", false},
      {R"xml(<Overshoot signal="m.y" value="0.5 m" most="101 %"/>)xml", true},  // sin goes to 1, and to -1
      {R"xml(<Overshoot signal="m.y" value="0.5 m" most="99 %"/>)xml", false},
      {R"xml(<Overshoot signal="m.s" most="1 %"/>)xml", true},
      {R"xml(<Monotone signal="m.s"/>)xml", true},
      {R"xml(<Monotone signal="0 m - m.s" direction="falling"/>)xml", true},
      {R"xml(<Monotone signal="m.s" direction="falling"/>)xml", false},
      {R"xml(<Monotone signal="m.y" slack="2.01 m"/>)xml", true},
      {R"xml(<Monotone signal="m.y" slack="1.9 m"/>)xml", false},
      {R"xml(<Order of="m.x gt 1 m; m.x gt 2 m; counter.state.high"/>)xml", true},
      {R"xml(<Order of="m.x gt 2 m; m.x gt 1 m"/>)xml", false},
      {R"xml(<Order of="m.x gt 1 m; m.x gt 20 m"/>)xml", false},
      {R"xml(<Reaches of="counter" state="high" time="2.05 s"/>)xml", true},
      {R"xml(<Reaches of="counter" state="high" time="1.9 s"/>)xml", false},
  };
  for (const auto& [text, is_met] : cases) {
    const Verdict verdict = Judge(text);
    EXPECT_EQ(verdict.is_met, is_met) << text << ": " << verdict.text;
    if (!is_met) {
      EXPECT_NE(verdict.text, "") << text;
    }
  }
}

TEST_F(BenchTest, AReferenceCurveHasATube) {
  std::string curve = "time,x\n";
  for (int i = 0; i <= 20; ++i) curve += std::to_string(0.5 * i) + "," + std::to_string(0.5 * i + 0.2) + "\n";
  Write("curve.csv", curve);
  const std::string begin = R"xml(<Follows signal="m.x" file="curve.csv" column="x" )xml";
  EXPECT_TRUE(Judge(begin + R"xml(tube="0.21 m"/>)xml").is_met);
  EXPECT_FALSE(Judge(begin + R"xml(tube="0.19 m"/>)xml").is_met);
  EXPECT_TRUE(Judge(begin + R"xml(tube="0.01 m" time_tube="0.2 s" from="0.3 s"/>)xml").is_met);
  EXPECT_FALSE(Judge(begin + R"xml(tube="0.01 m" time_tube="0.18 s" from="0.3 s"/>)xml").is_met);
  // The same for a curve that falls, and for one that is late.
  curve = "time,falling,late\n";
  for (int i = 0; i <= 20; ++i) {
    curve += std::to_string(0.5 * i) + "," + std::to_string(0.2 - 0.5 * i) + "," +
             std::to_string(0.5 * i - 0.2) + "\n";
  }
  Write("curve.csv", curve);
  const std::string end = R"xml(tube="0.01 m" time_tube="0.2 s" from="0.3 s" to="9.7 s"/>)xml";
  EXPECT_TRUE(Judge(R"xml(<Follows signal="0 m - m.x" file="curve.csv" column="falling" )xml" + end).is_met);
  EXPECT_TRUE(Judge(R"xml(<Follows signal="m.x" file="curve.csv" column="late" )xml" + end).is_met);
  // A peak counts for the time around it.
  Write("curve.csv", "time,peak\n0,1\n4.9,1\n5,0\n5.1,1\n10,1\n");
  const std::string zero =
      R"xml(<Follows signal="m.x - m.x" file="curve.csv" column="peak" tube="0.01 m" )xml";
  EXPECT_TRUE(Judge(zero + R"xml(time_tube="0.2 s" from="4.85 s" to="5.15 s"/>)xml").is_met);
  EXPECT_FALSE(Judge(zero + R"xml(time_tube="0.2 s" from="4.7 s" to="5.15 s"/>)xml").is_met);
}

TEST_F(BenchTest, ActionsActAtTimesAndOnConditions) {
  const auto reports = Run(R"xml(
    <Case name="at"><At time="3 s" set="m.rate" value="0 m/s"/><Always expr="m.x lt 3.02 m"/>
                    <Eventually expr="m.x gt 2.98 m"/></Case>
    <Case name="when"><When expr="m.x ge 4 m" delay="1 s" set="m.rate" value="0 m/s"/>
                      <Always expr="m.x lt 5.03 m"/><Eventually expr="m.x gt 4.98 m"/></Case>
    <Case name="event"><Set path="m.rate" value="0 m/s"/><At time="1 s" event="up" to="counter"/>
                       <When expr="counter.time.high gt 2" event="down"/>
                       <Order of="counter.state.high; m.x ge 0 m and counter.time.low gt 1"/>
                       <Reaches of="counter" state="low" from="2 s" time="1.1 s"/></Case>
    <Case name="never"><When expr="m.x gt 50 m" event="down"/><Always expr="true"/></Case>
    <Case name="late"><When expr="m.x ge 2 m" delay="100 s" event="down"/><Always expr="true"/></Case>
    <Case name="just late"><When expr="m.x ge 2 m" delay="8 s" event="down"/><Always expr="true"/></Case>
    <Case name="in time"><When expr="m.x ge 2 m" delay="7.9 s" event="down"/><Always expr="true"/></Case>)xml");
  EXPECT_TRUE(reports[0].is_passed()) << TextReport(reports, true);
  EXPECT_TRUE(reports[1].is_passed()) << TextReport(reports, true);
  EXPECT_TRUE(reports[2].is_passed()) << TextReport(reports, true);
  EXPECT_THAT(TextReport(reports, true), HasSubstr("bench.xml:10: 'm.x gt 50 m' never"));
  EXPECT_THAT(reports[3].fault, HasSubstr("'m.x gt 50 m' never became true"));
  EXPECT_THAT(reports[4].fault,
              testing::MatchesRegex("the condition became true at 2(\\.01)? s, the "
                                    "action was due at 102(\\.01)? s, the run ends at 10 s"));
  EXPECT_THAT(reports[5].fault, HasSubstr("the run ends at 10 s"));
  EXPECT_TRUE(reports[6].is_passed()) << TextReport(reports, true);
}

/// An event that no transition names is an error of the bench, and the chart is named.
TEST_F(BenchTest, EventsThatNoChartTakesAreRefusedBeforeTheRun) {
  EXPECT_EQ(FaultsOf("\n<Case name=\"a\"><At time=\"1 s\" event=\"upp\" to=\"counter\"/>\n"
                     "<When expr=\"m.x gt 1 m\" event=\"upp\"/><Always expr=\"true\"/></Case>"),
            (folder_ / "bench.xml").string() +
                ":2: error: /counter: the chart takes no event 'upp'; did you mean 'up'?\n" +
                (folder_ / "bench.xml").string() +
                ":3: error: /counter: the chart takes no event 'upp'; did you mean 'up'?");
}

/// A window outside of the run, or outside of a reference curve, would prove nothing.
TEST_F(BenchTest, WindowsThatProveNothingAreRefused) {
  const auto fault_of = [&](const std::string& expectation) {
    return FaultsOf("<Case name=\"a\">" + expectation + "</Case>");
  };
  EXPECT_THAT(fault_of(R"xml(<Always expr="true" from="50 s"/>)xml"),
              HasSubstr("from: '50 s' is after the end of the run; it is from 0 s to 10 s"));
  EXPECT_THAT(fault_of(R"xml(<Always expr="true" from="5 s" to="4 s"/>)xml"),
              HasSubstr("to: '4 s' is before from; write a time after 5 s"));
  EXPECT_THAT(Judge(R"xml(<Always expr="true" after="m.x lt 4 m" from="5 s"/>)xml").text,
              HasSubstr("'m.x lt 4 m' is not true from 5 s on"));
  Write("short.csv", "time,x\n1,1\n8,8\n");
  const std::string begin = R"xml(<Follows signal="m.x" file="short.csv" column="x" tube="0.1 m" )xml";
  EXPECT_THAT(fault_of(begin + R"xml(from="1 s"/>)xml"),
              HasSubstr("the window ends after the reference; write to=\"8 s\""));
  EXPECT_THAT(fault_of(begin + R"xml(to="8 s"/>)xml"), HasSubstr("write from=\"1 s\""));
  EXPECT_TRUE(Judge(begin + R"xml(from="1 s" to="8 s"/>)xml").is_met);
  EXPECT_TRUE(Judge(begin + R"xml(after="m.x ge 2 m" to="8 s"/>)xml").is_met);
  EXPECT_THAT(Judge(begin + R"xml(after="m.x ge 0 m" to="8 s"/>)xml").text, HasSubstr("write from=\"1 s\""));
}

/// Verdicts have the units in which engineers read a signal.
TEST_F(BenchTest, VerdictsHaveUnits) {
  EXPECT_THAT(Judge(R"xml(<Settles signal="m.y" value="0 m" band="0.1 m"/>)xml").text,
              testing::MatchesRegex("-?0\\.[0-9]+ m from its value at 10 s; the band is 0.1 m"));
  EXPECT_THAT(Judge(R"xml(<Monotone signal="m.y"/>)xml").text,
              testing::MatchesRegex("turns back to 0\\.9[0-9]+ m at .* s, after (1|0\\.9[0-9]+) m"));
}

TEST_F(BenchTest, LevelsAreSetAndReached) {
  Write("levels.xml", R"xml(<Bench system=")xml" DAVIT_SOURCE_DIR
                      R"xml(/systems/level_switching.xml" stop="4 s">
  <Case name="switched"><Reaches of="dcv" level="Standard" time="3.1 s"/></Case>
  <Case name="from the start"><Level path="dcv" level="Standard"/><Always expr="dcv.level == 'Standard'"/></Case>
  <Case name="too early"><Reaches of="dcv" level="Standard" time="2.9 s"/></Case>
</Bench>)xml");
  Diagnostics diagnostics;
  const Bench bench = LoadBench(folder_ / "levels.xml", diagnostics);
  const BenchRun run(bench, registry_);
  run.Check(diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics);
  const auto reports = run.Run({.workers = 1});
  EXPECT_TRUE(reports[0].is_passed()) << TextReport(reports, true);
  EXPECT_TRUE(reports[1].is_passed()) << TextReport(reports, true);
  EXPECT_FALSE(reports[2].is_passed());
}

TEST_F(BenchTest, OnlyNamedChartsAreCovered) {
  Write("ramp.xml", std::string(kSystem).replace(std::string(kSystem).find("<user"), 0,
                                                 R"(<Statechart name="second" src="counter.scxml"/>)"));
  const std::string one = R"xml(<Case name="a"><Always expr="true"/></Case>)xml";
  EXPECT_EQ(JoinCoverage(Run(one)).size(), 2U);
  const CoverageMap named = JoinCoverage(Run(R"xml(<Cover chart="second"/>)xml" + one));
  ASSERT_EQ(named.size(), 1U);
  EXPECT_TRUE(named.contains("second"));
}

TEST_F(BenchTest, StartsFromASnapshot) {
  {
    auto simulation = Simulation::Load(folder_ / "ramp.xml", registry_).Take();
    simulation->Initialize();
    simulation->RunUntil(6);
    simulation->SaveState(folder_ / "six.snap");
  }
  const auto reports =
      Run(R"xml(<Case name="s" snapshot="six.snap" stop="8 s"><Always expr="m.x ge 5.99 m and m.x le 8.01 m"/>
                                <Within expr="m.x ge 7 m" time="1.02 s"/></Case>)xml");
  EXPECT_TRUE(reports[0].is_passed()) << TextReport(reports, true);
  EXPECT_NEAR(reports[0].simulated, 2, 1e-9);
  // What the snapshot replaces proves nothing; what it agrees with does no harm.
  EXPECT_THAT(
      FaultsOf("\n<Case name=\"s\" snapshot=\"six.snap\">\n<Set path=\"m.rate\" value=\"2 m/s\"/>"
               "<Always expr=\"true\"/></Case>"),
      HasSubstr("bench.xml:3: error: has no effect: the run continues with m.rate = 1 m/s; set it with "
                "<At>"));
  EXPECT_EQ(FaultsOf(R"xml(<Case name="s" snapshot="six.snap"><Set path="m.rate" value="1 m/s"/>
                           <Always expr="true"/></Case>)xml"),
            "");
  EXPECT_THAT(FaultsOf(R"xml(<Case name="s" snapshot="none.snap"><Always expr="true"/></Case>)xml"),
              HasSubstr("bench.xml:1: error: "));
  EXPECT_THAT(FaultsOf(R"xml(<Case name="s" snapshot="six.snap" stop="5 s"><Always expr="true"/></Case>)xml"),
              HasSubstr("it can never start; give it a later stop"));
}

TEST_F(BenchTest, WrongInputIsNamedInOnePass) {
  const std::string faults = FaultsOf(R"xml(
    <Case name="a"><Always expr="m.xx gt 1 m"/><Never expr="m.x gt 1 s"/><At time="20 s" event="up"/>
      <Reaches of="counter" state="hig"/><Follows signal="m.x" file="none.csv" tube="1 m"/>
      <Settles signal="m.x" value="1 s" band="1 m"/><At time="1 s" event="up" to="conter"/></Case>
    <Case name="b"><Set path="m.rat" value="1"/><Always expr="true"/></Case>
    <Case name="c"><Set path="SimulatorManager.Autostart" value="false"/><Always expr="true"/></Case>)xml");
  for (const char* part :
       {"did you mean 'x'?", "compares m and s", "'20 s' is not in the run, from 0 s to 10 s", "state.high",
        "none.csv", "value: '1 s' is in s", "did you mean 'counter'?", "did you mean 'rate'?",
        "waits for the message Start"})
    EXPECT_THAT(faults, HasSubstr(part));
  EXPECT_THAT(FaultsOf(R"xml(<Case name="a"><Alway expr="true"/></Case>)xml"),
              HasSubstr("did you mean 'Always'?"));
  EXPECT_THAT(FaultsOf(R"xml(<Case name="a"><Always exp="true"/></Case>)xml"),
              HasSubstr("did you mean 'expr'?"));
  EXPECT_THAT(FaultsOf(R"xml(<Case name="a"/>)xml"), HasSubstr("expects nothing"));
  EXPECT_THAT(
      FaultsOf(
          R"xml(<Case name="a"><Always expr="true"/></Case><Case name="a"><Always expr="true"/></Case>)xml"),
      HasSubstr("two cases are named 'a'"));
  EXPECT_THAT(FaultsOf(""), HasSubstr("there is no case"));
  EXPECT_THAT(FaultsOf(R"xml(<Case name="a" system="none.xml"><Always expr="true"/></Case>)xml"),
              HasSubstr("bench.xml:1: error: "));
  EXPECT_THAT(FaultsOf(R"xml(<Case name="a" stop="0 s"><Always expr="true"/></Case>)xml"),
              testing::Not(HasSubstr("ramp.xml:")));
}

/// Wrong elements, settings, actions and expectations are found in one pass, also where the system cannot be
/// loaded with the settings, and each once.
TEST_F(BenchTest, AnErrorHidesNoOther) {
  const std::string faults = FaultsOf(R"xml(
    <Case name="a" tex="x"><Set path="m.rat" value="1"/><Set path="m.rate" value="1 m/s"/><Always exp="true"/>
      <At time="1 s" set="m.rat" value="0"/><Never expr="m.xx gt 1 m"/><When expr="m.x gt 1 m"/>
      <Reaches of="counter"/><Reaches of="counter" state="low" level="Ideal"/>
      <Reaches of="m" state="low"/><Settles signal="m.x" value="1 bar" band="1 m"/></Case>)xml");
  for (const char* part :
       {"no attribute 'tex'", ":2: error: no attribute 'exp'", ":2: error: /m: no parameter 'rat'",
        ":3: error: ", "m.xx", "<When> is incomplete; give it one of the attributes set, message, event",
        "<Reaches> is incomplete; give it one of the attributes state, level",
        "has both state=\"...\" and level=\"...\"; leave one of them out", "of: 'm' is not a chart",
        "value: '1 bar' is in Pa, the signal in m; write it in the unit of the signal"})
    EXPECT_THAT(faults, HasSubstr(part));
  EXPECT_EQ(std::ranges::count(faults, '\n'), 10) << faults;
}

/// A bench that was cut off anywhere is refused with its line; none is run, and no case is forgotten in
/// silence.
TEST_F(BenchTest, AFileThatIsCutOffIsRefused) {
  const std::string whole = R"xml(<Bench system="ramp.xml" stop="5 s">
  <Cover chart="counter"/>
  <Case name="a" text="first"><Set path="m.rate" value="2 m/s"/><At time="1 s" event="up" to="counter"/>
    <Always expr="m.x ge 0 m"/><Within expr="m.x ge 3 m" after="m.x ge 1 m" time="4 s"/></Case>
  <Case name="b"><When expr="m.x ge 4 m" delay="100 ms" set="m.rate" value="0 m/s"/>
    <Settles signal="m.s" value="1 m" band="0.1 m"/><Order of="m.x gt 1 m; m.x gt 2 m"/></Case>
</Bench>)xml";
  const auto faults_of = [&](const std::string& text) {
    Write("cut.xml", text);
    Diagnostics diagnostics;
    const Bench bench = LoadBench(folder_ / "cut.xml", diagnostics);
    BenchRun(bench, registry_).Check(diagnostics);
    return ToText(diagnostics);
  };
  ASSERT_EQ(faults_of(whole), "");
  std::mt19937 random(43);
  for (int i = 0; i < 40; ++i) {
    const std::size_t at = random() % whole.size();
    EXPECT_THAT(faults_of(whole.substr(0, at)), testing::AllOf(HasSubstr("cut.xml"), HasSubstr("error: ")))
        << "at " << at;
    std::string changed = whole;
    changed[at] = static_cast<char>(random() % 256);
    faults_of(changed);  // it may still be a bench
  }
}

TEST_F(BenchTest, ResultsDependNeitherOnTheNumberOfThreadsNorOnCoverage) {
  std::string cases;
  for (int i = 0; i < 8; ++i)
    cases += "<Case name=\"c" + std::to_string(i) + "\"><Always expr=\"m.x lt " + std::to_string(i) +
             " m\"/></Case>";
  const auto one = Run(cases, 1), four = Run(cases, 4);
  EXPECT_EQ(TextReport(one, false), TextReport(four, false));
  EXPECT_EQ(CoverageJson(JoinCoverage(one)), CoverageJson(JoinCoverage(four)));
  const auto bare = BenchRun(bench_, registry_).Run({.workers = 1});
  EXPECT_EQ(TextReport(one, false), TextReport(bare, false));
}

TEST_F(BenchTest, CoverageIsJoinedAndDemanded) {
  const auto reports = Run(R"xml(
    <Case name="a"><Always expr="true"/></Case>
    <Case name="b" stop="1.5 s"><At time="1 s" event="up"/><Always expr="true"/></Case>)xml");
  const CoverageMap coverage = JoinCoverage(reports);
  ASSERT_TRUE(coverage.contains("counter"));
  EXPECT_EQ(coverage.at("counter").transitions.at("low/1"), 1U);
  EXPECT_EQ(coverage.at("counter").transitions.at("low/2"), 1U);
  EXPECT_EQ(coverage.at("counter").transitions.at("high/1"), 0U);
  Diagnostics diagnostics;
  const auto demands =
      ReadCoverageDemands({"states=100%", "transitions=60 %", "transitions=70"}, "--require", diagnostics);
  EXPECT_THAT(UnmetDemands(coverage, demands),
              ElementsAre(HasSubstr("2 of 3 (66.7 %), 70 % required; missed counter high/1")));
  ReadCoverageDemands({"transition=100%", "states=200%", "states=0.9"}, "--require", diagnostics);
  EXPECT_THAT(ToText(diagnostics),
              testing::AllOf(HasSubstr("did you mean 'transitions'?"), HasSubstr("0 to 100"),
                             HasSubstr("0.9 is less than 1 %; write states=90%, or states=0.9%")));
  EXPECT_EQ(ReadCoverageDemands({"states=0.9%", "states=0"}, "--require", diagnostics).size(), 2U);
  EXPECT_THAT(UnmetDemands({}, demands), testing::Contains(HasSubstr("name another chart with <Cover")));
  Write("c.json", CoverageJson(coverage));
  const CoverageMap loaded = LoadCoverage(folder_ / "c.json", diagnostics);
  EXPECT_EQ(loaded.at("counter").transitions, coverage.at("counter").transitions);
  EXPECT_EQ(loaded.at("counter").guards, coverage.at("counter").guards);
}

TEST_F(BenchTest, ReportsAreWellFormedAndComplete) {
  const auto reports = Run(R"xml(<Case name="good &amp; &lt;fast&gt;" text="R1"><Always expr="true"/></Case>
    <Case name="bad" text="x stays small"><Always expr="m.x lt 2 m" text="R2: x &lt; 2"/><Never expr="m.s gt 5 m"/></Case>
    <Case name="stuck"><When expr="m.x gt 50 m" event="up"/><Always expr="true"/></Case>)xml");
  const std::string junit = JunitReport(bench_, reports);
  EXPECT_NE(ParseXml(junit, {.noun = "report", .root = "testsuites"}).document, nullptr) << junit;
  EXPECT_THAT(junit, HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\""));
  EXPECT_THAT(junit, HasSubstr("false at 2"));
  EXPECT_THAT(junit, HasSubstr("<property name=\"text\" value=\"R1\"/>"));
  EXPECT_THAT(junit, HasSubstr("message=\"R2: x &lt; 2 (Always"));
  const std::string html = HtmlReport(bench_, reports, JoinCoverage(reports));
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, HasSubstr("1 of 3 cases passed"));
  EXPECT_THAT(html, HasSubstr("good &amp; &lt;fast&gt;"));
}

TEST(BenchElements, TheSchemaHasEveryElementAndAttribute) {
  const std::string schema = MakeBenchSchema();
  ASSERT_NE(ParseXml(schema, {.noun = "schema", .root = "xs:schema"}).document, nullptr);
  for (const ElementKind& kind : BenchElementKinds()) {
    EXPECT_THAT(schema, HasSubstr("<xs:element name=\"" + std::string(kind.name) + "\">"));
    for (const AttributeKind& one : kind.attributes)
      EXPECT_THAT(schema, HasSubstr("<xs:attribute name=\"" + std::string(one.name) + "\"")) << kind.name;
  }
}

// ---- The crane

/// The safety chart with one defect: a transition that is missing, a guard that is inverted, an event that
/// has another name.
struct Mutant {
  std::string what, text;
};

std::vector<Mutant> MutantsOf(const std::string& chart) {
  std::vector<Mutant> mutants;
  static const std::regex kTransition("<transition [^>]*>"), kCond("cond=\"([^\"]*)\""),
      kEvent("event=\"([^\"]*)\"");
  for (std::sregex_iterator at(chart.begin(), chart.end(), kTransition), end; at != end; ++at) {
    const auto begin = static_cast<std::size_t>(at->position());
    const std::string tag = at->str();
    const std::string place =
        "line " + std::to_string(1 + std::count(chart.begin(), chart.begin() + at->position(), '\n'));
    const auto with = [&](const std::string& other) {
      return chart.substr(0, begin) + other + chart.substr(begin + tag.size());
    };
    const bool is_empty = tag.ends_with("/>");
    const std::size_t behind = is_empty ? begin + tag.size() : chart.find("</transition>", begin) + 13;
    mutants.push_back({place + " missing", chart.substr(0, begin) + chart.substr(behind)});
    std::smatch found;
    if (std::regex_search(tag, found, kCond))
      mutants.push_back({place + " inverted", with(std::regex_replace(tag, kCond, "cond=\"not ($1)\""))});
    if (std::regex_search(tag, found, kEvent))
      mutants.push_back({place + " renamed", with(std::regex_replace(tag, kEvent, "event=\"$1.other\""))});
  }
  return mutants;
}

class CraneBench : public testing::Test {
 protected:
  static constexpr const char* kChartFile = "charts/crane_safety.scxml";

  CraneBench()
      : folder_(fs::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    fs::create_directories(folder_ / "benches");
    fs::create_directories(folder_ / "charts");
    const fs::path systems = fs::path(DAVIT_SOURCE_DIR) / "systems";
    for (const char* file : {"knuckle_boom_crane.xml", "benches/crane_safety.xml",
                             "charts/crane_operator.scxml", "charts/crane_detail.scxml", kChartFile})
      fs::copy_file(systems / file, folder_ / file, fs::copy_options::overwrite_existing);
    std::ostringstream text;
    text << std::ifstream(folder_ / kChartFile).rdbuf();
    chart_ = text.str();
  }
  ~CraneBench() override { fs::remove_all(folder_); }

  std::vector<CaseReport> Run(const std::string& chart) {
    std::ofstream(folder_ / kChartFile) << chart;
    Diagnostics diagnostics;
    const Bench bench = LoadBench(folder_ / "benches/crane_safety.xml", diagnostics);
    const BenchRun run(bench, registry_);
    run.Check(diagnostics);
    if (diagnostics.has_errors()) return {};
    return run.Run({.workers = 2, .counts_coverage = true});
  }
  void ExpectRed(std::size_t first, std::size_t step) {
    const std::vector<Mutant> mutants = MutantsOf(chart_);
    ASSERT_GE(mutants.size(), 20U);
    for (std::size_t i = first; i < mutants.size(); i += step) {
      const auto reports = Run(mutants[i].text);
      // An event that the chart no longer takes is refused before the run.
      EXPECT_TRUE(reports.empty() ||
                  std::ranges::any_of(reports, [](const CaseReport& one) { return !one.is_passed(); }))
          << mutants[i].what;
    }
  }

  Registry registry_;
  fs::path folder_;
  std::string chart_;
};

TEST_F(CraneBench, IsGreenAndTakesEveryTransition) {
  const auto reports = Run(chart_);
  EXPECT_THAT(TextReport(reports, true), HasSubstr("8 of 8 cases passed"));
  const CoverageMap coverage = JoinCoverage(reports);
  ASSERT_EQ(coverage.size(), 1U);
  EXPECT_EQ(ChartCounts::ShareOf(coverage.at("safety").transitions).total, 24U);
  EXPECT_EQ(ChartCounts::ShareOf(coverage.at("safety").transitions).covered, 24U);
}

// A third of the mutants each.
TEST_F(CraneBench, MutantsTurnItRed1) { ExpectRed(0, 3); }
TEST_F(CraneBench, MutantsTurnItRed2) { ExpectRed(1, 3); }
TEST_F(CraneBench, MutantsTurnItRed3) { ExpectRed(2, 3); }

}  // namespace
}  // namespace davit
