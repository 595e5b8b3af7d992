// Plug-ins as the program uses them. The small ones of tests/plugins are built beside it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "app/exit_code.h"
#include "app/heap/allocation_counter.h"
#include "app/load_plugins.h"
#include "components/register.h"
#include "framework/plugin.h"
#include "results/program.h"
#include "simulator/plugin_entry.h"
#include "simulator/simulator_manager.h"
#include "tests/support/result_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string PluginFile(const std::string& name) { return std::string(DAVIT_TEST_PLUGINS "/") + name + ".so"; }

ProgramResult Davit(std::vector<std::string> arguments) {
  auto result = RunProgram(DAVIT_BINARY, std::move(arguments), "");
  return result ? *result : ProgramResult{};
}

/// A folder of this test's own: tests run at the same time.
fs::path OwnFolder() {
  return fs::path(testing::TempDir()) /
         (std::string("plugin_test_") + testing::UnitTest::GetInstance()->current_test_info()->name());
}

/// A system file in a folder of this test's own.
fs::path WriteSystem(const std::string& name, const std::string& content) {
  const fs::path folder = OwnFolder() / name;
  fs::create_directories(folder);
  fs::path file = folder / "system.xml";
  std::ofstream(file) << "<System name=\"" << name << "\" xmlns=\"urn:davit:system:1\">\n"
                      << content << "</System>\n";
  return file;
}

// ---- models of plug-ins are models like all others

TEST(PluginTest, ModelsAreListedAndDescribedOnlyWhereTheirPluginIsNamed) {
  EXPECT_EQ(Davit({"list", "plugin"}).exit_code, kWrongInput);
  const ProgramResult list = Davit({"list", "plugin", "--plugin", PluginFile("oscillators")});
  EXPECT_EQ(list.exit_code, kDone) << list.messages;
  EXPECT_THAT(list.output, AllOf(HasSubstr("plugin.Harmonic"), HasSubstr("plugin.Power")));
  const ProgramResult text = Davit({"describe", "plugin.Power", "--plugin", PluginFile("oscillators")});
  EXPECT_EQ(text.exit_code, kDone) << text.messages;
  EXPECT_THAT(text.output, AllOf(HasSubstr("Aspects"), HasSubstr("Square, Cube")));
  const ProgramResult chart =
      Davit({"chart", "default", "plugin.Power", "--plugin", PluginFile("oscillators")});
  EXPECT_EQ(chart.exit_code, kDone) << chart.messages;
  EXPECT_THAT(chart.output, HasSubstr("law.Cube"));
}

/// x = cos(w t) to the tolerance: after whole periods it is 1 again.
TEST(PluginTest, RunsAModelThatTheSystemFileNamesAPluginFor) {
  const fs::path system = WriteSystem(
      "period", "<Plugin src=\"" + PluginFile("oscillators") +
                    "\"/>\n"
                    "<SimulatorManager TimeStep=\"0.1 s\" StopTime=\"1 s\">\n"
                    "<Integration solver=\"ODE\" rtol=\"1e-10\" atol=\"1e-12\"/></SimulatorManager>\n"
                    "<plugin.Harmonic name=\"body\" frequency=\"1 rev/s\"/>\n"
                    "<Record signals=\"body.*\"/>\n");
  const fs::path result = system.parent_path() / "result.csv";
  const ProgramResult run = Davit({"run", system.string(), "-o", result.string()});
  ASSERT_EQ(run.exit_code, kDone) << run.messages;
  const ResultFile table(result);
  const std::vector<double>& x = table["body.x"];
  ASSERT_FALSE(x.empty());
  // Ten times the tolerance: errors of 2 pi time units add up.
  EXPECT_NEAR(x.back(), 1.0, 1e-8);
}

