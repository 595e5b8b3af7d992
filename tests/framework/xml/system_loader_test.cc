// What a right system file means. Wrong ones are in tests/errors.

#include "framework/xml/system_loader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/defaults_provider.h"
#include "framework/message.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// A model with all levels.
class Levelled final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Levelled",
                                   .text = "Any level",
                                   .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced}};
  void EvaluateDiffEquations(double /*t*/) override {}
};

/// Gives all masses a mass that no mass can have.
class WrongProvider final : public DynamicSimComponent, public DefaultsProvider {
 public:
  static constexpr ModelInfo kInfo{.name = "test.WrongProvider", .text = "Gives what cannot be"};
  std::optional<double> DefaultFor(const Component& /*component*/,
                                   const ParameterDeclaration& parameter) const override {
    if (parameter.label.name == "mass") return -2;
    return std::nullopt;
  }
};

const Registry& Models() {
  static const Registry registry = [] {
    Registry all;
    RegisterSimulator(all);
    RegisterComponents(all);
    all.Add<Levelled, WrongProvider>();
    return all;
  }();
  return registry;
}

/// Loads; every diagnostic is a failure of the test.
class SystemLoaderTest : public testing::Test {
 protected:
  SystemLoaderTest() : folder_(fs::temp_directory_path() / ("davit_loader_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~SystemLoaderTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void WriteFile(const std::string& name, const std::string& content) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "<System>" << content << "</System>";
  }
  System& Load(const std::string& content, const LoadOptions& options = {}) {
    Diagnostics diagnostics;
    system_ = LoadSystemText("<System name=\"test\">" + content + "</System>", folder_ / "test.xml", Models(),
                             options, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << ToText(diagnostic);
    return *system_;
  }
  double Read(std::string_view path) {
    Fault fault;
    const auto variable = system_->FindVariable(system_->root(), path, &fault);
    if (!variable) ADD_FAILURE() << fault.ToText();
    return variable ? variable->Read() : 0;
  }
  Component& Find(std::string_view path) { return *system_->Find(path); }
  std::vector<std::string> Columns() {
    std::vector<std::string> paths;
    for (const Item& column : system_->record_plan().columns) paths.push_back(column.path());
    return paths;
  }
  /// Runs to the end; the recorded columns after each step.
  std::vector<std::vector<double>> Rows() {
    Diagnostics diagnostics;
    SimulatorManager& manager = SimulatorManager::Of(*system_);
    manager.Build(*system_, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) ADD_FAILURE() << ToText(diagnostic);
    manager.Initialize();
    std::vector<std::vector<double>> rows;
    for (;;) {
      rows.emplace_back();
      for (const Item& column : system_->record_plan().columns) rows.back().push_back(column.Read());
      if (manager.is_finished()) return rows;
      manager.Step();
    }
  }

  fs::path folder_;
  std::unique_ptr<System> system_;
};

// ---- values -------------------------------------------------------------------------------------

TEST_F(SystemLoaderTest, ValuesWithUnitsLandInSi) {
  Load(
      R"(<hydraulic.AxialPistonPump name="pump" displacement="270 cm3/rev" speed="1776 rpm" swash_angle="30 deg"
                                     set_pressure="250 bar"/>
          <hydraulic.Tank name="tank" back_pressure="1500"/>
          <mechanical.Mass name="load" mass="10 t" weight="98.1 kN" x_min="-283 mm" restitution="50 %"/>
          <Connect from="pump.in" to="tank.port"/><Connect from="pump.out" to="tank.port"/>)");
  EXPECT_NEAR(Read("pump.displacement"), 270e-6 / (2 * std::numbers::pi), 1e-20);
  EXPECT_NEAR(Read("pump.speed"), 1776 * 2 * std::numbers::pi / 60, 1e-12);
  EXPECT_NEAR(Read("pump.swash_angle"), std::numbers::pi / 6, 1e-15);
  EXPECT_EQ(Read("pump.set_pressure"), 250e5);
  EXPECT_EQ(Read("tank.back_pressure"), 1500);
  EXPECT_EQ(Read("load.mass"), 10e3);
  EXPECT_EQ(Read("load.weight"), 98.1e3);
  EXPECT_EQ(Read("load.x_min"), -0.283);
  EXPECT_EQ(Read("load.restitution"), 0.5);
}

TEST_F(SystemLoaderTest, WhatIsNotWrittenKeepsItsDefault) {
  Load(R"(<mechanical.Spring name="s"/><mechanical.Fixed name="w"/>
          <Connect from="w.port" to="s.a"/><Connect from="w.port" to="s.b"/>)");
  for (const ParameterDeclaration& parameter : Find("s").declarations().parameters) {
    EXPECT_EQ(*parameter.value, parameter.default_value);
  }
}

TEST_F(SystemLoaderTest, PropertiesLevelsAndInputsAreAttributesToo) {
  Load(
      R"(<hydraulic.Volume name="v" formulation="quantity"/><hydraulic.Tank name="t"/><hydraulic.Orifice name="o"/>
          <test.Levelled name="l" level="Advanced"/><signal.Gain name="g" u="3"/>
          <Connect from="o.a" to="v.port"/><Connect from="o.b" to="t.port"/>)");
  EXPECT_EQ(Find("v").declarations().properties.back()->ToText(), "quantity");
  EXPECT_EQ(Find("l").level(), Level::kAdvanced);
  EXPECT_EQ(Read("g.u"), 3);
}

TEST_F(SystemLoaderTest, TheNameOfTheSystemIsItsOwnOrThatOfTheFile) {
  EXPECT_EQ(Load("").root().name(), "test");
  Diagnostics diagnostics;
  const auto unnamed = LoadSystemText("<System/>", "systems/crane.xml", Models(), {}, diagnostics);
  EXPECT_EQ(unnamed->root().name(), "crane");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST_F(SystemLoaderTest, AManagerIsThereInAnyCase) {
  Load("");
  EXPECT_EQ(Read("SimulatorManager.TimeStep"), 0.01);
  Load(R"(<SimulatorManager TimeStep="1 ms"/>)");
  EXPECT_EQ(Read("SimulatorManager.TimeStep"), 0.001);
}

TEST_F(SystemLoaderTest, OneIntegrationForOdeAndOneForDae) {
  Load(R"(<SimulatorManager><Integration solver="ODE" method="euler"/><Integration solver="DAE" method="ida"/>
          </SimulatorManager>)");
  EXPECT_EQ(Find("SimulatorManager").children().size(), 2U);
}

// ---- start values and priority ------------------------------------------------------------------

TEST_F(SystemLoaderTest, StartValuesComeBeforeDefaultsAndOptionsBeforeBoth) {
  const std::string content =
      R"(<mechanical.Mass name="a"/><mechanical.Mass name="b"><Start x="2 cm"/></mechanical.Mass>
      <mechanical.Mass name="c" mass="3 kg"><Start x="3 cm" v="1 m/s"/></mechanical.Mass>
      <Record signals="a.x b.x c.x c.v"/>)";
  Load(content);
  EXPECT_EQ(Rows().front(), (std::vector<double>{0, 0.02, 0.03, 1}));
  Load(content, {.set = {"c.x=7 cm", "a.x=1 cm", "c.mass=5"}});
  EXPECT_EQ(Rows().front(), (std::vector<double>{0.01, 0.02, 0.07, 1}));
  EXPECT_EQ(Read("c.mass"), 5);
}

TEST_F(SystemLoaderTest, TheLastOfTwoOptionsCounts) {
  Load(R"(<mechanical.Mass name="a"/>)", {.set = {"a.mass=2", "a.mass=3 kg", "a.x=1", "a.x=2"}});
  EXPECT_EQ(Read("a.mass"), 3);
  EXPECT_EQ(Find("a").declarations().states.front().start, std::vector<double>{2});
}

TEST_F(SystemLoaderTest, SetReachesTheManagerAndSubsystems) {
  WriteFile("part.xml", R"(<mechanical.Mass name="load" mass="1 kg"/>)");
  Load(R"(<Subsystem name="part" src="part.xml"/>)",
       {.set = {"SimulatorManager.StopTime=3 s", "part.load.mass=2 kg", " part.load.weight = 4 N"}});
  EXPECT_EQ(Read("SimulatorManager.StopTime"), 3);
  EXPECT_EQ(Read("part.load.mass"), 2);
  EXPECT_EQ(Read("part.load.weight"), 4);
}

TEST_F(SystemLoaderTest, LevelByGlobSkipsComponentsWithoutLevels) {
  WriteFile("part.xml", R"(<test.Levelled name="l"/>)");
  const std::string content = R"(<test.Levelled name="l1"/><test.Levelled name="l2" level="Standard"/>
      <mechanical.Mass name="load"/><Subsystem name="part" src="part.xml"/>)";
  Load(content, {.level = {"*=Advanced"}});
  for (const char* path : {"l1", "l2", "part.l"}) EXPECT_EQ(Find(path).level(), Level::kAdvanced);
  EXPECT_FALSE(Find("load").level().has_value());
  Load(content, {.level = {"l?=Advanced", "l2=Ideal"}});
  EXPECT_EQ(Find("l1").level(), Level::kAdvanced);
  EXPECT_EQ(Find("l2").level(), Level::kIdeal);
  EXPECT_EQ(Find("part.l").level(), Level::kIdeal);
}

// ---- sub-systems --------------------------------------------------------------------------------

constexpr const char* kOscillator =
    R"(<Parameter name="mass" value="2 kg"/><Parameter name="rate" value="100 N/m"/>
    <mechanical.Spring name="spring" stiffness="${rate}"/>
    <mechanical.Mass name="load" mass="${mass}"><Start x="5 cm"/></mechanical.Mass>
    <Connect from="spring.b" to="load.a"/>
    <Expose port="spring.a" as="foot"/><Expose port="load.b" as="top"/><Expose port="load.x" as="x"/>)";

