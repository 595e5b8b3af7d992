// The charts that models bring along: whether they are in step with what the models declare, and what they
// do.

#include "simulator/charts/default_chart.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/aspect.h"
#include "framework/mode.h"
#include "framework/run_log.h"
#include "framework/tree/component_pool.h"
#include "framework/xml/xml_file.h"
#include "simulator/charts/chart_set.h"
#include "statecharts/default_charts.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> ModelsWithBehaviours() {
  Registry registry;
  RegisterComponents(registry);
  std::vector<std::string> models;
  for (const std::string& name : registry.names()) {
    ComponentPool pool;
    if (pool.Create(*registry.Find(name)).has_behaviours()) models.push_back(name);
  }
  return models;
}

/// The names after `event=` and `id=` in a chart, for example `aspect.friction.LuGre`.
std::set<std::string> Values(std::string_view text, const std::string& attribute) {
  std::set<std::string> values;
  const std::string key = ' ' + attribute + "=\"";
  for (std::size_t at = 0; (at = text.find(key, at)) != std::string_view::npos;) {
    at += key.size();
    values.emplace(text.substr(at, text.find('"', at) - at));
  }
  return values;
}

class DefaultChart : public testing::TestWithParam<std::string> {};

TEST_P(DefaultChart, IsInStepWithTheDeclarations) {
  Registry registry;
  RegisterComponents(registry);
  ComponentPool pool;
  const Component& component = pool.Create(*registry.Find(GetParam()));
  const std::string_view chart = FindBuiltInChart(GetParam());
  ASSERT_FALSE(chart.empty()) << "write statecharts/charts/" << GetParam() << ".scxml; `davit chart default "
                              << GetParam() << "` prints one";
  EXPECT_EQ(ParseXml(chart).fault, "");

  std::set<std::string> expected_events, expected_ids{"behaviour", "level", "Own"};
  const auto follow = [&](std::string_view kind, const auto& item) {
    const std::string name(item.label().name);
    expected_ids.insert(name);
    for (const std::string_view option : item.options()) {
      expected_events.insert(fmt::format("{}.{}.{}", kind, name, option));
      expected_ids.insert(fmt::format("{}.{}", name, option));
    }
  };
  for (const Level level : kBuiltInLevels) {
    if (!component.model().levels.Contains(level)) continue;
    expected_events.insert(fmt::format("level.{}", ToText(level)));
    expected_ids.emplace(ToText(level));
  }
  for (const AspectBase* aspect : component.declarations().aspects) follow("aspect", *aspect);
  for (const ModeBase* mode : component.declarations().modes) follow("mode", *mode);
  if (expected_ids.contains("Standard") && expected_ids.contains("Advanced")) {
    expected_ids.insert({"budget", "Full", "Reduced"});
    expected_events.insert({"budget.overrun", "budget.recovered"});
  }
  expected_events.insert("level");
  ASSERT_NE(component.automatic_levels(), nullptr);
  expected_events.insert({"levels.given", "levels.automatic"});
  expected_ids.insert({"choice", "Given", "Automatic", "Look"});
  for (const std::string& level : component.LevelNames()) expected_ids.insert("At" + level);
  // What an option makes visible is nested in that option.
  for (const char* nested : {"leakage_regime", "leakage_regime.Off", "leakage_flow"})
    expected_ids.erase(nested);
  expected_events.erase("mode.leakage_regime.Off");
  if (Values(chart, "event").contains("aspect.stops")) expected_events.insert("aspect.stops");
  EXPECT_THAT(Values(chart, "id"), testing::IsSupersetOf(expected_ids));
  EXPECT_EQ(Values(chart, "event"), expected_events);
  const std::string made = MakeChartText(component);
  const std::size_t begin = made.find("    <state id=\"choice\""), end = made.find("\n    </state>", begin);
  EXPECT_THAT(std::string(chart), HasSubstr(made.substr(begin, end - begin)));
}

