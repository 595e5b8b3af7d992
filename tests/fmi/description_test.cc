// What an exported FMU consists of: the rules of the standard that FMUs of other tools break most.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "fmi/fmu_check.h"
#include "results/program.h"
#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;
using tinyxml2::XMLElement;

std::string Get(const XMLElement& element, const char* name) {
  const char* const value = element.Attribute(name);
  return value == nullptr ? "" : value;
}

std::vector<const XMLElement*> ChildrenOf(const XMLElement* parent) {
  std::vector<const XMLElement*> children;
  for (const XMLElement* e = parent == nullptr ? nullptr : parent->FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement())
    children.push_back(e);
  return children;
}

class FmuDescriptionTest : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {
 protected:
  void SetUp() override {
    const auto [name, version] = GetParam();
    is_2_ = version == FmiVersion::k2;
    std::string system_name = name;
    constexpr std::string_view kModelExchange = "_me";
    const bool has_model_exchange = system_name.ends_with(kModelExchange);
    if (has_model_exchange) system_name.resize(system_name.size() - kModelExchange.size());
    const std::filesystem::path system =
        system_name == "blinker" ? WriteChartSystem(FreshFolder() / "chart") : ExampleSystem(system_name);
    fmu_ = std::make_unique<ExportedFmu>(system, version, FmuSelection{}, has_model_exchange);
    ASSERT_EQ(document_.Parse(fmu_->description().c_str()), tinyxml2::XML_SUCCESS);
    root_ = document_.RootElement();
  }

  bool is_2_ = true;
  std::unique_ptr<ExportedFmu> fmu_;
  tinyxml2::XMLDocument document_;
  const XMLElement* root_ = nullptr;
};

TEST_P(FmuDescriptionTest, HasItsElementsInTheOrderOfTheSchema) {
  std::vector<std::string> order{"ModelExchange",   "CoSimulation",  "UnitDefinitions",
                                 "TypeDefinitions", "LogCategories", "DefaultExperiment"};
  if (is_2_) order.emplace_back("VendorAnnotations");
  order.insert(order.end(), {"ModelVariables", "ModelStructure"});
  if (!is_2_) order.emplace_back("Annotations");
  std::size_t place = 0;
  for (const XMLElement* element : ChildrenOf(root_)) {
    const auto found =
        std::find(order.begin() + static_cast<std::ptrdiff_t>(place), order.end(), element->Name());
    ASSERT_NE(found, order.end()) << element->Name();
    place = static_cast<std::size_t>(found - order.begin()) + 1;
  }
  EXPECT_EQ(Get(*root_, "fmiVersion"), is_2_ ? "2.0" : "3.0");
}