TEST_F(SystemLoaderTest, ASubsystemEqualsTheSameComponentsWithoutOne) {
  WriteFile("parts/oscillator.xml", kOscillator);
  Load(R"(<SimulatorManager StopTime="1 s"/><mechanical.Fixed name="wall"/>
          <Subsystem name="lower" src="parts/oscillator.xml" mass="3 kg"/>
          <Subsystem name="upper" src="parts/oscillator.xml" rate="50 N/m"/>
          <Connect from="wall.port" to="lower.foot"/><Connect from="lower.top" to="upper.foot"/>
          <Record signals="lower.load.x upper.x upper.load.v"/>)");
  EXPECT_EQ(Columns(), (std::vector<std::string>{"lower.load.x", "upper.load.x", "upper.load.v"}));
  const auto nested = Rows();
  Load(R"(<SimulatorManager StopTime="1 s"/><mechanical.Fixed name="wall"/>
          <mechanical.Spring name="s1" stiffness="100 N/m"/>
          <mechanical.Mass name="m1" mass="3 kg"><Start x="5 cm"/></mechanical.Mass>
          <mechanical.Spring name="s2" stiffness="50 N/m"/>
          <mechanical.Mass name="m2" mass="2 kg"><Start x="5 cm"/></mechanical.Mass>
          <Connect from="s1.b" to="m1.a"/><Connect from="s2.b" to="m2.a"/>
          <Connect from="wall.port" to="s1.a"/><Connect from="m1.b" to="s2.a"/>
          <Record signals="m1.x m2.x m2.v"/>)");
  EXPECT_EQ(nested, Rows());
  EXPECT_EQ(nested.size(), 101U);
}

