#include "tests/fmi/exported_fmu.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>

#include "components/register.h"
#include "fmi/manifest/fmu_manifest.h"
#include "fmi/ports/wave_port.h"
#include "fmi/zip_reader.h"
#include "simulator/plugin_entry.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

std::string ReadFileText(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

[[noreturn]] void EndWith(const std::string& text) {
  std::cerr << text << '\n';
  std::abort();
}

/// A new folder, removed when the program ends.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (fs::path(testing::TempDir()) / "davit_fmi_test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) EndWith(name + " cannot be made");
    path_ = name;
    setenv("DAVIT_FMU_CACHE", (path_ / "fmu_cache").c_str(), 0);  // not that of the user
  }
  ~TestFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void TakeLine2(fmi2ComponentEnvironment environment, fmi2String /*instance*/, fmi2Status status,
               fmi2String category, fmi2String message, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  auto& log = *static_cast<std::vector<std::string>*>(environment);
  log.push_back(std::to_string(status) + " " + category + " " + text);
}

struct ModelsOfTests {
  Registry registry = AllModels();
  std::vector<LoadedPlugin> plugins;

  ModelsOfTests() {
    RegisterWavePorts(registry);
    static constexpr PluginBuild kBuild = MakePluginBuild();
    Diagnostics diagnostics;
    PluginLoader loader(registry, kBuild, diagnostics);
    for (const char* name : {"van_der_pol", "oscillators", "own_chart"})
      loader.Load(fs::path(DAVIT_TEST_PLUGINS) / (std::string(name) + ".so"));
    for (const Diagnostic& fault : diagnostics.all()) EndWith(ToText(fault));
    plugins = loader.plugins();
  }
};

const ModelsOfTests& AllOfTests() {
  static const ModelsOfTests kAll;
  return kAll;
}

}  // namespace

const Registry& FmuModels() { return AllOfTests().registry; }

std::vector<LoadedPlugin> PluginsOf(const fs::path& system) {
  const std::string text = ReadFileText(system);
  std::vector<LoadedPlugin> named;
  for (const LoadedPlugin& plugin : AllOfTests().plugins) {
    if (text.find("<Plugin src=\"" + plugin.library.string()) != std::string::npos) named.push_back(plugin);
  }
  return named;
}

fs::path ExampleSystem(const std::string& name) {
  return fs::path(DAVIT_SOURCE_DIR) / "systems" / (name + ".xml");
}

fs::path FreshFolder() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string("fmu_") + info->test_suite_name() + "_" + info->name();
  for (char& c : name) c = c == '/' ? '_' : c;
  // Two suites may run at once.
  static const TestFolder kBase;
  const fs::path folder = kBase.path() / name;
  static std::string cleaned;  // an FMU of a test may follow another one
  if (cleaned != name) fs::remove_all(folder);
  cleaned = name;
  fs::create_directories(folder);
  return folder;
}

fs::path WriteChartSystem(const fs::path& folder) {
  fs::create_directories(folder / "charts");
  std::ofstream(folder / "charts" / "blinker.scxml") << R"(<?xml version="1.0"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="blinker" initial="dark" datamodel="davit">
  <datamodel><data id="count" expr="0"/></datamodel>
  <state id="dark">
    <onentry><send event="turn" delay="300ms"/></onentry>
    <transition event="turn" target="bright"><assign location="count" expr="count + 1"/></transition>
  </state>
  <state id="bright">
    <onentry><send event="turn" delay="200ms"/></onentry>
    <transition event="turn" target="dark"/>
  </state>
</scxml>
)";
  const fs::path system = folder / "blinker.xml";
  std::ofstream(system) << R"(<?xml version="1.0"?>
<System name="blinker" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="3 s"/>
  <Statechart name="lamp" src="charts/blinker.scxml"/>
  <Record signals="lamp.*" interval="10 ms"/>
</System>
)";
  return system;
}

