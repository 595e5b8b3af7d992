// Systems as archives of FMUs and back: SSP.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tinyxml2.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include "fmi/ssp/ssp_export.h"
#include "fmi/ssp/ssp_system.h"
#include "fmi/zip_reader.h"
#include "fmi/zip_writer.h"
#include "results/program.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"
#include "tests/fmi/outside_program.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

namespace fs = std::filesystem;

SspExportSummary Export(const fs::path& system, const LoadOptions& load = {}) {
  Diagnostics diagnostics;
  SspExportSummary summary =
      ExportSsp({.system = system,
                 .output = FreshFolder() / "system.ssp",
                 .load = load,
                 .plugins = PluginsOf(system),
                 .runtime = fs::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
                FmuModels(), diagnostics);
  for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
  return summary;
}

/// The system of an archive, loaded.
std::unique_ptr<Simulation> Import(const fs::path& file) {
  ModelsWithFmus();
  Diagnostics diagnostics;
  const SspSystem system = ReadSsp(file, diagnostics);
  for (const Diagnostic& fault : diagnostics.all()) ADD_FAILURE() << ToText(fault);
  SimulationOptions options;
  options.load.set = system.settings;
  LoadedSimulation loaded = Simulation::Load(
      {.file = FreshFolder() / "system.xml", .description = system.description}, ModelsWithFmus(), options);
  EXPECT_NE(loaded.simulation, nullptr) << loaded.ToText() << system.description->ToXml();
  return std::move(loaded.simulation);
}

std::string FaultOf(const fs::path& file) {
  ModelsWithFmus();
  Diagnostics diagnostics;
  ReadSsp(file, diagnostics);
  std::string faults;
  for (const Diagnostic& fault : diagnostics.all()) faults += ToText(fault) + "\n";
  return faults;
}

// Law: a system that is cut at its lines into FMUs, and joined again from the archive, gives the bits of the
// whole.
TEST(SspTest, RoundTripGivesTheBitsOfTheWhole) {
  const SspExportSummary summary = Export(ExampleSystem("water_hammer"));
  EXPECT_THAT(summary.components, ElementsAre("supply", "mouth", "line", "valve"));
  const std::unique_ptr<Simulation> joined = Import(FreshFolder() / "system.ssp");
  ASSERT_NE(joined, nullptr);
  const std::unique_ptr<Simulation> whole =
      Simulation::Load(ExampleSystem("water_hammer"), FmuModels()).Take();
  whole->Initialize();
  joined->Initialize();
  int steps = 0;
  for (; !whole->is_finished(); ++steps) {
    ASSERT_EQ(whole->Read("valve.p"), joined->Read("valve.valve.p")) << steps;
    ASSERT_EQ(whole->Read("mouth.q"), joined->Read("mouth.mouth.q")) << steps;
    whole->Step();
    joined->Step();
  }
  EXPECT_EQ(steps, 5000);
  EXPECT_TRUE(joined->is_finished());
}

/// A system file of the test, exported and joined again.
std::unique_ptr<Simulation> RoundTrip(const std::string& content) {
  const fs::path system = FreshFolder() / "whole.xml";
  std::ofstream(system) << "<System name=\"whole\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\"/>"
                        << content << "</System>";
  Export(system);
  return Import(FreshFolder() / "system.ssp");
}

// Law: a route to an operator, which is no input of an FMU, keeps both ends together.
TEST(SspTest, RoutesToOperatorsAreNotCut) {
  Export(ExampleSystem("signal_operators"));
  const std::unique_ptr<Simulation> joined = Import(FreshFolder() / "system.ssp");
  ASSERT_NE(joined, nullptr);
  const std::unique_ptr<Simulation> whole =
      Simulation::Load(ExampleSystem("signal_operators"), FmuModels()).Take();
  whole->Initialize();
  joined->Initialize();
  const std::string part = joined->system().root().children().back()->name();
  while (!whole->is_finished()) {
    whole->Step();
    joined->Step();
    ASSERT_EQ(whole->Read("slide.x"), joined->Read(part + ".slide.x")) << whole->time();
  }
}

// Law: a sub-system is a part of its own, with what is inside.
TEST(SspTest, SubsystemsAreParts) {
  fs::create_directories(FreshFolder() / "parts");
  std::ofstream(FreshFolder() / "parts" / "swing.xml")
      << R"(<System name="swing"><Parameter name="k" value="1 N/m"/>
<mechanical.MassSpringDamper name="body" mass="1 kg" stiffness="${k}" damping="0 N.s/m"><Start x="1 m"/>
</mechanical.MassSpringDamper></System>)";
  const std::unique_ptr<Simulation> joined = RoundTrip(
      R"(<Subsystem name="a" src="parts/swing.xml" k="4 N/m"/><Subsystem name="b" src="parts/swing.xml"/>
<Record signals="a.body.x b.body.x"/>)");
  ASSERT_NE(joined, nullptr);
  joined->Initialize();
  joined->RunUntil(1);
  EXPECT_NEAR(joined->Read("a.a.body.x"), std::cos(2.0), 1e-5);
  EXPECT_NEAR(joined->Read("b.b.body.x"), std::cos(1.0), 1e-5);
}