TEST_F(SystemLoaderTest, SourcesOfSubsystemsAreFoundBesideTheFileThatNamesThem) {
  WriteFile("a/outer.xml",
            R"(<Subsystem name="inner" src="b/inner.xml"/><Expose port="inner.out" as="out"/>)");
  WriteFile("a/b/inner.xml", R"(<Subsystem name="core" src="../core.xml"/><Expose port="core.y" as="out"/>)");
  WriteFile("a/core.xml", R"(<signal.Sine name="sine"/><Expose port="sine.y" as="y"/>)");
  Load(R"(<Subsystem name="outer" src="a/outer.xml"/><signal.Gain name="gain"/>
          <Route from="outer.out" to="gain.u"/>)");
  EXPECT_EQ(system_->routes().front().from.path(), "outer.inner.core.sine.y");
}

TEST_F(SystemLoaderTest, ParametersAreHandedDownThroughSeveralFiles) {
  WriteFile("inner.xml", R"(<Parameter name="m" value="1 kg"/><Parameter name="half" value="${m}"/>
                            <mechanical.Mass name="load" mass="${m}" weight="1${zeros}e0 N"/><Parameter name="zeros" value="00"/>
                            <mechanical.Mass name="other" mass="${half}"/>)");
  WriteFile("outer.xml",
            R"(<Parameter name="mass" value="5 kg"/><Subsystem name="inner" src="inner.xml" m="${mass}"/>)");
  Load(R"(<Parameter name="mass" value="7 kg"/><mechanical.Mass name="own" mass="${mass}"/>
          <Subsystem name="a" src="outer.xml"/><Subsystem name="b" src="outer.xml" mass="${mass}"/>
          <Subsystem name="c" src="inner.xml"/>)");
  EXPECT_EQ(Read("own.mass"), 7);
  EXPECT_EQ(Read("a.inner.load.mass"), 5);
  EXPECT_EQ(Read("b.inner.load.mass"), 7);
  EXPECT_EQ(Read("b.inner.other.mass"), 7);
  EXPECT_EQ(Read("c.load.mass"), 1);
  EXPECT_EQ(Read("c.load.weight"), 100);
}

