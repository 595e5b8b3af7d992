// What FMUs of other tools do, allowed or not, that an importer has to live with.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_cache.h"
#include "fmi/import/fmu_library.h"
#include "fmi/xml_encoding.h"
#include "fmi/zip_writer.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string MannersDescription(const std::string& more = {}) {
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="manners" guid="m">
  <ModelExchange modelIdentifier="manners2"/>
  <CoSimulation modelIdentifier="manners2" canHandleVariableCommunicationStepSize="true"
                canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
  )xml" + more +
         R"xml(
  <ModelVariables>
    <ScalarVariable name="x" valueReference="1" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
    <ScalarVariable name="der(x)" valueReference="2" causality="local" variability="continuous" initial="calculated"><Real derivative="1"/></ScalarVariable>
    <ScalarVariable name="u" valueReference="3" causality="input" variability="continuous"><Real start="1"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="4" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
    <ScalarVariable name="own" valueReference="5" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
    <ScalarVariable name="tolerance" valueReference="6" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
    <ScalarVariable name="noise" valueReference="7" causality="parameter" variability="fixed" initial="exact"><Real start="0"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1" dependencies="1"/><Unknown index="4"/><Unknown index="5"/><Unknown index="6"/></Outputs>
    <Derivatives><Unknown index="2"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>
)xml";
}

void PackManners(const std::string& more = {}) { PackFmu("manners", MannersDescription(more), "manners2"); }

double Value(Simulation& simulation, const std::string& path) {
  std::vector<double> value(1);
  simulation.Read(simulation.Items(std::vector<std::string>{path}), value);
  return value[0];
}

// Law: an FMU calls its own functions, also where davit has others of the same names.
TEST(MannersTest, ItsOwnFunctionsComeFirst) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers cannot load a library in this way (RTLD_DEEPBIND)";
#endif
  PackManners();
  const auto simulation = LoadWithFmus(R"(<fmi.Fmu name="f" file="manners.fmu"/>)");
  simulation->Initialize();
  EXPECT_EQ(Value(*simulation, "f.own"), 1);
}

// Law: the first values are those after the initialisation, at the FMU and behind it.
TEST(MannersTest, OutputsOfTheStartAreThoseOfAnInitialisedFmu) {
  PackManners();
  const auto simulation = LoadWithFmus(
      "<fmi.Fmu name=\"f\" file=\"manners.fmu\"/>\n<signal.Gain name=\"g\" gain=\"2\"/>\n<Route from=\"f.y\" "
      "to=\"g.u\"/>");
  simulation->Initialize();
  EXPECT_EQ(Value(*simulation, "f.y"), 7);
  EXPECT_EQ(Value(*simulation, "g.y"), 14);
}

// Law: the initial equation x = u holds for the u of the route, also of a second FMU that reads the first.
TEST(MannersTest, ModelExchangeStartsFromTheInputsOfTheRoutes) {
  PackManners();
  for (const char* kind : {"ModelExchange", "CoSimulation"}) {
    const std::string k = " kind=\"" + std::string(kind) + "\"";
    const auto simulation = LoadWithFmus(
        "<signal.Constant name=\"c\" value=\"3\"/>\n"
        "<fmi.Fmu name=\"a\" file=\"manners.fmu\"" +
        k + "/>\n<fmi.Fmu name=\"b\" file=\"manners.fmu\"" + k +
        "/>\n"
        "<Route from=\"c.y\" to=\"a.u\"/>\n<Route from=\"a.x\" to=\"b.u\"/>");
    simulation->Initialize();
    EXPECT_EQ(Value(*simulation, "a.x"), 3) << kind;
    simulation->Run();
    EXPECT_EQ(Value(*simulation, "a.x"), 3) << kind;
    if (std::string(kind) == "ModelExchange") {
      EXPECT_EQ(Value(*simulation, "b.x"), 3);
    }
  }
}