fs::path WriteScriptedSystem(const fs::path& folder) {
  fs::create_directories(folder);
  std::ofstream(folder / "lamp.scxml") << R"xml(<?xml version="1.0"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="lamp" initial="dark" datamodel="ecmascript">
  <datamodel><data id="times" expr="[]"/></datamodel>
  <script>
    function longest(list) { return list.reduce(function(a, b) { return Math.max(a, b); }, 0); }
    function next() {
      times = JSON.parse(JSON.stringify(times));
      times.push(Math.round(10 * Math.sqrt(Math.pow(times.length + 1, 2))));
      return longest(times) + 'ms';
    }
  </script>
  <state id="dark">
    <onentry><send event="turn" delay="50ms"/></onentry>
    <transition event="turn" target="bright"/>
  </state>
  <state id="bright">
    <onentry><send event="turn" delayexpr="next()"/></onentry>
    <transition event="turn" target="dark"/>
  </state>
</scxml>
)xml";
  const fs::path system = folder / "scripted.xml";
  std::ofstream(system) << R"(<System name="scripted" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="2 s"><Integration solver="ODE" method="runge_kutta_dopri5"/></SimulatorManager>
  <Statechart name="lamp" src="lamp.scxml"/>
  <signal.Integrator name="integral"/>
  <Route from="lamp.state.bright" to="integral.u"/>
  <Record signals="integral.y lamp.region" interval="10 ms"/>
</System>)";
  return system;
}

fs::path WriteVanDerPolSystem(const fs::path& folder) {
  fs::create_directories(folder);
  const fs::path system = folder / "van_der_pol.xml";
  std::ofstream(system) << "<System name=\"van_der_pol\" xmlns=\"urn:davit:system:1\">\n<Plugin src=\""
                        << DAVIT_TEST_PLUGINS "/van_der_pol.so"
                        << R"("/>
  <SimulatorManager TimeStep="10 ms" StopTime="20 s">
    <Integration solver="ODE" method="runge_kutta_dopri5" rtol="1e-9" atol="1e-11"/>
  </SimulatorManager>
  <mine.VanDerPol name="oscillator" mu="1"/>
  <Record signals="oscillator.x oscillator.v" interval="10 ms"/>
</System>
)";
  return system;
}

fs::path SystemNamed(const std::string& name) {
  if (name == "van_der_pol") return WriteVanDerPolSystem(FreshFolder() / "plugin");
  if (name == "blinker") return WriteChartSystem(FreshFolder() / "chart");
  if (name == "scripted") return WriteScriptedSystem(FreshFolder() / "script");
  return ExampleSystem(name);
}

fs::path ExportToFile(FmuExportOptions options) {
  if (options.output.empty()) options.output = FreshFolder() / "x.fmu";
  options.has_reference = false;
  options.plugins = PluginsOf(options.system);
  options.runtime = fs::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so";
  Diagnostics diagnostics;
  ExportFmu(options, FmuModels(), diagnostics);
  for (const Diagnostic& fault : diagnostics.all()) std::cerr << ToText(fault) << '\n';
  if (diagnostics.has_errors()) EndWith("the export has failed");
  return options.output;
}

ExportedFmu::ExportedFmu(const fs::path& system, FmiVersion version, FmuSelection selection,
                         bool has_model_exchange) {
  static int number = 0;
  folder_ = FreshFolder() / ("fmu" + std::to_string(++number));
  const fs::path file = ExportToFile({.system = system,
                                      .output = folder_.string() + ".fmu",
                                      .version = version,
                                      .has_model_exchange = has_model_exchange,
                                      .selection = std::move(selection)});
  UnpackZip(file, folder_);
  library_ = dlopen(library().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) EndWith(dlerror());
}

ExportedFmu::~ExportedFmu() { dlclose(library_); }

