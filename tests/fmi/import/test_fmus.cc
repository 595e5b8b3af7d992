#include "tests/fmi/import/test_fmus.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "components/register.h"
#include "fmi/import/fmu_component.h"
#include "fmi/zip_writer.h"
#include "simulator/simulation_failure.h"
#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

std::string SystemText(const std::string& content, const std::string& manager) {
  return "<System name=\"test\">\n<SimulatorManager TimeStep=\"10 ms\" StopTime=\"2 s\"" + manager + "/>\n" +
         content + "\n</System>\n";
}

}  // namespace

const Registry& ModelsWithFmus() {
  static const Registry kModels = [] {
    FreshFolder();  // the cache is there
    Registry registry = AllModels();
    RegisterFmi(registry);
    return registry;
  }();
  return kModels;
}

std::string BallDescription2(const std::string& kinds) {
  constexpr const char* kKinds = R"xml(
  <ModelExchange modelIdentifier="ball2" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
  <CoSimulation modelIdentifier="ball2" canHandleVariableCommunicationStepSize="true"
                canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>)xml";
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="ball" guid="{ball}" numberOfEventIndicators="1">)xml" +
         (kinds.empty() ? kKinds : kinds) + R"xml(
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
    <Unit name="m/s2"><BaseUnit m="1" s="-2"/></Unit>
    <Unit name="ms"><BaseUnit s="1" factor="0.001"/></Unit>
  </UnitDefinitions>
  <DefaultExperiment startTime="0" stopTime="2" stepSize="0.01"/>
  <ModelVariables>
    <ScalarVariable name="h" valueReference="1" causality="output" variability="continuous" initial="exact"><Real start="1" unit="m"/></ScalarVariable>
    <ScalarVariable name="v" valueReference="2" causality="output" variability="continuous" initial="exact"><Real start="0" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="3" causality="local" variability="continuous" initial="calculated"><Real derivative="1" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="der(v)" valueReference="4" causality="output" variability="continuous" initial="calculated"><Real derivative="2" unit="m/s2"/></ScalarVariable>
    <ScalarVariable name="g" valueReference="5" causality="parameter" variability="fixed" initial="exact"><Real start="-10" unit="m/s2"/></ScalarVariable>
    <ScalarVariable name="e" valueReference="6" causality="parameter" variability="tunable" initial="exact"><Real start="0.5" min="0" max="1"/></ScalarVariable>
    <ScalarVariable name="kick[1]" valueReference="7" causality="parameter" variability="tunable" initial="exact"><Real start="0" unit="m/s"/></ScalarVariable>
    <ScalarVariable name="kick.time" valueReference="8" causality="parameter" variability="fixed" initial="exact"><Real start="-1"/></ScalarVariable>
    <ScalarVariable name="push" valueReference="9" causality="input" variability="continuous"><Real start="0" unit="m/s2"/></ScalarVariable>
    <ScalarVariable name="bounces" valueReference="10" causality="local" variability="discrete"><Integer/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1" dependencies=""/><Unknown index="2" dependencies=""/><Unknown index="4"/></Outputs>
    <Derivatives><Unknown index="3"/><Unknown index="4"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>
)xml";
}

std::string BallDescription3() {
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="ball" instantiationToken="{ball}">
  <ModelExchange modelIdentifier="ball3"/>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
  </UnitDefinitions>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="h" valueReference="1" causality="output" start="1" initial="exact" unit="m"/>
    <Float64 name="v" valueReference="2" causality="output" start="0" initial="exact" unit="m/s"/>
    <Float64 name="der(h)" valueReference="3" causality="local" derivative="1"/>
    <Float64 name="der(v)" valueReference="4" causality="local" derivative="2"/>
    <Float64 name="g" valueReference="5" causality="parameter" variability="fixed" start="-10"/>
    <Float64 name="e" valueReference="6" causality="parameter" variability="tunable" start="0.5"/>
    <Float64 name="kick" valueReference="7" causality="parameter" variability="tunable" start="0"/>
    <Float64 name="kick_time" valueReference="8" causality="parameter" variability="fixed" start="-1"/>
    <Float64 name="push" valueReference="9" causality="input" start="0"/>
    <Float64 name="indicator" valueReference="11" causality="local"/>
    <Int32 name="bounces" valueReference="10" causality="output"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="1"/><Output valueReference="2"/><Output valueReference="10"/>
    <ContinuousStateDerivative valueReference="3"/><ContinuousStateDerivative valueReference="4"/>
    <EventIndicator valueReference="11"/>
  </ModelStructure>
</fmiModelDescription>
)xml";
}