// Law: a source that is not evaluated yet has no value, which an FMU must not see: this one fails at u = 0.
TEST(MannersTest, InputsBeginWithTheirStartValues) {
  PackManners();
  const auto simulation = LoadWithFmus(
      "<fmi.Fmu name=\"f\" file=\"manners.fmu\"/>\n<signal.Constant name=\"c\" value=\"3\"/>\n"
      "<Route from=\"c.y\" to=\"f.u\"/>");
  simulation->Initialize();
  simulation->Step();
  EXPECT_EQ(Value(*simulation, "f.x"), 3);
}

// Law: an FMU whose state has no mode in it goes on from a snapshot, in another instance.
TEST(MannersTest, SnapshotsGoIntoAnInitialisedFmu) {
  PackManners();
  const auto load = [] {
    auto simulation = LoadWithFmus(R"(<fmi.Fmu name="f" file="manners.fmu"/>)");
    simulation->Initialize();
    return simulation;
  };
  const auto saving = load();
  saving->AdvanceTo(1);
  std::stringstream snapshot;
  saving->SaveState(snapshot);
  const auto restored = LoadWithFmus(R"(<fmi.Fmu name="f" file="manners.fmu"/>)");
  ASSERT_FALSE(restored->LoadState(snapshot, "snapshot").has_errors());
  restored->Run();
  EXPECT_DOUBLE_EQ(restored->time(), 2);
}

TEST(MannersTest, TheToleranceOfItsExperimentIsItsOwn) {
  for (const bool has_tolerance : {false, true}) {
    PackManners(has_tolerance ? R"(<DefaultExperiment tolerance="1e-4"/>)" : "");
    const auto simulation = LoadWithFmus(R"(<fmi.Fmu name="f" file="manners.fmu"/>)");
    simulation->Initialize();
    EXPECT_EQ(Value(*simulation, "f.tolerance"), has_tolerance ? 1e-4 : -1);
  }
}

// Law: each step begins where the last has ended, also after a reset in the middle of a run.
TEST(MannersTest, AResetStartsAtThePresentTime) {
  PackManners();
  const auto simulation = LoadWithFmus(R"(<fmi.Fmu name="f" file="manners.fmu"/>)");
  simulation->Initialize();
  simulation->AdvanceTo(1);
  simulation->manager().Reset();
  simulation->Run();
  EXPECT_DOUBLE_EQ(simulation->time(), 2);
}

// Law: an FMU that names another environment than its own does no harm, and its lines are dropped; texts that
// are no format stay.
TEST(MannersTest, LogsWithoutTheirEnvironmentAndFormat) {
  PackManners();
  const ForeignFmuSource source{UnpackToCache(FreshFolder() / "manners.fmu"), FmuKind::kCoSimulation, "f",
                                false};
  Diagnostics diagnostics;
  const FmuDescription description = ReadFmuDescription(source.folder / "modelDescription.xml", diagnostics);
  const auto fmu = MakeForeignFmu(description, source);
  FmuValueList noise;
  noise.Add(FmuBaseType::kFloat64, 7);
  fmu->SetValues(noise, std::vector<double>{3});
  fmu->EnterInitialization(0, {}, {});
  fmu->ExitInitialization();
  EXPECT_TRUE(fmu->DoStep(0, 0.01));
  const std::vector<FmuLogLine> lines = fmu->TakeLog();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text, "filled to 100 %");
  EXPECT_EQ(lines[1].text, "%n is no place to write to");
}

// Law: the values at the end of a run that an FMU of 3.0 ends are those of its last step.
TEST(MannersTest, AnEndIsTheEndOfAStep) {
  PackFmu("end", R"xml(<fmiModelDescription fmiVersion="3.0" modelName="end" instantiationToken="e">
  <CoSimulation modelIdentifier="end3" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables><Float64 name="steps" valueReference="1" causality="output"><Alias name="count"/></Float64></ModelVariables>
  <ModelStructure><Output valueReference="1"/></ModelStructure>
</fmiModelDescription>)xml",
          "end3", "x86_64-linux");
  const auto simulation = LoadWithFmus(R"(<fmi.Fmu name="f" file="end.fmu" locals="count"/>)");
  simulation->Initialize();
  EXPECT_EQ(simulation->Run(), RunEnd::kMessage);
  EXPECT_EQ(Value(*simulation, "f.steps"), 5);
  EXPECT_EQ(Value(*simulation, "f.count"), 5) << "its other name";
}