TEST_F(SystemLoaderTest, ElementsOfASubsystemAreSeenFromInside) {
  WriteFile("part.xml", R"(<mechanical.Mass name="load"/><At time="1 s" set="load.mass" value="2 kg"/>
                           <Record signals="load.*"/>)");
  Load(R"(<Subsystem name="p" src="part.xml"/><mechanical.Mass name="load"/>)");
  EXPECT_EQ(system_->schedule().front().write()->item.path(), "p.load.mass");
  EXPECT_EQ(Columns(),
            (std::vector<std::string>{"p.load.x", "p.load.v", "p.load.acceleration", "p.load.force"}));
}

TEST_F(SystemLoaderTest, ExposedInputsTakeRoutes) {
  WriteFile("part.xml", R"(<signal.Gain name="gain"/><Expose port="gain.u" as="in"/>)");
  Load(R"(<Subsystem name="p" src="part.xml"/><signal.Sine name="sine"/><Route from="sine.y" to="p.in"/>)");
  EXPECT_EQ(system_->routes().front().to_path, "p.gain.u");
}

// ---- schedule -----------------------------------------------------------------------------------

TEST_F(SystemLoaderTest, CommandsAreOrderedByTimeThenFileThenOptions) {
  Load(R"(<mechanical.Mass name="m"/>
          <At time="2 s" set="m.mass" value="1"/><At time="500 ms" set="m.mass" value="2"/>
          <At time="2 s" set="m.mass" value="3"/><At time="2" message="Stop" to="SimulatorManager"/>
          <At time="0" set="m.mass" value="4"/>)",
       {.at = {"2 s:m.mass=5", "1 s:m.mass=6", "2:m.x=7 mm"}});
  std::string order;
  for (const Command& command : system_->schedule()) {
    order += command.write() != nullptr ? command.write()->text
                                        : std::string(command.message()->message->label().name);
    order += ' ';
  }
  EXPECT_EQ(order, "4 2 6 1 3 Stop 5 7 mm ");
}

TEST_F(SystemLoaderTest, TimesMayBeNegativeWhereTheRunBeginsThere) {
  Load(
      R"(<SimulatorManager StartTime="-5 s"/><mechanical.Mass name="m"/><At time="-2 s" set="m.mass" value="1"/>
          <Record signals="m.x" times="-1 s, 3 s"/>)");
  EXPECT_EQ(system_->schedule().front().time, -2);
}

TEST_F(SystemLoaderTest, AWriteActsAtItsTime) {
  Load(R"(<SimulatorManager TimeStep="100 ms" StopTime="1 s"/><signal.Gain name="g" u="1"/>
          <signal.Integrator name="i"/><Route from="g.y" to="i.u"/>
          <At time="500 ms" set="g.u" value="3"/><Record signals="i.y"/>)");
  const auto rows = Rows();
  EXPECT_NEAR(rows[5][0], 0.5, 1e-9);
  EXPECT_NEAR(rows[10][0], 2.0, 1e-9);
}

// ---- records ------------------------------------------------------------------------------------