TEST_P(FmuDescriptionTest, VariablesAreLegal) {
  std::set<std::string> names, references, units, types;
  for (const XMLElement* unit : ChildrenOf(root_->FirstChildElement("UnitDefinitions"))) {
    EXPECT_TRUE(units.insert(Get(*unit, "name")).second);
    for (const XMLElement* display = unit->FirstChildElement("DisplayUnit"); display != nullptr;
         display = display->NextSiblingElement("DisplayUnit"))
      units.insert(Get(*unit, "name") + " as " + Get(*display, "name"));
  }
  for (const XMLElement* type : ChildrenOf(root_->FirstChildElement("TypeDefinitions"))) {
    EXPECT_TRUE(types.insert(Get(*type, "name")).second);
    std::set<std::string> items, values;
    for (const XMLElement* item : ChildrenOf(is_2_ ? type->FirstChildElement() : type)) {
      EXPECT_TRUE(items.insert(Get(*item, "name")).second) << Get(*item, "name");
      EXPECT_TRUE(values.insert(Get(*item, "value")).second);
    }
  }
  std::size_t independents = 0;
  for (const XMLElement* variable : ChildrenOf(root_->FirstChildElement("ModelVariables"))) {
    const std::string name = Get(*variable, "name");
    SCOPED_TRACE(name);
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(names.insert(name).second);
    EXPECT_TRUE(references.insert(Get(*variable, "valueReference")).second);
    const XMLElement& value = is_2_ ? *variable->FirstChildElement() : *variable;
    const std::string kind = value.Name();
    const std::string causality = Get(*variable, "causality");
    const std::string variability = Get(*variable, "variability");
    const std::string initial = Get(*variable, "initial");
    const bool has_start =
        value.Attribute("start") != nullptr || (!is_2_ && variable->FirstChildElement("Start") != nullptr);
    const bool is_real = kind == "Real" || kind == "Float64";
    if (causality == "independent") {
      ++independents;
      EXPECT_FALSE(has_start);
      continue;
    }
    EXPECT_TRUE(is_real || variability != "continuous");
    if (causality == "parameter") {
      EXPECT_TRUE(variability == "fixed" || variability == "tunable");
      EXPECT_EQ(initial, "exact");
    } else {
      EXPECT_TRUE(causality == "input" || causality == "output" || causality == "local");
      EXPECT_TRUE(variability == "discrete" || variability == "continuous");
      EXPECT_EQ(initial.empty(), causality == "input");
    }
    EXPECT_EQ(has_start, initial != "calculated");
    if (const std::string unit = Get(value, "unit"); !unit.empty()) {
      EXPECT_TRUE(units.contains(unit)) << unit;
      if (const std::string display = Get(value, "displayUnit"); !display.empty()) {
        EXPECT_TRUE(units.contains(unit + " as " + display)) << display;
      }
    }
    if (kind == "Enumeration") {
      EXPECT_TRUE(types.contains(Get(value, "declaredType")));
    }
  }
  EXPECT_EQ(independents, is_2_ ? 0u : 1u);
}

// Law: Outputs are the outputs; InitialUnknowns those of them, and of the continuous states and their
// derivatives, that are not exact; both in order, without repetition. Each continuous state has one
// derivative.
TEST_P(FmuDescriptionTest, StructureIsThatOfTheVariables) {
  std::vector<std::string> outputs, unknowns, states;
  std::set<std::string> derivatives, of_derivatives;
  std::size_t index = 0;
  for (const XMLElement* variable : ChildrenOf(root_->FirstChildElement("ModelVariables"))) {
    ++index;
    const XMLElement& value = is_2_ ? *variable->FirstChildElement() : *variable;
    const std::string reference = is_2_ ? std::to_string(index) : Get(*variable, "valueReference");
    const bool is_state = value.Attribute("reinit") != nullptr;
    const bool is_derivative = value.Attribute("derivative") != nullptr;
    if (is_state) states.push_back(reference);
    if (is_derivative) derivatives.insert(reference);
    if (is_derivative) {
      EXPECT_TRUE(of_derivatives.insert(Get(value, "derivative")).second);
    }
    const bool is_output = Get(*variable, "causality") == "output";
    if (is_output) outputs.push_back(reference);
    if ((is_output || is_state || is_derivative) && Get(*variable, "initial") != "exact")
      unknowns.push_back(reference);
  }
  EXPECT_FALSE(outputs.empty());
  EXPECT_EQ(of_derivatives, std::set<std::string>(states.begin(), states.end()));
  const XMLElement* const structure = root_->FirstChildElement("ModelStructure");
  const auto list = [&](const char* list_2, const char* element_3) {
    std::vector<std::string> found;
    for (const XMLElement* e : ChildrenOf(is_2_ ? structure->FirstChildElement(list_2) : structure)) {
      if (is_2_ || std::string(e->Name()) == element_3)
        found.push_back(Get(*e, is_2_ ? "index" : "valueReference"));
    }
    return found;
  };
  EXPECT_EQ(list("Outputs", "Output"), outputs);
  EXPECT_EQ(list("InitialUnknowns", "InitialUnknown"), unknowns);
  const std::vector<std::string> listed = list("Derivatives", "ContinuousStateDerivative");
  EXPECT_EQ(std::set<std::string>(listed.begin(), listed.end()), derivatives);
  EXPECT_EQ(listed.size(), derivatives.size());
}