// ---- Descriptions ----

/// What is said of a system with the FMU with this description.
std::string Said(const std::string& description) {
  PackFmu("manners", description, "manners2");
  return FaultsWithFmus(R"(<fmi.Fmu name="f" file="manners.fmu"/>)");
}

TEST(MannersTest, UnitsThatNobodyDeclaresAreNamed) {
  const std::string with_unit =
      Replaced(MannersDescription(), "<Real start=\"1\"/>", "<Real start=\"1\" unit=\"bar\"/>");
  EXPECT_THAT(Said(with_unit), AllOf(HasSubstr("modelDescription.xml:2: warning: "),
                                     HasSubstr("of its variables: bar;"), Not(HasSubstr("error"))));
  EXPECT_THAT(Said(Replaced(with_unit, "<ModelVariables>",
                            "<UnitDefinitions><Unit name=\"m\"/></UnitDefinitions><ModelVariables>")),
              HasSubstr("error: /f: no unit 'bar' in <UnitDefinitions>"));
}

TEST(MannersTest, StatesOfCoSimulationNeedNotBeRight) {
  const std::string wrong = Replaced(MannersDescription(), "<Real derivative=\"1\"/>", "<Real/>");
  EXPECT_THAT(Said(wrong), HasSubstr("'der(x)' is listed as a derivative"));
  EXPECT_EQ(Said(Replaced(wrong, "<ModelExchange modelIdentifier=\"manners2\"/>", "")), "");
}

TEST(MannersTest, DraftsOfTheStandardAreRefused) {
  EXPECT_THAT(Said(Replaced(MannersDescription(), "\"2.0\"", "\"3.0-beta.2\"")),
              HasSubstr("fmiVersion is '3.0-beta.2', a draft of the standard; davit reads 2.0 and 3.0"));
  EXPECT_EQ(Said(Replaced(MannersDescription(), "\"2.0\"", "\"2.0.1\"")), "");
}

TEST(MannersTest, OtherEncodingsAreRead) {
  EXPECT_EQ(ToUtf8("<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xb0'/>").text,
            "<?xml version='1.0' encoding='ISO-8859-1'?><a b='\u00b0'/>");
  EXPECT_EQ(ToUtf8("<a b='\xe2\x82\xac'/>").text, "<a b='\u20ac'/>");
  EXPECT_EQ(ToUtf8(std::string("\xff\xfe<\0a\0/\0>\0", 10)).text, "<a/>");
  EXPECT_EQ(ToUtf8("<a b='\x80'/>").text, "<a b='\u20ac'/>");
  EXPECT_EQ(ToUtf8("<a b='\x80'/>").warning, "the text is no UTF-8; it is read as windows-1252");
  EXPECT_EQ(ToUtf8("<a b='\x81'/>").text, "<a b='\u0081'/>");
  EXPECT_THAT(ToUtf8("<?xml version=\"1.0\" encoding=\"Klingon\"?>").fault,
              HasSubstr("'KLINGON' is not known"));
  EXPECT_EQ(ToUtf8("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
  EXPECT_EQ(ToUtf8("").text, "");
}

// ---- Archives ----

TEST(MannersTest, ArchivesOfWindowsHaveBackslashes) {
  ModelsWithFmus();
  WriteZip(FreshFolder() / "windows.fmu", {{"modelDescription.xml", "x"}, {"binaries\\linux64\\a.so", "y"}});
  EXPECT_TRUE(
      std::filesystem::exists(UnpackToCache(FreshFolder() / "windows.fmu") / "binaries/linux64/a.so"));
  WriteZip(FreshFolder() / "slip.fmu", {{"..\\slip.txt", "x"}});
  EXPECT_THROW(UnpackToCache(FreshFolder() / "slip.fmu"), std::runtime_error);
}

}  // namespace
}  // namespace davit