fs::path ExportedFmu::library() const {
  std::smatch match;
  const std::string text = description();
  std::regex_search(text, match, std::regex(R"x(modelIdentifier="([^"]*)")x"));
  for (const char* platform : {"linux64", "x86_64-linux"}) {
    fs::path file = folder_ / "binaries" / platform / (match[1].str() + ".so");
    if (fs::exists(file)) return file;
  }
  EndWith("the FMU has no library");
}

std::string ExportedFmu::description() const { return ReadFileText(folder_ / "modelDescription.xml"); }

std::string ExportedFmu::token() const {
  std::smatch match;
  const std::string text = description();
  std::regex_search(text, match, std::regex(R"x((?:guid|instantiationToken)="([^"]*)")x"));
  return match[1];
}

unsigned ExportedFmu::reference(const std::string& variable) const {
  const std::string text = description();
  const std::string name = "name=\"" + variable + "\" valueReference=\"";
  const std::size_t place = text.find(name);
  if (place == std::string::npos) EndWith("there is no variable " + variable);
  return static_cast<unsigned>(std::stoul(text.substr(place + name.size())));
}

std::string ExportedFmu::NameOfState(std::size_t i) const {
  const FmuManifest manifest = ReadManifest(folder_ / "resources" / kManifestName);
  return manifest.states.at(i);
}

void* ExportedFmu::Find(const char* name) const {
  void* const function = dlsym(library_, name);
  if (function == nullptr) EndWith(std::string("there is no function ") + name);
  return function;
}

Slave2::Slave2(const ExportedFmu& fmu) : fmu_(fmu) {
  callbacks_.logger = TakeLine2;
  callbacks_.componentEnvironment = &log_;
  component_ =
      DAVIT_FMU_CALL(fmu_, fmi2Instantiate)("slave", fmi2CoSimulation, fmu_.token().c_str(),
                                            fmu_.resources_uri().c_str(), &callbacks_, fmi2False, fmi2False);
  EXPECT_NE(component_, nullptr) << (log_.empty() ? "" : log_.back());
}

Slave2::~Slave2() { DAVIT_FMU_CALL(fmu_, fmi2FreeInstance)(component_); }

void Slave2::Start(double start, double stop) {
  EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi2SetupExperiment)(component_, fmi2False, 0, start, fmi2True, stop),
            fmi2OK);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi2EnterInitializationMode)(component_), fmi2OK);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi2ExitInitializationMode)(component_), fmi2OK)
      << (log_.empty() ? "" : log_.back());
}

fmi2Status Slave2::Step(double t, double h) {
  return DAVIT_FMU_CALL(fmu_, fmi2DoStep)(component_, t, h, fmi2True);
}

double Slave2::Real(const std::string& variable) {
  const fmi2ValueReference reference = fmu_.reference(variable);
  double value = std::nan("");
  EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi2GetReal)(component_, &reference, 1, &value), fmi2OK) << variable;
  return value;
}

void Slave2::SetReal(const std::string& variable, double value) {
  const fmi2ValueReference reference = fmu_.reference(variable);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi2SetReal)(component_, &reference, 1, &value), fmi2OK)
      << variable << (log_.empty() ? "" : log_.back());
}

void Slave2::SetInteger(const std::string& variable, int value) {
  const fmi2ValueReference reference = fmu_.reference(variable);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu_, fmi2SetInteger)(component_, &reference, 1, &value), fmi2OK)
      << variable << (log_.empty() ? "" : log_.back());
}

NativeRun RunNatively(const fs::path& system, double h, double stop) {
  const std::unique_ptr<Simulation> simulation = Simulation::Load(system, FmuModels()).Take();
  NativeRun run;
  std::vector<Item> items = simulation->system().record_plan().columns;
  for (const Item& item : items) run.names.push_back(item.path());
  simulation->Initialize();
  const auto steps = static_cast<int>(std::lround((stop - simulation->start_time()) / h));
  for (int i = 0;; ++i) {
    std::vector<double> row;
    for (const Item& item : items) row.push_back(item.Read());
    run.rows.push_back(std::move(row));
    if (i == steps) break;
    simulation->AdvanceTo(simulation->start_time() + (i + 1) * h);
  }
  return run;
}

}  // namespace davit