INSTANTIATE_TEST_SUITE_P(Systems, FmuDescriptionTest,
                         testing::Combine(testing::Values("lifting_cylinder", "knuckle_boom_crane",
                                                          "position_servo", "level_switching",
                                                          "bouncing_ball", "transistor_amplifier",
                                                          "electric_winch", "blinker", "bouncing_ball_me",
                                                          "lifting_cylinder_me", "blinker_me"),
                                          testing::Values(FmiVersion::k2, FmiVersion::k3)),
                         [](const auto& parameter) {
                           return std::string(std::get<0>(parameter.param)) +
                                  (std::get<1>(parameter.param) == FmiVersion::k2 ? "_2" : "_3");
                         });

// Law: the schema of FMI 2.0 asks for a variable; that of 3.0 is content with the time.
TEST(FmuVariableTest, ASystemWithoutVariablesIsOfFmi3) {
  const std::filesystem::path system = FreshFolder() / "empty.xml";
  std::ofstream(system)
      << R"(<System name="empty"><SimulatorManager TimeStep="1 s" StopTime="1 s"/></System>)";
  const std::filesystem::path file = FreshFolder() / "empty.fmu";
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    Diagnostics diagnostics;
    ExportFmu({.system = system,
               .output = file,
               .version = version,
               .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
              FmuModels(), diagnostics);
    EXPECT_EQ(diagnostics.has_errors(), version == FmiVersion::k2);
    EXPECT_EQ(std::filesystem::exists(file), version == FmiVersion::k3);
    for (const Diagnostic& fault : diagnostics.all()) EXPECT_THAT(ToText(fault), HasSubstr("write --fmi 3"));
  }
}

// Law: what the system itself changes during a run is no parameter of FMI: recorded, it is an output that is
// discrete. A parameter that nobody writes stays one.
TEST(FmuVariableTest, RecordedParametersThatTheSystemWritesAreOutputs) {
  const std::filesystem::path system = FreshFolder() / "written.xml";
  std::ofstream(system) << R"(<System name="written"><SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
<signal.Constant name="a" value="1"/><signal.Constant name="b" value="1"/>
<At time="0.5 s" set="a.value" value="2"/><Record signals="a.y a.value b.value"/></System>)";
  Diagnostics diagnostics;
  const auto simulation = Simulation::Load(system, FmuModels()).Take();
  std::map<std::string, FmuVariable> variables;
  for (const FmuVariable& variable : ListFmuVariables(*simulation, {}, diagnostics))
    variables.emplace(variable.name, variable);
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(variables.at("a.value").causality, FmuCausality::kOutput);
  EXPECT_EQ(variables.at("a.value").variability, FmuVariability::kDiscrete);
  EXPECT_EQ(variables.at("b.value").causality, FmuCausality::kParameter);
  EXPECT_EQ(variables.at("a.y").variability, FmuVariability::kContinuous);
}

// Law: what the system itself writes is no input, which masters would overwrite in each step: it is an output
// if it is recorded, else local, with a start value. An option can make an input of it all the same.
TEST(FmuVariableTest, InputsThatTheSystemWritesAreNoInputs) {
  const std::filesystem::path folder = FreshFolder();
  std::ofstream(folder / "writer.scxml") << R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<state id="on"><onentry><assign location="b.u" expr="3"/></onentry></state></scxml>)";
  const std::filesystem::path system = folder / "written.xml";
  std::ofstream(system) << R"(<System name="written"><SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