constexpr const char* kMassOnSpring = R"(<mechanical.Fixed name="wall"/><mechanical.Spring name="spring"/>
    <mechanical.MassSpringDamper name="msd"/><mechanical.Mass name="load"/>
    <Connect from="wall.port" to="spring.a"/><Connect from="spring.b" to="load.a"/>)";

TEST_F(SystemLoaderTest, WithoutRecordAllPrimaryVariablesAreRecordedAtEachStep) {
  Load(kMassOnSpring);
  EXPECT_EQ(Columns(), (std::vector<std::string>{"spring.force", "msd.x", "msd.v", "msd.force", "load.x",
                                                 "load.v", "load.acceleration", "load.force"}));
  EXPECT_EQ(system_->record_plan().intervals, std::vector<double>{0});
}

TEST_F(SystemLoaderTest, AGlobMeansPrimaryVariablesUnlessItsLastPartIsNamed) {
  const std::string content = kMassOnSpring;
  const auto columns = [&](const std::string& signals) {
    Load(content + "<Record signals=\"" + signals + "\"/>");
    return Columns();
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(columns("load.*"), (Paths{"load.x", "load.v", "load.acceleration", "load.force"}));
  EXPECT_EQ(columns("*.mass"), (Paths{"msd.mass", "load.mass"}));
  EXPECT_EQ(columns("load.*.F"), (Paths{"load.a[0].F"}));
  EXPECT_EQ(columns("*.ddt"), (Paths{"msd.x.ddt", "msd.v.ddt", "load.x.ddt", "load.v.ddt"}));
  EXPECT_EQ(columns("*d.x"), (Paths{"msd.x", "load.x"}));
  EXPECT_EQ(columns("load.? "), (Paths{"load.x", "load.v"}));
}

TEST_F(SystemLoaderTest, SignalsKeepTheirOrderAndComeOnce) {
  Load(std::string(kMassOnSpring) + R"(<Record signals="load.v
      load.x load.v load.a[0].F load.x.ddt load.mass"/><Record signals="load.x msd.x"/>)");
  EXPECT_EQ(Columns(), (std::vector<std::string>{"load.v", "load.x", "load.a[0].F", "load.x.ddt", "load.mass",
                                                 "msd.x"}));
}

TEST_F(SystemLoaderTest, SettingsOfTheRunAreNoSignalsOfAGlob) {
  Load(R"(<mechanical.Mass name="fs"/><Record signals="*.mass *.TimeStep? SimulatorManager.fs"/>)",
       {.signals = {"* SimulatorManager.fs"}});
  EXPECT_EQ(Columns().back(), "SimulatorManager.fs");
  EXPECT_EQ(Columns().size(), 5U);
}

TEST_F(SystemLoaderTest, IntervalsAndTimes) {
  const auto plan = [&](const std::string& records, const LoadOptions& options = {}) -> const RecordPlan& {
    return Load(kMassOnSpring + records, options).record_plan();
  };
  using Times = std::vector<double>;
  EXPECT_EQ(plan(R"(<Record signals="load.x" interval="10 ms"/>)").intervals, Times{0.01});
  EXPECT_EQ(plan(R"(<Record signals="load.x"/>)").intervals, Times{0});
  EXPECT_EQ(plan(R"(<Record signals="load.x" times="8 s, 500 ms,3"/>)").times, (Times{0.5, 3, 8}));
  EXPECT_EQ(plan(R"(<Record signals="load.x" times="8 s"/>)").times, Times{8});
  EXPECT_EQ(plan(R"(<Record signals="load.x" times="8 2.5 3"/>)").times, (Times{2.5, 3, 8}));
  EXPECT_TRUE(plan(R"(<Record signals="load.x" times="8 2.5 3"/>)").intervals.empty());
  const RecordPlan& both =
      plan(R"(<Record signals="load.x" interval="1 s" times="2.5 s"/><Record signals="load.v"/>)");
  EXPECT_EQ(both.intervals, (Times{0, 1}));
  EXPECT_EQ(both.times, Times{2.5});
}

TEST_F(SystemLoaderTest, TimesMayBeStepsOfEqualLengthOrRatio) {
  const auto times = [&](const std::vector<std::string>& options, const std::string& records = {}) {
    return Load(kMassOnSpring + records, {.times = options}).record_plan().times;
  };
  using Times = std::vector<double>;
  EXPECT_EQ(times({"lin 1 s : 3 s : 5"}), (Times{1, 1.5, 2, 2.5, 3}));
  EXPECT_EQ(times({"log 1 us : 10 s : 8"}).size(), 8U);
  EXPECT_EQ(times({"log 1 us : 10 s : 8"}).front(), 1e-6);
  EXPECT_EQ(times({"log 1 us : 10 s : 8"}).back(), 10);
  const Times steps = times({"log 1 us : 10 s : 8"});
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_NEAR(steps[i] / steps[i - 1], 10, 1e-13) << i;
  EXPECT_EQ(times({"0, lin 1:2:2", "2 s"}), (Times{0, 1, 2}));
  // Beside those of the file; an interval of the file stays, rows at each step go.
  const std::string with_times = R"(<Record signals="load.x" times="5 s"/>)";
  EXPECT_EQ(times({"2 s"}, with_times), (Times{2, 5}));
  EXPECT_TRUE(system_->record_plan().intervals.empty());
  EXPECT_EQ(times({"2 s"}, R"(<Record signals="load.x" interval="1 s"/>)"), Times{2});
  EXPECT_EQ(system_->record_plan().intervals, Times{1});
  times({"2 s"}, R"(<Record signals="load.x"/>)");
  EXPECT_TRUE(system_->record_plan().intervals.empty());
}

TEST_F(SystemLoaderTest, OptionsReplaceWhatTheFileRecords) {
  Load(std::string(kMassOnSpring) + R"(<Record signals="load.v no.such.signal" interval="1 s"/>)",
       {.signals = {"load.x msd.x", "spring.*"}, .interval = "20 ms"});
  EXPECT_EQ(Columns(), (std::vector<std::string>{"load.x", "msd.x", "spring.force"}));
  EXPECT_EQ(system_->record_plan().intervals, std::vector<double>{0.02});
}

// ---- routes -------------------------------------------------------------------------------------

TEST_F(SystemLoaderTest, RoutesToAnArrayKeepTheOrderOfTheFile) {
  Load(R"(<signal.Constant name="a" value="1"/><signal.Constant name="b" value="10"/>
          <signal.Constant name="c" value="100"/><signal.Sum name="sum" signs="+-+"/>
          <Route from="b.y" to="sum.u"/><Route from="a.y" to="sum.u"/><Route from="c.y" to="sum.u"/>
          <Record signals="sum.y sum.u[0] sum.u[1] sum.u[2]"/>)");
  EXPECT_EQ(Rows().front(), (std::vector<double>{109, 10, 1, 100}));
}

TEST_F(SystemLoaderTest, HoldIsKept) {
  Load(R"(<signal.Sine name="s"/><signal.Sum name="sum"/><Route from="s.y" to="sum.u" hold="none"/>
          <Route from="s.y" to="sum.u" hold="step"/><Route from="s.y" to="sum.u"/>)");
  ASSERT_EQ(system_->routes().size(), 3U);
  EXPECT_EQ(system_->routes()[0].hold, Hold::kNone);
  EXPECT_EQ(system_->routes()[1].hold, Hold::kStep);
  EXPECT_EQ(system_->routes()[2].hold, Hold::kAutomatic);
}

TEST_F(SystemLoaderTest, ComponentsMayStandBehindWhatNamesThem) {
  Load(
      R"(<Route from="sine.y" to="gain.u"/><Record signals="gain.y"/><At time="1 s" set="sine.amplitude" value="2"/>
          <signal.Gain name="gain"/><signal.Sine name="sine"/>)");
  EXPECT_EQ(system_->routes().size(), 1U);
}

// ---- faults -------------------------------------------------------------------------------------

TEST_F(SystemLoaderTest, AWrongSystemIsAsCompleteAsItsFaultsAllow) {
  Diagnostics diagnostics;
  const auto system =
      LoadSystemText(R"(<System><mechanical.Mass name="a" mass="-1"/><mechanical.Mas name="b"/>
      <signal.Gain name="g"/></System>)",
                     "test.xml", Models(), {}, diagnostics);
  ASSERT_NE(system, nullptr);
  EXPECT_EQ(diagnostics.error_count(), 2U);
  EXPECT_EQ(system->components().size(), 3U);  // with the manager
}