TEST(PluginTest, TheSameLibraryMayBeNamedByTheCommandTheFileAndItsSubsystems) {
  const fs::path part = WriteSystem(
      "part", "<Plugin src=\"" + PluginFile("oscillators") + "\"/>\n<plugin.Harmonic name=\"body\"/>\n");
  const fs::path system =
      WriteSystem("whole", "<Plugin src=\"../plugins/../" +
                               fs::relative(PluginFile("oscillators"), OwnFolder()).string() +
                               "\"/>\n<Subsystem name=\"a\" src=\"../part/system.xml\"/>\n" +
                               "<Subsystem name=\"b\" src=\"../part/system.xml\"/>\n");
  fs::create_directories(OwnFolder() / "plugins");
  const ProgramResult check = Davit({"check", system.string(), "--plugin", PluginFile("oscillators")});
  EXPECT_EQ(check.exit_code, kDone) << check.messages;
  EXPECT_THAT(check.output, HasSubstr("4 states"));
  const ProgramResult graph =
      Davit({"graph", system.string(), "-o", (system.parent_path() / "graph.dot").string()});
  EXPECT_EQ(graph.exit_code, kDone) << graph.messages;
}

TEST(PluginTest, TwoRegistriesLoadTheSamePlugin) {
  for (int i = 0; i < 2; ++i) {
    Registry registry;
    std::ostringstream err;
    EXPECT_TRUE(LoadPlugins({PluginFile("oscillators")}, {}, registry, err)) << err.str();
    ASSERT_NE(registry.Find("plugin.Power"), nullptr);
    EXPECT_TRUE(IsFromPlugin(*registry.Find("plugin.Power")));
  }
  Registry registry;
  RegisterSimulator(registry);
  for (const ModelEntry* entry : registry.entries()) EXPECT_FALSE(IsFromPlugin(*entry)) << entry->info->name;
}

// ---- a model that is derived from one of davit, with one more option

TEST(DerivedModelTest, HasTheOptionInEveryFrontEnd) {
  const std::string plugin = PluginFile("derived_cylinder");
  const ProgramResult text = Davit({"describe", "plugin.DerivedCylinder", "--plugin", plugin});
  EXPECT_EQ(text.exit_code, kDone) << text.messages;
  EXPECT_THAT(text.output,
              AllOf(HasSubstr("Coulomb, Measured"), HasSubstr("measured_force"), HasSubstr("gas_share")));
  const ProgramResult chart = Davit({"chart", "default", "plugin.DerivedCylinder", "--plugin", plugin});
  EXPECT_EQ(chart.exit_code, kDone) << chart.messages;
  EXPECT_THAT(chart.output, HasSubstr("aspect.friction.Measured"));
  const ProgramResult shipped = Davit({"describe", "hydraulic.Cylinder", "--plugin", plugin});
  EXPECT_THAT(shipped.output, Not(HasSubstr("Measured")));
}

/// A cylinder at Advanced between two volumes; `load` is connected to its rod by the port `PORT`.
ResultFile RunCylinder(const std::string& model, const std::string& load, const std::string& port,
                       const std::string& commands = "") {
  const auto volume = [](const char* name) {
    return std::string("<hydraulic.Volume name=\"") + name +
           "\" volume=\"10 l\"><Start p=\"100 bar\"/></hydraulic.Volume>\n";
  };
  const bool is_derived = model.starts_with("plugin");
  const fs::path system = WriteSystem(
      model + port + (commands.empty() ? "" : "switched"),
      "<Plugin src=\"" + PluginFile("derived_cylinder") +
          "\"/>\n<SimulatorManager TimeStep=\"1 ms\" StopTime=\"1 s\">"
          "<Integration method=\"rodas5p\" rtol=\"1e-6\"/></SimulatorManager>\n<" +
          model + " name=\"c\" level=\"Advanced\"><Start x=\"1 m\" p_a=\"100 bar\" p_b=\"100 bar\"/>" +
          (is_derived ? "<Level name=\"Bench\" base=\"Advanced\" friction=\"Measured\"/>" : "") + "</" +
          model + ">\n" + volume("a") + volume("b") + load +
          "<Connect from=\"c.a\" to=\"a.port\"/><Connect from=\"c.b\" to=\"b.port\"/><Connect from=\"c.rod\" "
          "to=\"" +
          port + "\"/>\n" + commands +
          "<Record signals=\"c.x c.v c.p_a c.z c.force c.friction c.level\"/>\n");
  const fs::path result = system.parent_path() / "result.csv";
  const ProgramResult run = Davit({"run", system.string(), "-o", result.string()});
  EXPECT_EQ(run.exit_code, kDone) << run.messages;
  return ResultFile(result);
}

constexpr const char* kSwingingLoad =
    "<mechanical.Mass name=\"load\" mass=\"10 t\"><Start v=\"0.1 m/s\"/></mechanical.Mass>\n";