<Statechart name="writer" src="writer.scxml"/>
<signal.Gain name="a" u="1"/><signal.Gain name="b"/><signal.Gain name="c"/><signal.Gain name="d"/>
<At time="0.5 s" set="a.u" value="2"/><At time="0.5 s" set="d.u" value="2"/>
<Record signals="a.y b.y d.u"/></System>)";
  const auto list = [&](const FmuSelection& selection) {
    Diagnostics diagnostics;
    const auto simulation = Simulation::Load(system, FmuModels()).Take();
    std::map<std::string, FmuVariable> variables;
    for (const FmuVariable& variable : ListFmuVariables(*simulation, selection, diagnostics))
      variables.emplace(variable.name, variable);
    EXPECT_FALSE(diagnostics.has_errors());
    return variables;
  };
  const auto variables = list({});
  EXPECT_EQ(variables.at("a.u").causality, FmuCausality::kLocal);
  EXPECT_EQ(variables.at("a.u").variability, FmuVariability::kDiscrete);
  EXPECT_EQ(variables.at("a.u").start, 1);
  EXPECT_EQ(variables.at("b.u").causality, FmuCausality::kLocal);
  EXPECT_EQ(variables.at("c.u").causality, FmuCausality::kInput);
  EXPECT_EQ(variables.at("d.u").causality, FmuCausality::kOutput);
  const auto chosen = list({.inputs = {"a.u"}});
  EXPECT_EQ(chosen.at("a.u").causality, FmuCausality::kInput);
  EXPECT_EQ(chosen.at("b.u").causality, FmuCausality::kLocal);
  EXPECT_EQ(chosen.at("c.u").causality, FmuCausality::kParameter);
}

// ---- the library -----------------------------------------------------------------------------------

std::string OutputOf(const std::string& program, const std::vector<std::string>& arguments) {
  const auto run = RunProgram(program, arguments, "");
  EXPECT_TRUE(run && run->exit_code == 0) << program;
  return run ? run->output : "";
}

/// What readelf says of a shared library: `[libc.so.6]` of the lines with `(NEEDED)`.
std::vector<std::string> EntriesOf(const std::filesystem::path& library, const std::string& kind) {
  std::vector<std::string> entries;
  std::istringstream lines(OutputOf("readelf", {"-d", library.string()}));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("(" + kind + ")") != std::string::npos) entries.push_back(line.substr(line.find('[')));
  }
  return entries;
}

// Law: nothing of davit or of its libraries is seen by another library of the process: two tools that have a
// SUNDIALS each cannot meet.
TEST(FmuLibraryTest, ShowsOnlyFmi) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  std::istringstream symbols(OutputOf("nm", {"-D", "--defined-only", fmu.library().string()}));
  std::size_t count = 0;
  for (std::string address, type, name; symbols >> address >> type >> name; ++count)
    EXPECT_TRUE(name.starts_with("fmi2") || name.starts_with("fmi3")) << name;
  EXPECT_GT(count, 100u);
}

