#include "framework/xml/outside_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// A restriction that its file holds at Ideal and sets to Standard, while a chart asks for Advanced.
class OutsideLevelsTest : public testing::Test {
 protected:
  OutsideLevelsTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_outside_levels_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    Write("chart.scxml",
          R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="c"><state id="low">
  <transition cond="time gt 0.25" target="high"><assign location="r.level" expr="'Advanced'"/></transition></state>
  <state id="high"/></scxml>)");
    Write("system.xml", R"(<System name="s"><SimulatorManager TimeStep="0.1 s" StopTime="0.8 s"/>
  <Statechart name="c" src="chart.scxml"/><At time="0.55 s" set="r.level" value="Standard"/>
  <At time="0.55 s" set="p.pressure" value="60 bar"/>
  <hydraulic.Restriction name="r" level="Ideal"/><hydraulic.PressureSource name="p" pressure="50 bar"/>
  <hydraulic.Tank name="t"/><Connect from="r.a" to="p.port"/><Connect from="r.b" to="t.port"/></System>)");
  }
  ~OutsideLevelsTest() override { fs::remove_all(folder_); }

  fs::path Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  LoadedSimulation Load(const LoadOptions& load) const {
    SimulationOptions options;
    options.load = load;
    return Simulation::Load(folder_ / "system.xml", registry_, options);
  }
  /// A value after each step.
  std::vector<double> Run(const LoadOptions& load, const char* item = "r.level") const {
    const auto simulation = Load(load).Take();
    simulation->Initialize();
    std::vector<double> values;
    while (!simulation->is_finished()) {
      simulation->Step();
      values.push_back(simulation->Read(item));
    }
    return values;
  }
  std::string ErrorsOf(const LoadOptions& load) const {
    std::string errors;
    const LoadedSimulation loaded = Load(load);
    for (const Diagnostic& one : loaded.diagnostics.all()) errors += ToText(one) + '\n';
    return errors;
  }

  const fs::path folder_;
  const Registry registry_ = AllModels();
};

TEST_F(OutsideLevelsTest, TheFileAloneDoesWhatItSays) {
  EXPECT_THAT(Run({}), ElementsAre(0, 0, 0, 2, 2, 2, 1, 1));
}

// Law: only what changes levels is left out of the file.
TEST_F(OutsideLevelsTest, NobodyElseChangesLevels) {
  EXPECT_THAT(Run({.levels = OutsideLevels{}}), ElementsAre(2, 2, 2, 2, 2, 2, 2, 2));
  EXPECT_EQ(Run({.levels = OutsideLevels{}}, "p.pressure").back(), 60e5);
}

TEST_F(OutsideLevelsTest, AScheduleChangesThem) {
  const fs::path file = Write("schedule.xml",
                              R"(<Schedule><At time="0 s" set="r.level" value="Ideal"/>
  <At time="0.35 s" set="r.level" value="Standard"/></Schedule>)");
  EXPECT_THAT(Run({.levels = OutsideLevels{.schedule = file}}), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
}

TEST_F(OutsideLevelsTest, AChartChangesThem) {
  const fs::path file = Write("levels.scxml", R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"
  name="levels"><state id="high"><transition cond="time gt 0.45" target="low"/></state>
  <state id="low"><onentry><assign location="r.level" expr="'Ideal'"/></onentry></state></scxml>)");
  EXPECT_THAT(Run({.levels = OutsideLevels{.chart = file}}), ElementsAre(2, 2, 2, 2, 2, 0, 0, 0));
}

TEST_F(OutsideLevelsTest, WrongFilesAreNamedWithTheirRemedy) {
  const auto schedule = [&](const std::string& text) {
    return ErrorsOf({.levels = OutsideLevels{.schedule = Write("schedule.xml", text)}});
  };
  EXPECT_THAT(
      schedule("<System/>"),
      HasSubstr(
          "schedule.xml:1: error: /: the root element is 'System'; a schedule of levels is <Schedule>"));
  const std::string errors = schedule(R"(<Schedule>
  <Set time="0 s"/>
  <At time="0 s" set="rr.level" value="Ideal"/>
  <At time="0 s" set="r.level" value="Idal"/></Schedule>)");
  EXPECT_THAT(errors, HasSubstr("schedule.xml:2: error: /: a schedule of levels has no element 'Set'"));
  EXPECT_THAT(errors, HasSubstr("schedule.xml:3: error: /: no component 'rr'"));
  EXPECT_THAT(errors, HasSubstr("schedule.xml:4: error: /r: hydraulic.Restriction has no level 'Idal'"));
  EXPECT_THAT(ErrorsOf({.levels = OutsideLevels{.schedule = folder_ / "none.xml"}}),
              HasSubstr("--schedule " + (folder_ / "none.xml").string()));
  EXPECT_THAT(ErrorsOf({.levels = OutsideLevels{.chart = folder_ / "none.scxml"}}), HasSubstr("none.scxml"));
  EXPECT_THAT(ErrorsOf({.level = {"*=Ideal"}, .levels = OutsideLevels{}}), HasSubstr("leave out --level"));
}

}  // namespace
}  // namespace davit
