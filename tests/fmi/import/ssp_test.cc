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
  EXPECT_THAT(fault("<Elements><System name=\"inner\"/></Elements>"), HasSubstr("<System> is not read"));
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
              HasSubstr("SystemStructure.ssd:3: error: component 'a_b': give it a name of its own"));
  const std::string numbers = fault_of_numbers("", "twice");
  EXPECT_THAT(numbers, HasSubstr("SystemStructure.ssd:3: error: factor: 'twice' is not a number"));
  EXPECT_THAT(numbers, HasSubstr("SystemStructure.ssd:4: error: stopTime: 'nan' is not a number"));
  EXPECT_THAT(FaultOf("none.ssp"), HasSubstr("there is no such file"));
  std::ofstream(FreshFolder() / "text.ssp") << "no archive";
  EXPECT_THAT(FaultOf(FreshFolder() / "text.ssp"), HasSubstr("it is no zip archive"));
}

}  // namespace
}  // namespace davit