// Law: values given at the export are those of the FMU: in its description, its reference results and its
// runs, structural ones too.
TEST(FmuExportOptions, TakesValuesFromOutside) {
  const std::filesystem::path set = FreshFolder() / "set.ssv";
  std::ofstream(set) << "<ParameterSet><Parameters><Parameter name=\"load.mass\"><Real value=\"0.02\" "
                        "unit=\"t\"/></Parameter></Parameters></ParameterSet>";
  const std::filesystem::path file = FreshFolder() / "heavy.fmu";
  Diagnostics diagnostics;
  ExportFmu({.system = ExampleSystem("mass_spring"),
             .output = file,
             .load = {.params = {set.string()}, .set = {"load.x=0.2", "SimulatorManager.StopTime=1"}},
             .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
            FmuModels(), diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const FmuCheck check = CheckFmu(file, {}, diagnostics);
  EXPECT_TRUE(check.has_reference && check.comparison.is_same);
  EXPECT_EQ(check.description.stop, 1);
  EXPECT_THAT(check.description.Find("load.mass")->start, ElementsAre(20.0));
  EXPECT_THAT(check.description.Find("load.x")->start, ElementsAre(0.2));
}

// Law: the libraries of an FMU need what every Linux with C++ programs has and each other, from no place of
// this machine.
TEST(FmuLibraryTest, NeedsOnlyTheRuntimesOfCAndCpp) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the libraries need that of the sanitizer";
#endif
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  EXPECT_THAT(
      EntriesOf(fmu.library(), "NEEDED"),
      UnorderedElementsAre("[libdavitxml.so.9]", "[libm.so.6]", "[libc.so.6]", "[ld-linux-x86-64.so.2]"));
  EXPECT_THAT(EntriesOf(fmu.library(), "RUNPATH"), ElementsAre("[$ORIGIN]"));
  EXPECT_THAT(EntriesOf(fmu.library(), "RPATH"), IsEmpty());

  const std::filesystem::path xml = fmu.library().parent_path() / "libdavitxml.so.9";
  EXPECT_THAT(EntriesOf(xml, "SONAME"), ElementsAre("[libdavitxml.so.9]"));
  EXPECT_THAT(EntriesOf(xml, "NEEDED"),
              UnorderedElementsAre("[libstdc++.so.6]", "[libgcc_s.so.1]", "[libc.so.6]"));
  EXPECT_THAT(EntriesOf(xml, "RUNPATH"), IsEmpty());
  EXPECT_THAT(EntriesOf(xml, "RPATH"), IsEmpty());
}

// Law: the XML library is the one of an FMU, although this program has Debian's. All FMUs of a process share
// that of the first one.
TEST(FmuLibraryTest, LoadsTheLibraryBesideIt) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  const std::filesystem::path xml = fmu.library().parent_path() / "libdavitxml.so.9";
  std::ifstream maps("/proc/self/maps");
  const std::string loaded{std::istreambuf_iterator<char>(maps), {}};
  EXPECT_THAT(loaded, HasSubstr("binaries/linux64/libdavitxml.so.9"));
  ASSERT_TRUE(std::filesystem::exists(xml));
}

// ---- the archive -----------------------------------------------------------------------------------

class FmuExportTest : public testing::Test {
 protected:
  Diagnostics Export(const std::filesystem::path& system, const std::filesystem::path& output,
                     FmuSelection selection = {}) {
    Diagnostics diagnostics;
    ExportFmu({.system = system,
               .output = output,
               .selection = std::move(selection),
               .has_reference = false,
               .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
              FmuModels(), diagnostics);
    return diagnostics;
  }
  std::string FaultOf(const std::filesystem::path& system, FmuSelection selection = {}) {
    const std::filesystem::path output = folder_ / "refused.fmu";
    std::string text;
    const Diagnostics diagnostics = Export(system, output, std::move(selection));
    for (const Diagnostic& fault : diagnostics.all()) text += ToText(fault) + "\n";
    EXPECT_FALSE(std::filesystem::exists(output));
    return text;
  }
  std::filesystem::path Write(const std::string& name, const std::string& content) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << content;
    return folder_ / name;
  }
  static std::string Bytes(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  const std::filesystem::path folder_ = FreshFolder();
};

TEST_F(FmuExportTest, EqualSystemsGiveEqualBytes) {
  EXPECT_FALSE(Export(ExampleSystem("level_switching"), folder_ / "a.fmu").has_errors());
  EXPECT_FALSE(Export(ExampleSystem("level_switching"), folder_ / "b.fmu").has_errors());
  const std::string bytes = Bytes(folder_ / "a.fmu");
  EXPECT_GT(bytes.size(), 1000u);
  EXPECT_TRUE(bytes == Bytes(folder_ / "b.fmu"));
}

TEST_F(FmuExportTest, BothLibrariesAreInTheFolderOfThePlatform) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    const ExportedFmu fmu(ExampleSystem("bouncing_ball"), version);
    const std::string platform = version == FmiVersion::k2 ? "binaries/linux64" : "binaries/x86_64-linux";
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(fmu.folder() / platform))
      names.push_back(entry.path().filename().string());
    EXPECT_THAT(names, UnorderedElementsAre("bouncing_ball.so", "libdavitxml.so.9"));
    EXPECT_THAT(Bytes(fmu.folder() / "documentation/licenses/licenses.txt"),
                HasSubstr("libdavitxml.so.9 is TinyXML-2"));
  }
}