TEST_F(SystemLoaderTest, NoXmlIsNoSystem) {
  for (const char* text : {"", "mass = 3", "<System>", "<Systm/>", "<System xmlns=\"x\"/>"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(LoadSystemText(text, "test.xml", Models(), {}, diagnostics), nullptr);
    EXPECT_EQ(diagnostics.error_count(), 1U);
  }
}

TEST_F(SystemLoaderTest, FiveThousandComponentsAreLoadedInTime) {
  std::string content;
  for (int i = 0; i < 5000; ++i) {
    content += "<mechanical.MassSpringDamper name=\"m" + std::to_string(i) +
               "\" mass=\"2 kg\" stiffness=\"100 N/m\" damping=\"0.5 N.s/m\"><Start x=\"10 mm\"/>"
               "</mechanical.MassSpringDamper>\n";
  }
  Load(content);
  EXPECT_EQ(system_->components().size(), 5001U);
}

const std::string kVolume =
    R"(<hydraulic.Volume name="volume"/><hydraulic.PressureSensor name="s"/><Connect from="s.port" to="volume.port"/>)";

TEST_F(SystemLoaderTest, TheNearestFluidUpTheTreeCounts) {
  WriteFile("inner.xml", kVolume);
  WriteFile("own.xml", kVolume + R"(<Subsystem name="inner" src="inner.xml"/>
                          <hydraulic.Fluid name="oil" bulk_modulus="1.2e9 Pa"/>)");
  Load(kVolume + R"(<Subsystem name="own" src="own.xml"/><Subsystem name="other" src="inner.xml"/>
          <hydraulic.Fluid name="oil" bulk_modulus="1.5e9 Pa"/>)");
  EXPECT_EQ(Read("own.volume.bulk_modulus"), 1.2e9);
  EXPECT_EQ(Read("own.inner.volume.bulk_modulus"), 1.2e9);
  EXPECT_EQ(Read("other.volume.bulk_modulus"), 1.5e9);
  EXPECT_EQ(Read("volume.bulk_modulus"), 1.5e9);
}

TEST_F(SystemLoaderTest, OptionsAndPassedParametersWinOverTheFluid) {
  WriteFile("inner.xml", R"(<Parameter name="beta" value="1.3e9 Pa"/>
                            <hydraulic.Volume name="volume" bulk_modulus="${beta}"/>
                            <hydraulic.PressureSensor name="s"/><Connect from="s.port" to="volume.port"/>)");
  Load(kVolume + R"(<Subsystem name="inner" src="inner.xml"/><hydraulic.Volume name="third"/>
          <hydraulic.PressureSensor name="t"/><Connect from="t.port" to="third.port"/><hydraulic.Fluid name="oil" bulk_modulus="1.5e9 Pa"/>)",
       {.set = {"volume.bulk_modulus=1.1e9 Pa", "oil.bulk_modulus=1.7e9 Pa"}});
  EXPECT_EQ(Read("inner.volume.bulk_modulus"), 1.3e9);
  EXPECT_EQ(Read("volume.bulk_modulus"), 1.1e9);
  EXPECT_EQ(Read("third.bulk_modulus"), 1.7e9);
}

TEST_F(SystemLoaderTest, AValueThatIsHandedDownMustBeOneThatCanBe) {
  Diagnostics diagnostics;
  LoadSystemText(
      "<System name=\"test\"><test.WrongProvider name=\"wrong\"/>\n<mechanical.Mass name=\"m\"/></System>",
      "test.xml", Models(), {}, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(ToText(diagnostics.all()[0]),
            "test.xml:1: error: /wrong: mass would be -2 kg at /m; it should be > 0 kg");
}

TEST_F(SystemLoaderTest, WhatIsSetAloneHoldsOverTheOptionLevel) {
  Load(R"(<hydraulic.Restriction name="hole"/><hydraulic.Volume name="v"/><hydraulic.Tank name="tank"/>
          <Connect from="hole.a" to="v.port"/><Connect from="hole.b" to="tank.port"/>)",
       {.set = {"hole.law=ShortTube"}, .level = {"*=Advanced"}});
  EXPECT_EQ(Read("hole.level"), 2);
  EXPECT_EQ(Read("hole.law"), 2);
  EXPECT_EQ(Read("hole.level_modified"), 1);
}

}  // namespace
}  // namespace davit
