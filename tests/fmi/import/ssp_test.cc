// Systems as archives of FMUs and back: SSP.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "fmi/ssp/ssp_export.h"
#include "fmi/ssp/ssp_system.h"
#include "fmi/zip_reader.h"
#include "fmi/zip_writer.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

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
  LoadedSimulation loaded =
      Simulation::LoadText(system.text, FreshFolder() / "system.xml", ModelsWithFmus(), options);
  EXPECT_NE(loaded.simulation, nullptr) << loaded.ToText() << system.text;
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

// Values given at the export are those of the parts.
TEST(SspTest, TakesValuesFromOutside) {
  Export(ExampleSystem("water_hammer"), {.set = {"supply.pressure=50 bar", "line.p=50 bar"}});
  const std::unique_ptr<Simulation> joined = Import(FreshFolder() / "system.ssp");
  ASSERT_NE(joined, nullptr);
  joined->Initialize();
  EXPECT_NEAR(joined->Read("valve.valve.p"), 50e5, 1e4);
}

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
<Component name="two" source="resources/ball.fmu"/></Elements>
<Connections><Connection startElement="one" startConnector="h" endElement="two" endConnector="push">
<LinearTransformation factor="2" offset="1"/></Connection></Connections></System>
<DefaultExperiment startTime="0" stopTime="0.1"/></SystemStructureDescription>)"},
                  {"resources/one.ssv",
                   R"(<ParameterSet><Parameters><Parameter name="g"><Real value="-1"/></Parameter>
</Parameters></ParameterSet>)"},
                  {"resources/ball.fmu", fmu}});
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
      HasSubstr("SystemStructure.ssd:2: error: component 'a': its source '../x.fmu' is no FMU in the"));
  EXPECT_THAT(fault("<Elements><SignalDictionaryReference name=\"d\"/></Elements>"),
              HasSubstr("<SignalDictionaryReference> is not read"));
  EXPECT_THAT(fault("<Elements><System name=\"a\"/>\n<System name=\"a\"/></Elements>"),
              HasSubstr("SystemStructure.ssd:3: error: there are two elements 'a'"));
  EXPECT_THAT(FaultOf("none.ssp"), HasSubstr("there is no such file"));
  std::ofstream(FreshFolder() / "text.ssp") << "no archive";
  EXPECT_THAT(FaultOf(FreshFolder() / "text.ssp"), HasSubstr("it is no zip archive"));
}

}  // namespace
}  // namespace davit