TEST(SspTest, WhatCannotBeCutSaysWhy) {
  const auto fault = [](const std::string& content) {
    const fs::path system = FreshFolder() / "wrong.xml";
    std::ofstream(system) << "<System name=\"wrong\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\"/>"
                          << content << "</System>";
    Diagnostics diagnostics;
    ExportSsp({.system = system,
               .output = FreshFolder() / "system.ssp",
               .runtime = fs::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
              FmuModels(), diagnostics);
    return diagnostics.has_errors() ? ToText(diagnostics.all().front()) : std::string();
  };
  EXPECT_THAT(fault(R"(<For name="i" from="1" to="2"><signal.Integrator name="i{i}"/></For>)"),
              HasSubstr("what a <For> makes cannot be cut"));
  EXPECT_THAT(
      fault(R"(<signal.Integrator name="i"/><At time="0.5 s" message="Stop" to="SimulatorManager"/>)"),
      HasSubstr("a message to SimulatorManager is for the whole run"));
  EXPECT_THAT(fault(""), HasSubstr("the system has nothing that could be an FMU"));
  EXPECT_FALSE(fs::exists(FreshFolder() / "system.ssp"));
}

// Law: a system that is cut at its signals too, where they arrive a TimeStep later, comes to rest in the same
// place. On the way the command of its valves goes beyond their range, as in the whole system.
TEST(SspTest, ASystemCutAtSignalsComesToRestWhereTheWholeDoes) {
  const fs::path system = ExampleSystem("position_servo");
  Export(system);
  const std::unique_ptr<Simulation> joined = Import(FreshFolder() / "system.ssp");
  ASSERT_NE(joined, nullptr);
  const std::unique_ptr<Simulation> whole = Simulation::Load(system, FmuModels()).Take();
  for (Simulation* simulation : {joined.get(), whole.get()}) {
    simulation->Initialize();
    simulation->AdvanceTo(3);
  }
  EXPECT_NEAR(joined->Read("reference.load.x"), whole->Read("load.x"), 1e-6);
}

// Values given at the export are those of the parts.
TEST(SspTest, TakesValuesFromOutside) {
  Export(ExampleSystem("water_hammer"), {.set = {"supply.pressure=50 bar", "line.p=50 bar"}});
  const std::unique_ptr<Simulation> joined = Import(FreshFolder() / "system.ssp");
  ASSERT_NE(joined, nullptr);
  joined->Initialize();
  EXPECT_NEAR(joined->Read("valve.valve.p"), 50e5, 1e4);
}

// Law: the FMU of a part has the plug-ins that it needs, and no others.
TEST(SspTest, PartsTakeTheirOwnPluginsAlong) {
  const fs::path system = FreshFolder() / "plugins.xml";
  const std::string folder = DAVIT_TEST_PLUGINS "/";
  std::ofstream(system) << "<System name=\"plugins\"><Plugin src=\"" << folder << "oscillators.so\"/>"
                        << "<Plugin src=\"" << folder << "van_der_pol.so\"/>"
                        << R"(
<SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
<plugin.Harmonic name="body"/><mine.VanDerPol name="oscillator"/><signal.Integrator name="sum"/>
<Record signals="body.x oscillator.x sum.y"/></System>)";
  const SspExportSummary summary = Export(system);
  ASSERT_THAT(summary.components, testing::UnorderedElementsAre("body", "oscillator", "sum"));
  UnpackZip(FreshFolder() / "system.ssp", FreshFolder() / "ssp");
  const auto plugins_of = [](const std::string& part) {
    const fs::path parts = FreshFolder() / "ssp" / "resources";
    UnpackZip(parts / (part + ".fmu"), parts / part);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(parts / part / "binaries" / "linux64")) {
      std::string name = entry.path().filename().string();
      if (name.starts_with("davit-plugin-")) names.push_back(std::move(name));
    }
    return names;
  };
  EXPECT_THAT(plugins_of("body"), ElementsAre("davit-plugin-oscillators.so"));
  EXPECT_THAT(plugins_of("oscillator"), ElementsAre("davit-plugin-van_der_pol.so"));
  EXPECT_THAT(plugins_of("sum"), ElementsAre());
}