INSTANTIATE_TEST_SUITE_P(All, DefaultChart, testing::ValuesIn(ModelsWithBehaviours()), [](const auto& model) {
  std::string name = model.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(DefaultChartTest, EachHasAModel) {
  for (const BuiltInChart& chart : BuiltInCharts())
    EXPECT_THAT(ModelsWithBehaviours(), testing::Contains(std::string(chart.model)));
}

/// A cylinder with a load at rest on oil; its valves are shut.
std::string Lift(const std::string& cylinder, const std::string& content = "",
                 const std::string& inner = "") {
  const auto volume = [](const char* name, const char* p) {
    return fmt::format(
        "<hydraulic.Volume name=\"{0}\" volume=\"1 l\"><Start p=\"{1}\"/></hydraulic.Volume>"
        "<Connect from=\"cylinder.{0}\" to=\"{0}.port\"/>",
        name, p);
  };
  return SystemText(
      "TimeStep=\"1 ms\" StopTime=\"0.1\" fs=\"1 kHz\" RealTimeBudget=\"0.5\"", "method=\"rosenbrock4\"",
      "<hydraulic.Cylinder name=\"cylinder\" stroke=\"2 m\" " + cylinder + ">" + inner +
          "<Start p_a=\"16 bar\"/></hydraulic.Cylinder>" + volume("a", "16 bar") + volume("b", "0 bar") +
          "<mechanical.Mass name=\"load\" mass=\"10 t\" weight=\"98.1 kN\"><Start x=\"1 m\"/>"
          "</mechanical.Mass><Connect from=\"cylinder.rod\" to=\"load.a\"/>" +
          content);
}

/// The names of the states that are active, those directly in the parallel left out.
std::vector<std::string> ActiveStates(TestSystem& test) {
  const ChartBinding& chart = *test.manager().charts().Find(*test.system().Find("cylinder.chart"));
  std::vector<std::string> states;
  for (const StateName& name : chart.chart()->names) {
    if (!name.has_own_id) continue;
    const bool is_option = name.id.find('.') != std::string::npos || (name.id[0] >= 'A' && name.id[0] <= 'Z');
    if (is_option && test.Read("cylinder.chart.state." + name.id) == 1) states.push_back(name.id);
  }
  return states;
}

TEST(DefaultChartTest, ShowsFromTheStartWhatHolds) {
  TestSystem test(Lift("level=\"Standard\" leakage=\"Gap\""));
  test.manager().Initialize();
  EXPECT_THAT(
      ActiveStates(test),
      ElementsAre("Standard", "Full", "Given", "stops.elastic", "compressibility.Constant", "ports.Turbulent",
                  "port_cavitation.None", "cushion.None", "friction.Viscous", "leakage.Gap", "piston.Normal",
                  "port_a_regime.Turbulent", "port_b_regime.Turbulent"));
}

// Its own level says what the levels of the model would take back.
TEST(DefaultChartTest, ALevelOfTheSystemFileStaysWithAutomaticLevels) {
  const std::string worn = "<Level name=\"Worn\" base=\"Standard\" leakage=\"Gap\"/>";
  TestSystem test(Lift("level=\"Worn\" levels=\"automatic\"",
                       "<At time=\"50 ms\" set=\"cylinder.level\" value=\"Ideal\"/>", worn));
  test.manager().Initialize();
  EXPECT_EQ(test.Read("cylinder.level"), 3);
  test.manager().RunUntil(0.04);
  EXPECT_EQ(test.Read("cylinder.level"), 3);
  EXPECT_THAT(ActiveStates(test), testing::Contains("Own"));
  test.manager().RunUntil(0.06);
  EXPECT_THAT(ActiveStates(test), testing::Contains("Ideal"));
}

TEST(DefaultChartTest, FollowsSwitchesAndModes) {
  TestSystem test(Lift("level=\"Standard\"",
                       "<At time=\"10 ms\" set=\"cylinder.level\" value=\"Worn\"/>"
                       "<At time=\"20 ms\" set=\"cylinder.level\" value=\"Advanced\"/>"
                       "<At time=\"30 ms\" set=\"load.x\" value=\"2.0001\"/>",
                       "<Level name=\"Worn\" base=\"Standard\" leakage=\"Gap\"/>"));
  test.manager().Initialize();
  test.manager().RunUntil(0.0195);
  EXPECT_THAT(
      ActiveStates(test),
      ElementsAre("Own", "Full", "Given", "stops.elastic", "compressibility.Constant", "ports.Turbulent",
                  "port_cavitation.None", "cushion.None", "friction.Viscous", "leakage.Gap", "piston.Normal",
                  "port_a_regime.Turbulent", "port_b_regime.Turbulent"));
  test.manager().RunUntil(0.0295);
  EXPECT_THAT(ActiveStates(test),
              ElementsAre("Advanced", "Full", "Given", "stops.elastic", "compressibility.EffectiveDilation",
                          "ports.LaminarTurbulent", "port_cavitation.None", "cushion.None", "friction.LuGre",
                          "leakage.Gap", "piston.Normal", "port_a_regime.Laminar", "port_b_regime.Laminar"));
  test.manager().RunUntil(0.0305);
  EXPECT_THAT(ActiveStates(test), testing::Contains("piston.StopRight"));
}

TEST(DefaultChartTest, TheBumpersAreStatesOfTheStop) {
  TestSystem test(Lift("level=\"Standard\"",
                       "<At time=\"10 ms\" set=\"load.x\" value=\"2.0001\"/>"
                       "<At time=\"20 ms\" set=\"cylinder.stops\" value=\"constant\"/>"
                       "<At time=\"30 ms\" set=\"load.x\" value=\"1\"/>"
                       "<At time=\"40 ms\" set=\"load.x\" value=\"2.0001\"/>"));
  test.manager().Initialize();
  const auto active = [&](double t) {
    test.manager().RunUntil(t);
    return ActiveStates(test);
  };
  using testing::AllOf, testing::Contains, testing::Not;
  EXPECT_THAT(active(0.005), AllOf(Not(Contains("FBumper")), Not(Contains("FBumperCons"))));
  EXPECT_THAT(active(0.0115),
              AllOf(Contains("piston.Stop"), Contains("piston.StopRight"), Contains("FBumper")));
  test.manager().RunUntil(0.0215);
  EXPECT_EQ(test.Read("cylinder.chart.state.FBumper"), 0);
  EXPECT_THAT(active(0.0315), AllOf(Contains("piston.Normal"), Not(Contains("piston.Stop"))));
  EXPECT_THAT(active(0.0415), AllOf(Contains("piston.StopRight"), Contains("FBumperCons")));
}

/// A pipe that a pressure source feeds, behind a valve that lets pass what its diameter allows.
std::string Flow(const std::string& pipe, const std::string& pressure) {
  return SystemText(
      "TimeStep=\"1 ms\" StopTime=\"2\"", "method=\"rosenbrock4\"",
      "<hydraulic.PressureSource name=\"s\" pressure=\"" + pressure +
          "\"/><hydraulic.Tank name=\"t\"/><hydraulic.Pipe name=\"pipe\" level=\"Standard\" " + pipe +
          "/><hydraulic.Restriction name=\"r\" diameter=\"20 mm\"/>"
          "<Connect from=\"s.port\" to=\"pipe.inlet\"/><Connect from=\"pipe.outlet\" to=\"r.a\"/>"
          "<Connect from=\"r.b\" to=\"t.port\"/>");
}

TEST(DefaultChartTest, OnlyTurbulentFlowInASmoothPipeHasARangeOfReynoldsNumbers) {
  struct Case {
    std::string pipe, pressure;
    std::vector<std::string> active, idle;
  };
  const std::string low = "smooth_range.LowRe", high = "smooth_range.HighRe";
  for (const Case& one :
       {Case{"", "0.01 bar", {"regime.Laminar"}, {"regime.Turbulent", "smooth_range", low, high}},
        Case{"", "20 bar", {"regime.Turbulent", "smooth_range", low}, {"rough_range", high}},
        Case{"inner_diameter=\"15 mm\" kinematic_viscosity=\"1e-6 m2/s\"",
             "100 bar",
             {"regime.Turbulent", "smooth_range", high},
             {"rough_range", low}},
        Case{"friction=\"Rough\"",
             "20 bar",
             {"regime.Turbulent", "rough_range"},
             {"smooth_range", low, high}}}) {
    TestSystem test(Flow(one.pipe, one.pressure));
    test.Run();
    for (const std::string& id : one.active) EXPECT_EQ(test.Read("pipe.chart.state." + id), 1) << id;
    for (const std::string& id : one.idle) EXPECT_EQ(test.Read("pipe.chart.state." + id), 0) << id;
  }
}

TEST(DefaultChartTest, IsLeftOutOfRecordsUnlessNamed) {
  TestSystem test(Lift("level=\"Standard\"", "<Record signals=\"cylinder.*\"/>"));
  const std::size_t all = test.RunAndRecord().front().values.size();
  TestSystem with_state(
      Lift("level=\"Standard\"", "<Record signals=\"cylinder.* cylinder.chart.state.Ideal\"/>"));
  EXPECT_EQ(with_state.RunAndRecord().front().values.size(), all + 1);
}

TEST(DefaultChartTest, ChangesNoBit) {
  const fs::path file = fs::path(testing::TempDir()) / "davit_default_charts_test_none.scxml";
  std::ofstream(file)
      << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'><state id='s'/></scxml>";
  const std::string record = "<Record signals=\"load.* cylinder.p_a cylinder.p_b\"/>";
  TestSystem with(Lift("level=\"Advanced\"", record));
  TestSystem without(Lift(fmt::format("level=\"Advanced\" chart=\"{}\"", file.string()), record));
  EXPECT_EQ(with.RunAndRecord(), without.RunAndRecord());
  fs::remove(file);
}

TEST(DefaultChartTest, GivesUpAdvancedWhileComputingTakesTooLongAndCanBeReplayed) {
  const std::string record = "<Record signals=\"load.x cylinder.p_a cylinder.p_b cylinder.level\"/>";
  TestSystem run(Lift("level=\"Advanced\"", record));
  std::string at_lines;
  RunLog log(RunLog::Severity::kDetail, [&](RunLog::Severity, std::string_view line) {
    const std::size_t begin = line.find("<At");
    if (begin != std::string_view::npos && line.find("set=") != std::string_view::npos)
      at_lines += line.substr(begin);
  });
  run.system().root().set_run_log(&log);
  run.StartRecording();
  run.manager().Initialize();
  run.manager().RunUntil(0.02);
  run.manager().ReportWork(0.9);
  run.manager().RunUntil(0.03);
  EXPECT_EQ(run.Read("cylinder.level"), 1);
  EXPECT_EQ(run.Read("cylinder.chart.state.Reduced"), 1);
  for (int i = 0; i < 1000; ++i) run.manager().ReportWork(0.1);  // a second
  run.manager().RunUntil(0.1);
  EXPECT_EQ(run.Read("cylinder.level"), 2);
  EXPECT_EQ(run.Read("cylinder.chart.state.Full"), 1);
  EXPECT_EQ(run.manager().statistics().level_switches, 2U);

  TestSystem again(Lift("level=\"Advanced\"", record + at_lines));
  EXPECT_EQ(again.RunAndRecord(), run.TakeRows());
  EXPECT_EQ(again.manager().statistics().level_switches, 2U);
}

TEST(DefaultChartTest, WhoeverDecidesMeanwhileIsObeyed) {
  TestSystem test(Lift("level=\"Advanced\"", "<At time=\"30 ms\" set=\"cylinder.level\" value=\"Ideal\"/>"));
  test.manager().Initialize();
  test.manager().RunUntil(0.02);
  test.manager().ReportWork(0.9);
  test.manager().RunUntil(0.05);
  for (int i = 0; i < 1000; ++i) test.manager().ReportWork(0.1);
  EXPECT_EQ(test.manager().statistics().largest_work_share, 0.9);
  test.manager().RunUntil(0.1);
  EXPECT_EQ(test.Read("cylinder.level"), 0);
}

TEST(DefaultChartTest, AnotherChartThatNamesWhatIsNotThereIsRefused) {
  const fs::path file = fs::path(testing::TempDir()) / "davit_default_charts_test.scxml";
  std::ofstream(file) << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>\n<state id='s'>\n"
                         "<transition event='aspect.fricton.LuGre'/>\n"
                         "<transition event='aspect.friction.Lugre'/>\n"
                         "<transition event='mode.piston.Stop'/>\n"
                         "<transition event='mode.rod'/>\n"
                         "<transition cond=\"fricton == 'LuGre'\"/>\n"
                         "<transition event='e'><assign location='friction' expr=\"'Lugre'\"/></transition>\n"
                         "<transition event='f'><assign location='level' expr=\"'Expert'\"/></transition>\n"
                         "</state></scxml>\n";
  const std::vector<std::string> faults = FaultsOf(Lift(fmt::format("chart=\"{}\"", file.string())));
  std::string all;
  for (const std::string& fault : faults) all += fault + '\n';
  EXPECT_THAT(all,
              HasSubstr("test.scxml:7: error: /s: cond, column 19: no value is named 'fricton'; did you mean "
                        "'friction'?"));
  EXPECT_THAT(
      all,
      HasSubstr(
          "test.scxml:8: error: /s: expr, column 57: 'friction' is never 'Lugre'; did you mean 'LuGre'?"));
  EXPECT_THAT(
      all, HasSubstr("test.scxml:9: error: /s: expr, column 54: 'level' is never 'Expert'; it can be Ideal, "
                     "Standard, Advanced"));
  std::ofstream(file) << "<scxml xmlns='http://www.w3.org/2005/07/scxml' version='1.0'>\n<state id='s'>\n"
                         "<transition event='aspect.fricton.LuGre'/>\n"
                         "<transition event='aspect.friction.Lugre'/>\n"
                         "<transition event='mode.piston.Stop'/>\n"
                         "<transition event='mode.rod'/>\n</state></scxml>\n";
  EXPECT_THAT(
      FaultsOf(Lift(fmt::format("chart=\"{}\"", file.string()))),
      ElementsAre(HasSubstr("scxml:3: error: /cylinder/chart: no aspect 'fricton'; did you mean 'friction'?"),
                  HasSubstr("scxml:4: error: /cylinder/chart: aspect friction has no option 'Lugre'; did "
                            "you mean 'LuGre'?"),
                  HasSubstr("scxml:5: error: /cylinder/chart: mode piston has no option 'Stop'; it has "
                            "Normal, StopLeft, StopRight"),
                  HasSubstr("scxml:6: error: /cylinder/chart: no mode 'rod'; it has piston")));
  fs::remove(file);
}

TEST(DefaultChartTest, ModelsWithoutAChartFileHaveOneMadeFromTheirDeclarations) {
  TestSystem test(SystemText("TimeStep=\"0.1\" StopTime=\"1\"", "method=\"runge_kutta4\"",
                             "<test.Follower name=\"f\" level=\"Standard\"/>"
                             "<At time=\"0.5\" message=\"SetLevel\" to=\"f\" value=\"Advanced\"/>"));
  test.manager().Initialize();
  EXPECT_EQ(test.Read("f.chart.state.Standard"), 1);
  EXPECT_EQ(test.Read("f.chart.region.lag"), 1);
  test.manager().RunUntil(1);
  EXPECT_EQ(test.Read("f.chart.state.Advanced"), 1);
  EXPECT_EQ(test.Read("f.chart.region.lag"), 2);
}

}  // namespace
}  // namespace davit