constexpr const char* kToBench = "<At time=\"0.5 s\" set=\"c.level\" value=\"Bench\"/>";

TEST(DerivedModelTest, IsTheModelOfDavitUntilTheOptionIsChosen) {
  const ResultFile shipped = RunCylinder("hydraulic.Cylinder", kSwingingLoad, "load.a");
  const ResultFile derived = RunCylinder("plugin.DerivedCylinder", kSwingingLoad, "load.a");
  const ResultFile switched = RunCylinder("plugin.DerivedCylinder", kSwingingLoad, "load.a", kToBench);
  for (const char* signal : {"c.x", "c.v", "c.p_a", "c.z", "c.force"}) {
    EXPECT_EQ(shipped[signal], derived[signal]) << signal;
    for (std::size_t i = 0; i < 500; ++i) EXPECT_EQ(switched[signal][i], derived[signal][i]) << signal;
  }
  EXPECT_NE(switched["c.x"].back(), derived["c.x"].back());
}

TEST(DerivedModelTest, TheOptionIsPartOfAFourthLevelAndSwitchedWithoutABump) {
  const ResultFile run = RunCylinder("plugin.DerivedCylinder", kSwingingLoad, "load.a", kToBench);
  const std::vector<double>& friction = run["c.friction"];
  const auto after = std::ranges::find(friction, 4.0);
  ASSERT_NE(after, friction.end());
  const auto i = static_cast<std::size_t>(after - friction.begin());
  EXPECT_EQ(run.time()[i], 0.5);
  EXPECT_EQ(run["c.level"][i], 3);
  for (const char* signal : {"c.x", "c.v", "c.p_a"}) EXPECT_EQ(run[signal][i], run[signal][i - 1]) << signal;
}

/// At 1 mm/s the friction is 2 kN tanh(1); the bristles of LuGre begin with it.
TEST(DerivedModelTest, TheBristlesBeginWithItsForce) {
  const ResultFile run = RunCylinder(
      "plugin.DerivedCylinder", "<mechanical.VelocitySource name=\"rod\" velocity=\"-1 mm/s\"/>\n",
      "rod.port",
      "<At time=\"0.2 s\" set=\"c.measured_force\" value=\"2 kN\"/><At time=\"0.2 s\" set=\"c.level\" "
      "value=\"Bench\"/><At time=\"0.8 s\" set=\"c.friction\" value=\"LuGre\"/>");
  const std::vector<double>& friction = run["c.friction"];
  std::size_t i = friction.size() - 1;
  while (i > 0 && friction[i - 1] != 4) --i;
  ASSERT_GT(i, 0U);
  EXPECT_EQ(friction[i], 2);
  EXPECT_NEAR(run["c.v"][i], 1e-3, 1e-12);
  EXPECT_NEAR(run["c.force"][i], run["c.force"][i - 1], 1e-6);
  EXPECT_LT(run["c.force"].back(), run["c.force"][i] - 1000) << "then they stretch to those of LuGre";
}

// ---- default charts

TEST(PluginChartTest, TheChartOfAPluginIsTheDefaultChartOfItsModel) {
  const ProgramResult chart =
      Davit({"chart", "default", "plugin.Chosen", "--plugin", PluginFile("own_chart")});
  EXPECT_EQ(chart.exit_code, kDone) << chart.messages;
  std::ifstream file(DAVIT_SOURCE_DIR "/tests/plugins/own_chart.scxml");
  EXPECT_EQ(chart.output, std::string(std::istreambuf_iterator<char>(file), {}));
}

// y = u^2 below 2; the chart sees u at the step point after and chooses u^3.
TEST(PluginChartTest, TheChartOfAPluginChoosesTheLevel) {
  const fs::path system =
      WriteSystem("own_chart", "<Plugin src=\"" + PluginFile("own_chart") +
                                   "\"/>\n<SimulatorManager TimeStep=\"0.1 s\" StopTime=\"4 s\"/>\n"
                                   "<signal.Ramp name=\"ramp\" to=\"4\" duration=\"4 s\"/>\n"
                                   "<plugin.Chosen name=\"power\"/>\n"
                                   "<Route from=\"ramp.y\" to=\"power.u\"/>\n"
                                   "<Record signals=\"power.u power.y power.level\"/>\n");
  const fs::path result = system.parent_path() / "result.csv";
  const ProgramResult run = Davit({"run", system.string(), "-o", result.string()});
  ASSERT_EQ(run.exit_code, kDone) << run.messages;
  const ResultFile table(result);
  const std::vector<double>& u = table["power.u"];
  const std::vector<double>& y = table["power.y"];
  ASSERT_FALSE(u.empty());
  ASSERT_EQ(u.back(), 4);
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (u[i] < 1.95) {
      EXPECT_DOUBLE_EQ(y[i], u[i] * u[i]);
    } else if (u[i] > 2.35) {
      EXPECT_DOUBLE_EQ(y[i], u[i] * u[i] * u[i]);
    }
  }
}