// ---- The structure of an archive ----

/// All systems of systems/.
std::vector<std::string> NamesOfExamples() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(ExampleSystem("mass_spring").parent_path())) {
    if (entry.path().extension() == ".xml") names.insert(entry.path().stem().string());
  }
  return {names.begin(), names.end()};
}

class SspStructureTest : public testing::TestWithParam<std::string> {
 protected:
  /// Exports the system and unpacks its structure. Empty where it cannot be cut.
  fs::path Structure() {
    Diagnostics diagnostics;
    ExportSsp({.system = ExampleSystem(GetParam()),
               .output = FreshFolder() / "system.ssp",
               .runtime = fs::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
              FmuModels(), diagnostics);
    if (diagnostics.has_errors()) return {};
    const fs::path file = FreshFolder() / "SystemStructure.ssd";
    std::ofstream(file)
        << ZipReader(FreshFolder() / "system.ssp").ReadText("SystemStructure.ssd", "text").text;
    return file;
  }
};

// Law (SSP 1.0.1, section 5): all units that are referenced are declared, each with its base unit; and the
// schema: no list is empty. The schema itself, with all files of its folder, is that of DAVIT_SSP_SCHEMA.
TEST_P(SspStructureTest, IsValid) {
  const fs::path file = Structure();
  if (file.empty()) GTEST_SKIP() << "the system cannot be cut into FMUs";
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.LoadFile(file.c_str()), tinyxml2::XML_SUCCESS);
  std::set<std::string> used, declared;
  const std::function<void(const tinyxml2::XMLElement&)> look = [&](const tinyxml2::XMLElement& e) {
    const std::string name = e.Name();
    if (const char* const unit = e.Attribute("unit")) used.insert(unit);
    if (name == "ssc:Unit") {
      EXPECT_TRUE(declared.insert(e.Attribute("name")).second) << e.Attribute("name");
      EXPECT_NE(e.FirstChildElement("ssc:BaseUnit"), nullptr) << e.Attribute("name");
    }
    for (const char* list : {"ssd:Connections", "ssd:Connectors", "ssd:Units", "ssd:Elements"}) {
      EXPECT_FALSE(name == list && e.NoChildren()) << name;
    }
    for (const auto* child = e.FirstChildElement(); child != nullptr; child = child->NextSiblingElement())
      look(*child);
  };
  look(*document.RootElement());
  EXPECT_EQ(used, declared);

  const char* const schema = std::getenv("DAVIT_SSP_SCHEMA");
  if (schema == nullptr) return;
  const std::string xsd = (fs::path(schema) / "SystemStructureDescription.xsd").string();
  const std::optional<ProgramResult> checked =
      RunProgram("xmllint", {"--noout", "--nonet", "--schema", xsd, file.string()}, "");
  ASSERT_TRUE(checked.has_value()) << "xmllint is missing (package libxml2-utils)";
  EXPECT_EQ(checked->exit_code, 0) << checked->messages;
}

INSTANTIATE_TEST_SUITE_P(Examples, SspStructureTest, testing::ValuesIn(NamesOfExamples()),
                         [](const auto& info) { return info.param; });

TEST(SspTest, ConnectsFmusOfOthersWithTransformationsAndParameters) {
  ModelsWithFmus();
  const fs::path ball = PackBall2();
  std::ifstream stream(ball, std::ios::binary);
  const std::string fmu{std::istreambuf_iterator<char>(stream), {}};
  const fs::path file = FreshFolder() / "balls.ssp";
  WriteZip(file, {{"SystemStructure.ssd", R"(<SystemStructureDescription version="1.0" name="balls">
<System name="balls"><Elements>
<Component name="one" source="resources/ball.fmu" implementation="CoSimulation"><ParameterBindings>
<ParameterBinding source="resources/one.ssv"/></ParameterBindings></Component>
<Component name="two" source="resources/a%20ball.fmu"/></Elements>
<Connections><Connection startElement="one" startConnector="h" endElement="two" endConnector="push">
<LinearTransformation factor="2" offset="1"/></Connection></Connections></System>
<DefaultExperiment startTime="0" stopTime="0.1"/></SystemStructureDescription>)"},
                  {"resources/one.ssv",
                   R"(<ParameterSet><Parameters><Parameter name="g"><Real value="-1"/></Parameter>
</Parameters></ParameterSet>)"},
                  {"resources/ball.fmu", fmu},
                  {"resources/a ball.fmu", fmu}});
  const std::unique_ptr<Simulation> simulation = Import(file);
  ASSERT_NE(simulation, nullptr);
  simulation->Initialize();
  EXPECT_EQ(simulation->Read("one.g"), -1);
  EXPECT_EQ(simulation->Read("two.g"), -10);
  EXPECT_EQ(simulation->stop_time(), 0.1);
  simulation->Step();
  const double sampled = simulation->Read("one.h");
  simulation->Step();
  EXPECT_LT(simulation->Read("one.h"), sampled);
  EXPECT_DOUBLE_EQ(simulation->Read("transformation_1.y"), 2 * sampled + 1);
}