// Law: without one of its libraries no FMU is written, and the missing file is named.
TEST_F(FmuExportTest, MissingLibrariesAreNamed) {
  const std::filesystem::path binaries = std::filesystem::path(DAVIT_BINARY).parent_path();
  for (const std::string present : {"libdavitxml.so.9", "davit_fmu_runtime.so"}) {
    const bool has_runtime = present == "davit_fmu_runtime.so";
    const std::string missing = has_runtime ? "libdavitxml.so.9" : "davit_fmu_runtime.so";
    const std::filesystem::path place = folder_ / present.substr(0, 5);
    std::filesystem::create_directories(place);
    std::filesystem::copy_file(binaries / present, place / present);
    Diagnostics diagnostics;
    std::string text;
    try {
      ExportFmu({.system = ExampleSystem("bouncing_ball"),
                 .output = folder_ / "none.fmu",
                 .has_reference = false,
                 .runtime = place / "davit_fmu_runtime.so"},
                FmuModels(), diagnostics);
    } catch (const std::runtime_error& fault) {
      text = fault.what();
    }
    EXPECT_THAT(text, HasSubstr((place / missing).string() + ": cannot be read, and FMUs need it"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "none.fmu"));
  }
}

TEST_F(FmuExportTest, FilesOutsideTheFolderAreRefused) {
  Write("part.xml", R"(<System name="part" xmlns="urn:davit:system:1"><signal.Sine name="s"/></System>)");
  const auto system = Write("inner/system.xml", R"(<System name="system" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
  <Subsystem name="part" src="../part.xml"/>
</System>)");
  EXPECT_THAT(FaultOf(system), HasSubstr("system.xml:3: error: '../part.xml' lies outside of"));
}

// Law: an input is there where an equation can read it.
TEST_F(FmuExportTest, InputsThatAnOptionRulesOutAreLeftOut) {
  const std::string text = ExportedFmu(ExampleSystem("lifting_cylinder")).description();
  EXPECT_THAT(text, Not(HasSubstr("name=\"dcv.angle\"")));
  const ExportedFmu asked(ExampleSystem("lifting_cylinder"), FmiVersion::k2, {.inputs = {"dcv.angle"}});
  EXPECT_THAT(asked.description(), HasSubstr("name=\"dcv.angle\""));
}

TEST_F(FmuExportTest, GlobsThatMatchNothingAreRefused) {
  EXPECT_THAT(FaultOf(ExampleSystem("bouncing_ball"), {.outputs = {"bal.*"}}),
              HasSubstr("--outputs bal.*: error: matches nothing that can be an output"));
  EXPECT_THAT(FaultOf(ExampleSystem("bouncing_ball"), {.inputs = {"ball.x"}}),
              AllOf(HasSubstr("--inputs ball.x: error: matches nothing that can be an input"),
                    Not(HasSubstr("nothing that can be a variable"))));  // it has some
}

TEST_F(FmuExportTest, WrongSystemsAreRefusedWithTheirPlaces) {
  const auto system = Write("wrong.xml", R"(<System name="wrong" xmlns="urn:davit:system:1">
  <mechanical.Mass name="ball" masss="1 kg"/>
</System>)");
  EXPECT_THAT(FaultOf(system), HasSubstr("wrong.xml:2: error: /ball"));
}

}  // namespace
}  // namespace davit