TEST(PluginChartTest, WhatAChartSaysIsLookedAtWhenThePluginIsLoaded) {
  const ProgramResult list = Davit({"list", "--plugin", PluginFile("misspelt_chart")});
  EXPECT_EQ(list.exit_code, kWrongInput);
  EXPECT_THAT(list.messages, StartsWith("plugins/misspelt_chart.scxml:4: error: "));
  EXPECT_THAT(list.messages, AllOf(HasSubstr("default chart of plugin.Misspelt: "), HasSubstr("'uu'")));
}

TEST(PluginChartTest, AChartIsAssignedByItsName) {
  Registry models;
  std::ostringstream err;
  ASSERT_TRUE(LoadPlugins({PluginFile("oscillators"), PluginFile("own_chart")}, {}, models, err))
      << err.str();
  const auto find = [&](const char* text) { return FindModelOfChart({"c.scxml", text}, models); };
  EXPECT_EQ(find("<scxml name='plugin.Power'/>").model, "plugin.Power");
  EXPECT_THAT(find("<scxml name='plugin.Pover'/>").fault,
              AllOf(StartsWith("chart c.scxml:1: "), HasSubstr("did you mean 'plugin.Power'?")));
  EXPECT_THAT(find("\n<scxml/>").fault, HasSubstr("c.scxml:2: it has no name; write name="));
  EXPECT_THAT(find("<scxml name='plugin.Harmonic'/>").fault, HasSubstr("has a single behaviour (no levels)"));
  EXPECT_THAT(find("<scxml name='plugin.Chosen'/>").fault,
              HasSubstr("has the chart plugins/own_chart.scxml already; keep one"));
  EXPECT_THAT(find("<scxml").fault, StartsWith("chart c.scxml"));
  EXPECT_THAT(find("").fault, StartsWith("chart c.scxml"));
}

// ---- what cannot be loaded

struct WrongPlugin {
  std::string name;
  std::string fault;  ///< a regular expression
};

void PrintTo(const WrongPlugin& wrong, std::ostream* out) { *out << wrong.name; }

class WrongPluginTest : public testing::TestWithParam<WrongPlugin> {};

TEST_P(WrongPluginTest, IsAnsweredWithWhatIsWrongAndWhatWouldBeRight) {
  const std::string file = PluginFile(GetParam().name);
  const ProgramResult list = Davit({"list", "--plugin", file});
  EXPECT_EQ(list.exit_code, kWrongInput);
  EXPECT_THAT(list.messages, AllOf(StartsWith(file + ": error: "), ContainsRegex(GetParam().fault)));
  EXPECT_EQ(std::ranges::count(list.messages, '\n'), 1) << list.messages;
  EXPECT_THAT(list.output, IsEmpty());

  const fs::path system = WriteSystem(GetParam().name, "\n<Plugin src=\"" + file + "\"/>\n");
  const ProgramResult check = Davit({"check", system.string()});
  EXPECT_EQ(check.exit_code, kWrongInput);
  EXPECT_THAT(check.messages, AllOf(StartsWith(system.string() + ":3: error: plug-in " + file + ": "),
                                    ContainsRegex(GetParam().fault)));
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, WrongPluginTest,
    testing::Values(
        WrongPlugin{"not_there", "no such file; build the plug-in"},
        WrongPlugin{"no_entry", "not a plug-in of davit: it has no davit_plugin; define one"},
        WrongPlugin{"other_layout", "layout 3, but this davit reads layout 2; rebuild it"},
        WrongPlugin{"other_version", "built for davit 0.0.1, but this is davit .*; rebuild it"},
        WrongPlugin{"other_size", "Component has [0-9]+ bytes there and [0-9]+ in davit; rebuild it"},
        WrongPlugin{"no_models", "adds no model; call registry.Add"},
        WrongPlugin{"missing_symbol", "it needs davit::FlowThroughNothing\\(double\\), which .*; rebuild it"},
        WrongPlugin{"existing_name", "the model hydraulic.Tank exists already, in davit; give yours another"},
        WrongPlugin{"throwing_registration", "failed: no licence for valves; correct throwing_registration"},
        WrongPlugin{"throwing_constructor", "plugin.Unmakeable: its constructor threw .*: no table at hand;"},
        WrongPlugin{"unknown_unit", "plugin.Unmeasured: 'length' has the unit 'cubit', .*; write it in SI"},
        WrongPlugin{"unknown_option", "plugin.Undecided: the level Advanced chooses option 2 .*; correct"},
        WrongPlugin{"chart_of_another",
                    "chart plugins/chart_of_another.scxml:2: its name 'plugin.Chosen' is not a model of this "
                    "plug-in; .*plugin.Lonely"},
        WrongPlugin{"domain_of_another_shape",
                    "plugin.WarmPort: the domain hydraulic exists already, with other bonds; give yours"},
        WrongPlugin{"domain_without_bonds", "domain optical: it has no bonds; write .bond ="},
        WrongPlugin{"unnamed_domain", "'Valve' is not a model name; name it domain.Type"}),
    [](const auto& test) { return test.param.name; });