// Law: what crosses the border of an inner system is a connection of the FMUs at its ends, with the
// transformations of both connections; sets in place are as those in files, the outer one after the inner
// one.
TEST(SspTest, SystemsInsideAndParametersInPlace) {
  ModelsWithFmus();
  std::ifstream stream(PackBall2(), std::ios::binary);
  const std::string fmu{std::istreambuf_iterator<char>(stream), {}};
  const fs::path file = FreshFolder() / "inner.ssp";
  WriteZip(file, {{"SystemStructure.ssd", R"xml(<SystemStructureDescription version="1.0" name="balls">
<System name="balls">
<Connectors><Connector name="gravity" kind="parameter"/><Connector name="unused" kind="input"/></Connectors>
<Elements>
<Component name="one" source="resources/ball.fmu" implementation="CoSimulation"/>
<System name="inner">
<Connectors><Connector name="push" kind="input"/><Connector name="height" kind="output"/></Connectors>
<Elements><Component name="one" source="resources/ball.fmu" implementation="CoSimulation">
<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet><Parameters>
<Parameter name="g"><Real value="-1"/></Parameter><Parameter name="e"><Real value="0.25"/></Parameter>
</Parameters></ParameterSet></ParameterValues></ParameterBinding></ParameterBindings></Component></Elements>
<Connections>
<Connection startConnector="push" endElement="one" endConnector="push"><LinearTransformation factor="3"/></Connection>
<Connection startElement="one" startConnector="der(v)" endConnector="height"/>
</Connections></System>
<Component name="two" source="resources/ball.fmu" implementation="CoSimulation"/>
</Elements>
<Connections>
<Connection startElement="one" startConnector="h" endElement="inner" endConnector="push">
<LinearTransformation factor="2" offset="1"/></Connection>
<Connection startElement="inner" startConnector="height" endElement="two" endConnector="push"/>
<Connection startConnector="gravity" endElement="two" endConnector="g"><LinearTransformation factor="-1"/></Connection>
</Connections>
<ParameterBindings><ParameterBinding><ParameterValues><ParameterSet><Parameters>
<Parameter name="level"><Real value="0.75"/></Parameter><Parameter name="gravity"><Real value="4"/></Parameter>
<Parameter name="unused"><Real value="4"/></Parameter>
</Parameters></ParameterSet></ParameterValues>
<ParameterMapping><ParameterMapping><MappingEntry source="level" target="inner.one.e"/>
<MappingEntry source="" target="one.e"/><MappingEntry source="gravity" target="gravity"/>
<MappingEntry source="unused" target="unused"/></ParameterMapping></ParameterMapping>
</ParameterBinding></ParameterBindings>
</System><DefaultExperiment startTime="0" stopTime="0.1"/></SystemStructureDescription>)xml"},
                  {"resources/ball.fmu", fmu}});
  const std::unique_ptr<Simulation> simulation = Import(file);
  ASSERT_NE(simulation, nullptr);
  simulation->Initialize();
  EXPECT_EQ(simulation->Read("inner_one.g"), -1);
  EXPECT_EQ(simulation->Read("inner_one.e"), 0.75);
  EXPECT_EQ(simulation->Read("one.e"), 0.5);
  EXPECT_EQ(simulation->Read("two.g"), -4);
  simulation->Step();
  const double one = simulation->Read("one.h"), inner = simulation->Read("inner_one.der(v)");
  simulation->Step();
  EXPECT_DOUBLE_EQ(simulation->Read("transformation_1.y"), 3 * (2 * one + 1));
  EXPECT_DOUBLE_EQ(simulation->Read("two.push"), inner);
}