std::string TypesDescription3() {
  constexpr const char* kTypes[] = {"Float64", "Float32", "Int8",  "UInt8",  "Int16",  "UInt16",
                                    "Int32",   "UInt32",  "Int64", "UInt64", "Boolean"};
  std::string text = R"xml(<fmiModelDescription fmiVersion="3.0" modelName="types" instantiationToken="t">
  <CoSimulation modelIdentifier="types3" canHandleVariableCommunicationStepSize="true"/>
  <TypeDefinitions><EnumerationType name="Colour"><Item name="red" value="-1"/><Item name="blue" value="7"/></EnumerationType></TypeDefinitions>
  <ModelVariables>
)xml";
  int reference = 1;
  for (const char* type : kTypes) {
    const std::string zero = std::string(type) == "Boolean" ? "false" : "0";
    text += std::string("    <") + type + " name=\"" + type + "_in\" valueReference=\"" +
            std::to_string(reference) + "\" causality=\"input\" start=\"" + zero + "\"/>\n    <" + type +
            " name=\"" + type + "_out\" valueReference=\"" + std::to_string(reference + 1) +
            "\" causality=\"output\"/>\n";
    reference += 2;
  }
  return text +
         R"xml(    <Enumeration name="colour" valueReference="51" causality="parameter" variability="tunable" declaredType="Colour" start="-1"/>
    <Enumeration name="shown" valueReference="52" causality="output" declaredType="Colour"/>
    <UInt64 name="n" valueReference="101" causality="structuralParameter" variability="fixed" start="2"/>
    <Float64 name="gain" valueReference="102" causality="parameter" variability="tunable" start="1"/>
    <Float64 name="u" valueReference="103" causality="input" start="1 2"><Dimension valueReference="101"/></Float64>
    <Float64 name="y" valueReference="104" causality="output"><Dimension valueReference="101"/></Float64>
    <String name="label" valueReference="105" causality="parameter" variability="fixed"><Start value="start"/></String>
    <Int32 name="label_size" valueReference="106" causality="output"/>
    <Binary name="image" valueReference="107" causality="input"><Start value="00"/></Binary>
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>
)xml";
}

std::string WrongDescription2() {
  return R"xml(<fmiModelDescription fmiVersion="2.0" modelName="wrong" guid="w">
  <CoSimulation modelIdentifier="wrong2"/>
  <ModelVariables>
    <ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="fault" valueReference="2" causality="parameter" variability="fixed"><Integer start="0"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs></ModelStructure>
</fmiModelDescription>
)xml";
}

fs::path PackFmu(const std::string& name, const std::string& description, const std::string& library,
                 const std::string& platform) {
  const fs::path file = FreshFolder() / (name + ".fmu");
  std::ifstream stream(fs::path(DAVIT_TEST_FMUS) / (library + ".so"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  WriteZip(file,
           {{"modelDescription.xml", description}, {"binaries/" + platform + "/" + library + ".so", bytes}});
  return file;
}

fs::path PackBall2(const std::string& kinds) { return PackFmu("ball", BallDescription2(kinds), "ball2"); }
fs::path PackBall3() { return PackFmu("ball3", BallDescription3(), "ball3", "x86_64-linux"); }
fs::path PackTypes3() { return PackFmu("types", TypesDescription3(), "types3", "x86_64-linux"); }
fs::path PackWrong2() { return PackFmu("wrong", WrongDescription2(), "wrong2"); }

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

std::unique_ptr<Simulation> LoadWithFmus(const std::string& content, const std::string& manager) {
  LoadedSimulation loaded =
      Simulation::LoadText(SystemText(content, manager), FreshFolder() / "test.xml", ModelsWithFmus());
  EXPECT_NE(loaded.simulation, nullptr) << loaded.ToText();
  return std::move(loaded.simulation);
}

std::string FaultsWithFmus(const std::string& content) {
  return Simulation::LoadText(SystemText(content, ""), FreshFolder() / "test.xml", ModelsWithFmus()).ToText();
}

std::string FailureWithFmus(const std::string& content) {
  const std::unique_ptr<Simulation> simulation = LoadWithFmus(content);
  if (simulation == nullptr) return "not loaded";
  try {
    simulation->Initialize();
    simulation->Run();
  } catch (const SimulationFailure& failure) {
    return failure.what();
  }
  return "none";
}

}  // namespace davit