TEST(PluginTest, AFileThatIsNoLibraryIsToldSo) {
  const fs::path file = fs::path(testing::TempDir()) / "plugin_test_text.so";
  std::ofstream(file) << "This is a text.\n";
  const ProgramResult list = Davit({"list", "--plugin", file.string()});
  EXPECT_EQ(list.exit_code, kWrongInput);
  EXPECT_THAT(list.messages, HasSubstr("cannot be loaded as a shared library"));
  const ProgramResult folder = Davit({"list", "--plugin", testing::TempDir()});
  EXPECT_EQ(folder.exit_code, kWrongInput);
  EXPECT_THAT(folder.messages, HasSubstr("it is not a file; name the shared library"));
}

// Law: an interrupted copy ends with a message that names the file, wherever the plug-in is named.
TEST(PluginTest, ALibraryThatIsCutOffIsToldSo) {
  const fs::path file = fs::path(testing::TempDir()) / "plugin_test_cut.so";
  const fs::path system = WriteSystem("cut", "\n<Plugin src=\"" + file.string() + "\"/>\n");
  for (const std::uintmax_t size : {100, 1000, 5000, 20'000}) {
    fs::copy_file(PluginFile("oscillators"), file, fs::copy_options::overwrite_existing);
    ASSERT_GT(fs::file_size(file), size);
    fs::resize_file(file, size);
    const ProgramResult list = Davit({"list", "--plugin", file.string()});
    EXPECT_EQ(list.exit_code, kWrongInput) << size;
    EXPECT_THAT(list.messages, AllOf(StartsWith(file.string() + ": error: it is damaged (it is cut off: "),
                                     HasSubstr("copy it again, or build it again")));
    const ProgramResult check = Davit({"check", system.string()});
    EXPECT_EQ(check.exit_code, kWrongInput) << size;
    EXPECT_THAT(check.messages, HasSubstr(":3: error: plug-in " + file.string() + ": it is damaged ("));
  }
}

TEST(PluginTest, AllFaultsAreToldAndAModelIsNotTakenTwice) {
  const fs::path copy = fs::path(testing::TempDir()) / "plugin_test_copy.so";
  fs::copy_file(PluginFile("oscillators"), copy, fs::copy_options::overwrite_existing);
  const ProgramResult list = Davit({"list", "--plugin", PluginFile("oscillators"), "--plugin", copy.string(),
                                    "--plugin", PluginFile("no_models")});
  EXPECT_EQ(list.exit_code, kWrongInput);
  EXPECT_THAT(list.messages, AllOf(HasSubstr("plugin.Harmonic exists already, in oscillators.so"),
                                   HasSubstr("adds no model")));
}

TEST(PluginTest, AFaultLeavesTheRegistryAsItWas) {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  const std::vector<std::string> before = registry.names();
  std::ostringstream err;
  EXPECT_FALSE(LoadPlugins({PluginFile("existing_name"), PluginFile("unknown_unit")}, {}, registry, err));
  EXPECT_EQ(registry.names(), before);
}

TEST(PluginTest, EveryPartOfTheBuildIsCompared) {
  constexpr PluginBuild kOurs = MakePluginBuild();
  EXPECT_THAT(FindMisfit(kOurs, kOurs), IsEmpty());
  PluginBuild other = kOurs;
  other.compiler = "g++ 99";
  EXPECT_THAT(FindMisfit(kOurs, other), AllOf(HasSubstr("g++ 99"), HasSubstr(kOurs.compiler)));
  other = kOurs;
  other.library = "libc++";
  EXPECT_THAT(FindMisfit(kOurs, other), HasSubstr("libc++"));
  other = kOurs;
  other.sanitizer = "-fsanitize=memory";
  EXPECT_THAT(FindMisfit(kOurs, other), HasSubstr("-fsanitize=memory"));
  for (std::size_t i = 0; i < PluginBuild::kTypes; ++i) {
    EXPECT_NE(kOurs.sizes[i].size, 0U) << i;
    other = kOurs;
    --other.sizes[i].size;
    EXPECT_THAT(FindMisfit(kOurs, other), StartsWith(kOurs.sizes[i].type));
  }
}

TEST(PluginTest, AWrongElementIsAnswered) {
  const fs::path system =
      WriteSystem("element", "<Plugin/>\n<Plugin source=\"a.so\"/>\n<Plugin src=\"\"/>\n");
  const ProgramResult check = Davit({"check", system.string()});
  EXPECT_EQ(check.exit_code, kWrongInput);
  EXPECT_THAT(check.messages,
              AllOf(HasSubstr(":2: error:"), HasSubstr(":3: error:"), HasSubstr(":4: error:")));
}

// ---- models that fail in a run

struct FaultyStep {
  std::string model;
  std::string fault;
};

void PrintTo(const FaultyStep& faulty, std::ostream* out) { *out << faulty.model; }

class FaultyStepTest : public testing::TestWithParam<FaultyStep> {
 protected:
  /// Three components alike, of which the middle one fails.
  ProgramResult Run(const std::string& integration, const std::vector<std::string>& options = {}) {
    const std::string element = "<plugin." + GetParam().model + " name=\"";
    const fs::path system =
        WriteSystem(GetParam().model + std::to_string(integration.size()),
                    "<Plugin src=\"" + PluginFile("faulty_steps") +
                        "\"/>\n<SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\">\n" + integration +
                        "</SimulatorManager>\n" + element + "early\" time=\"2 s\"/>\n" + element +
                        "bad\"/>\n" + element + "late\" time=\"2 s\"/>\n");
    std::vector<std::string> arguments{"run", system.string(), "--quiet"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Davit(arguments);
  }
  static void ExpectFault(const ProgramResult& run) {
    EXPECT_EQ(run.exit_code, kRunFailed);
    // From the first step point at or after 0.5 s; an adaptive solver tries later times first.
    EXPECT_THAT(run.messages,
                AllOf(ContainsRegex("error: /bad: the run (failed|diverged) at t = 0\\.(49|[5-9])[0-9]* s: "),
                      HasSubstr(GetParam().fault), Not(HasSubstr("/late"))));
    EXPECT_THAT(run.messages, HasSubstr("; "));
  }
};

TEST_P(FaultyStepTest, EndsTheRunNamingComponentAndTime) {
  ExpectFault(Run("<Integration solver=\"ODE\" method=\"runge_kutta4\"/>"));
  ExpectFault(Run("<Integration solver=\"ODE\" method=\"runge_kutta_dopri5\"/>"));
  ExpectFault(Run("<Integration solver=\"ODE\" method=\"ida\"/>"));
}

TEST_P(FaultyStepTest, DoesSoOnSeveralThreads) {
  ExpectFault(
      Run("<Integration solver=\"ODE\" method=\"runge_kutta4\" />", {"--threads", "2", "--always-threads"}));
}

INSTANTIATE_TEST_SUITE_P(
    Models, FaultyStepTest,
    testing::Values(FaultyStep{"ThrowsInEvaluation",
                               "plugin.ThrowsInEvaluation threw an exception: out of oil"},
                    FaultyStep{"ThrowsInPreIntegrate", "threw an exception: row 12 of a table with 5"},
                    FaultyStep{"ThrowsInPostIntegrate", "something other than a std::exception"},
                    FaultyStep{"ThrowsInReaction", "threw an exception: no reaction"},
                    FaultyStep{"NanDerivative", "x"}, FaultyStep{"NanOutput", "its output y is not a number"},
                    FaultyStep{"UnknownAspect", "no option 7 of the aspect 'law'; it has 2 options"}),
    [](const auto& test) { return test.param.model; });

/// The state that diverges belongs to another component than the fault. (IDA goes back to a time before the
/// fault as it fails, and nothing is NaN there.)
TEST(PluginTest, AnOutputThatMakesAnotherComponentDivergeIsNamed) {
  for (const std::string method : {"runge_kutta4", "runge_kutta_dopri5"}) {
    const fs::path system =
        WriteSystem("reader", "<Plugin src=\"" + PluginFile("faulty_steps") +
                                  "\"/>\n<SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\">"
                                  "<Integration solver=\"ODE\" method=\"" +
                                  method +
                                  "\"/></SimulatorManager>\n"
                                  "<plugin.NanOutput name=\"bad\"/><signal.LowPass name=\"reader\"/>"
                                  "<Route from=\"bad.y\" to=\"reader.u\"/>\n");
    const ProgramResult run = Davit({"run", system.string(), "--quiet"});
    EXPECT_EQ(run.exit_code, kRunFailed);
    EXPECT_THAT(run.messages, AllOf(HasSubstr("error: /reader: the run diverged at t = "),
                                    HasSubstr("error: /bad: its output y is not a number; ")))
        << method;
  }
}

TEST(PluginTest, AnExceptionWhileLoadingIsAFaultOfTheElement) {
  const fs::path system = WriteSystem("configure", "<Plugin src=\"" + PluginFile("faulty_steps") +
                                                       "\"/>\n\n<plugin.ThrowsInConfigure name=\"bad\"/>\n");
  const ProgramResult check = Davit({"check", system.string()});
  EXPECT_EQ(check.exit_code, kWrongInput);
  EXPECT_THAT(check.messages,
              HasSubstr(":4: error: /bad: the code of plugin.ThrowsInConfigure threw an exception: no such "
                        "table; "));
}

// ---- memory in a step

/// What a run with --check-allocations says of the models of the plug-in `allocating`.
ProgramResult CheckAllocations(const std::string& name, const std::string& content,
                               const std::vector<std::string>& more = {}) {
  const fs::path system =
      WriteSystem(name, "<Plugin src=\"" + PluginFile("allocating") +
                            "\"/>\n<SimulatorManager TimeStep=\"10 ms\" fs=\"10 Hz\" StopTime=\"1 s\">"
                            "<Integration solver=\"ODE\" method=\"runge_kutta4\"/></SimulatorManager>\n" +
                            content);
  std::vector<std::string> arguments{"run", system.string(), "--check-allocations"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Davit(std::move(arguments));
}

bool HeapIsCounted() { return AllocationCounter::is_counting(); }

TEST(PluginAllocationTest, ComponentsThatTakeMemoryInAStepAreNamedWithTheFunction) {
  if (!HeapIsCounted()) GTEST_SKIP() << "the heap belongs to the sanitizer";
  const ProgramResult run =
      CheckAllocations("allocating",
                       "<plugin.VectorInEvaluation name=\"a\"/>\n<plugin.MallocInHooks name=\"b\"/>\n"
                       "<plugin.StringInReaction name=\"c\"/>\n<plugin.VectorAsMember name=\"d\"/>\n");
  EXPECT_EQ(run.exit_code, kDone) << run.messages;
  // Ten numbers in each evaluation.
  std::smatch match;
  const std::regex line(
      "system.xml:4: warning: /a: plugin.VectorInEvaluation::EvaluateDiffEquations allocates "
      "([0-9]+) times in ([0-9]+) calls, ([0-9]+) bytes");
  ASSERT_TRUE(std::regex_search(run.messages, match, line)) << run.messages;
  EXPECT_GE(std::stoul(match[1]), 400U);  // Runge-Kutta takes four a step
  EXPECT_EQ(match[2], match[1]);
  EXPECT_EQ(std::stoul(match[3]), 80 * std::stoul(match[1]));
  EXPECT_THAT(run.messages, AllOf(HasSubstr("/b: plugin.MallocInHooks::EvaluateEfforts"),
                                  HasSubstr("::PreIntegrate allocates 100 times in 100 "
                                            "calls, 10000 bytes"),
                                  HasSubstr("::PostIntegrate allocates 100 times in 100 "
                                            "calls, 20000 bytes"),
                                  HasSubstr("::Process allocates 10 times in 10 calls, 3000 "
                                            "bytes"),
                                  HasSubstr("/c: plugin.StringInReaction::reaction of a guard allocates "
                                            "1 times in 1 calls")));
  EXPECT_THAT(run.messages, AllOf(Not(HasSubstr("MallocInHooks::EvaluateDiffEquations")),
                                  Not(HasSubstr("VectorAsMember"))));
}

TEST(PluginAllocationTest, NothingTakenIsToldToo) {
  if (!HeapIsCounted()) GTEST_SKIP() << "the heap belongs to the sanitizer";
  const ProgramResult run = CheckAllocations("frugal", "<plugin.VectorAsMember name=\"d\"/>\n");
  EXPECT_EQ(run.exit_code, kDone);
  EXPECT_THAT(run.messages, Not(HasSubstr(" allocates ")));
  EXPECT_THAT(run.output, ContainsRegex("allocations +0\n"));
}

// Each thread counts its own.
TEST(PluginAllocationTest, ThreadsDoNotMixTheirCounts) {
  if (!HeapIsCounted()) GTEST_SKIP() << "the heap belongs to the sanitizer";
  std::string content;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    content += "<plugin.VectorInEvaluation name=\"taker" + n + "\"/><plugin.VectorAsMember name=\"frugal" +
               n + "\"/>\n";
  }
  const ProgramResult one = CheckAllocations("one_thread", content);
  const ProgramResult two = CheckAllocations("two_threads", content, {"--threads", "2", "--always-threads"});
  EXPECT_THAT(one.messages, AllOf(HasSubstr("/taker7: "), Not(HasSubstr("frugal"))));
  const auto of_system = [](std::string text) {  // the folders differ
    const std::size_t at = text.find("system.xml");
    return at == std::string::npos ? text : text.substr(at, text.find('\n') - at);
  };
  EXPECT_EQ(of_system(one.messages), of_system(two.messages));
  EXPECT_THAT(two.messages, AllOf(HasSubstr("/taker7: "), Not(HasSubstr("frugal"))));
}

TEST(PluginAllocationTest, ASanitizerIsTold) {
  if (HeapIsCounted()) GTEST_SKIP() << "the heap is free";
  EXPECT_THAT(CheckAllocations("sanitized", "<plugin.VectorInEvaluation name=\"a\"/>\n").messages,
              HasSubstr("--check-allocations: warning: this build of davit cannot watch the heap"));
}

// davit's own models keep to what it asks of others; and being watched changes no bit of the results.
TEST(PluginAllocationTest, DavitsOwnSystemsTakeNothingAndAreTheSameWhenWatched) {
  for (const char* name :
       {"mass_spring_equations", "bouncing_ball", "lifting_cylinder", "water_hammer", "level_switching"}) {
    const fs::path folder = OwnFolder();
    fs::create_directories(folder);
    const std::string system = std::string(DAVIT_SOURCE_DIR "/systems/") + name + ".xml";
    const std::string plain = (folder / (std::string(name) + ".csv")).string();
    const std::string watched = (folder / (std::string(name) + "_watched.csv")).string();
    ASSERT_EQ(Davit({"run", system, "--stop", "1 s", "--quiet", "-o", plain}).exit_code, kDone) << name;
    const ProgramResult run = Davit({"run", system, "--stop", "1 s", "-o", watched, "--check-allocations"});
    ASSERT_EQ(run.exit_code, kDone) << name << run.messages;
    if (HeapIsCounted()) {
      EXPECT_THAT(run.messages, Not(HasSubstr(" allocates "))) << name;
      EXPECT_THAT(run.output, ContainsRegex("allocations +0\n")) << name;
    }
    EXPECT_EQ(Davit({"compare", plain, watched, "--rtol", "0", "--atol", "0"}).exit_code, kDone) << name;
  }
}

}  // namespace
}  // namespace davit