// Law: an FMU in an archive is named by the archive, before the run and in it.
TEST(SspTest, MessagesNameTheArchive) {
  const auto pack = [](const std::string& parameter) {
    const fs::path file = FreshFolder() / "wrong.ssp";
    WriteZip(file, {{"SystemStructure.ssd",
                     "<SystemStructureDescription><System name=\"s\"><Elements><Component name=\"w\" "
                     "source=\"resources/wrong.fmu\"><ParameterBindings><ParameterBinding "
                     "source=\"resources/w.ssv\"/></ParameterBindings></Component></Elements></System>"
                     "</SystemStructureDescription>"},
                    {"resources/wrong.fmu", ReadAll(PackWrong2())},
                    {"resources/w.ssv", "<ParameterSet>\n<Parameters><Parameter name=\"fault\">" + parameter +
                                            "</Parameter></Parameters></ParameterSet>"}});
    return file;
  };
  const fs::path file = pack("<Integer value=\"6\"/>");
  ModelsWithFmus();
  const ProgramResult run = RunDavit({"run", file.string()});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.messages, HasSubstr(file.string() + "/resources/wrong.fmu: fmi2DoStep answered error"));
  EXPECT_THAT(FaultOf(pack("")),
              HasSubstr(file.string() + "/resources/w.ssv:2: error: 'fault' has no value"));
  const fs::path broken = FreshFolder() / "broken.ssp";
  WriteZip(broken, {{"SystemStructure.ssd",
                     "<SystemStructureDescription><System name=\"s\"><Elements><Component name=\"a\" "
                     "source=\"a.fmu\"/></Elements></System></SystemStructureDescription>"},
                    {"a.fmu", ReadAll(PackFmu("a", "<fmiModelDescription", "wrong2"))}});
  EXPECT_THAT(FaultOf(broken), HasSubstr(broken.string() + "/a.fmu/modelDescription.xml:1: error: "));
}

TEST(SspTest, SaysWhatIsWrong) {
  const auto fault = [](const std::string& elements) {
    const fs::path file = FreshFolder() / "wrong.ssp";
    WriteZip(file, {{"SystemStructure.ssd", "<SystemStructureDescription><System name=\"s\">\n" + elements +
                                                "\n</System></SystemStructureDescription>"}});
    return FaultOf(file);
  };
  EXPECT_THAT(fault(""), HasSubstr("the system has no components"));
  EXPECT_THAT(
      fault("<Elements><Component name=\"a\" source=\"../x.fmu\"/></Elements>"),
      HasSubstr("SystemStructure.ssd:2: error: component 'a': its source '../x.fmu' is not an FMU in the"));
  EXPECT_THAT(fault("<Elements><SignalDictionaryReference name=\"d\"/></Elements>"),
              HasSubstr("<SignalDictionaryReference> is not read"));
  EXPECT_THAT(fault("<Elements><System name=\"a\"/>\n<System name=\"a\"/></Elements>"),
              HasSubstr("SystemStructure.ssd:3: error: there are two elements 'a'"));
  ModelsWithFmus();
  std::ifstream stream(PackBall2(), std::ios::binary);
  const std::string fmu{std::istreambuf_iterator<char>(stream), {}};
  const auto fault_of_numbers = [&](const std::string& more, const std::string& factor) {
    const fs::path file = FreshFolder() / "numbers.ssp";
    WriteZip(file, {{"SystemStructure.ssd",
                     "<SystemStructureDescription><System name=\"s\"><Elements>\n<Component name=\"a.b\" "
                     "source=\"x.fmu\"/>" +
                         more +
                         "</Elements><Connections><Connection startElement=\"a.b\" startConnector=\"h\" "
                         "endElement=\"a.b\" endConnector=\"push\">\n<LinearTransformation factor=\"" +
                         factor +
                         "\"/></Connection></Connections></System>\n<DefaultExperiment "
                         "stopTime=\"nan\"/></SystemStructureDescription>"},
                    {"x.fmu", fmu}});
    return FaultOf(file);
  };
  EXPECT_THAT(fault_of_numbers("\n<Component name=\"a_b\" source=\"x.fmu\"/>", "2"),
              HasSubstr("SystemStructure.ssd:3: error: component 'a_b': give it a unique name"));
  const std::string numbers = fault_of_numbers("", "twice");
  EXPECT_THAT(numbers, HasSubstr("SystemStructure.ssd:3: error: factor: 'twice' is not a number"));
  EXPECT_THAT(numbers, HasSubstr("SystemStructure.ssd:4: error: stopTime: 'nan' is not a number"));
  EXPECT_THAT(FaultOf("none.ssp"), HasSubstr("there is no such file"));
  std::ofstream(FreshFolder() / "text.ssp") << "no archive";
  EXPECT_THAT(FaultOf(FreshFolder() / "text.ssp"), HasSubstr("it is not a zip archive"));
}

}  // namespace
}  // namespace davit
