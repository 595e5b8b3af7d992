// FMUs of systems with plug-ins: these go along, and take davit from the runtime of their FMU.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <thread>

#include "fmi/elf_library.h"
#include "fmi/fmu_description.h"
#include "fmi/import/foreign_fmu.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"
#include "tests/fmi/outside_program.h"
#include "tests/fmi/process_footprint.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string TestPlugin(const std::string& name) { return std::string(DAVIT_TEST_PLUGINS "/") + name + ".so"; }

/// x'' = -w^2 x of the plug-in oscillators.
fs::path WriteHarmonicSystem(const fs::path& folder) {
  fs::create_directories(folder);
  const fs::path system = folder / "harmonic.xml";
  std::ofstream(system) << "<System name=\"harmonic\"><Plugin src=\"" << TestPlugin("oscillators") << R"("/>
  <SimulatorManager TimeStep="10 ms" StopTime="2 s"/><plugin.Harmonic name="body" frequency="1 rev/s"/>
  <Record signals="body.x body.v"/></System>)";
  return system;
}

/// The file in the folder of binaries that is a plug-in.
fs::path PluginOf(const ExportedFmu& fmu) {
  for (const auto& entry : fs::directory_iterator(fmu.library().parent_path())) {
    if (entry.path().filename().string().starts_with("davit-plugin-")) return entry.path();
  }
  return {};
}

/// An instance for co-simulation, as davit imports it.
std::unique_ptr<ForeignFmu> MakeInstance(const ExportedFmu& fmu) {
  Diagnostics diagnostics;
  const FmuDescription description = ReadFmuDescription(fmu.folder() / "modelDescription.xml", diagnostics);
  return MakeForeignFmu(description, {fmu.folder(), FmuKind::kCoSimulation, "one", false});
}

/// Where a library is in memory; 0: nowhere.
std::size_t CountMapped(const fs::path& library) {
  std::ifstream stream("/proc/self/maps");
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);)
    count += line.find(library.string()) == std::string::npos ? 0 : 1;
  return count;
}

// Law: FMUs with the same plug-in, with another one and with none, and the native plug-in, step in turns in
// one process and each has the bits of its native run.
TEST(PluginFmuTest, FmusWithPluginsDoNotMeet) {
  const std::vector<fs::path> systems{WriteVanDerPolSystem(FreshFolder() / "a"),
                                      WriteHarmonicSystem(FreshFolder() / "b"), ExampleSystem("mass_spring"),
                                      WriteVanDerPolSystem(FreshFolder() / "a")};
  std::vector<std::unique_ptr<ExportedFmu>> fmus;
  std::vector<std::unique_ptr<Slave2>> slaves;
  std::vector<std::unique_ptr<Simulation>> natives;
  for (const fs::path& system : systems) {
    fmus.push_back(std::make_unique<ExportedFmu>(system));
    // As masters do that show what they load to all others.
    void* const shown = dlopen(fmus.back()->library().c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    ASSERT_NE(shown, nullptr);
    dlclose(shown);
    slaves.push_back(std::make_unique<Slave2>(*fmus.back()));
    natives.push_back(Simulation::Load(system, FmuModels()).Take());
    slaves.back()->Start(0, natives.back()->stop_time());
    natives.back()->Initialize();
  }
  EXPECT_EQ(fmus[0]->token(), fmus[3]->token());
  EXPECT_NE(fmus[0]->token(), fmus[1]->token());
  for (int step = 0; step < 100; ++step) {
    for (std::size_t i = 0; i < systems.size(); ++i) {
      ASSERT_EQ(slaves[i]->Step(step * 0.01, 0.01), fmi2OK) << testing::PrintToString(slaves[i]->log());
      natives[i]->AdvanceTo((step + 1) * 0.01);
      for (const Item& item : natives[i]->system().record_plan().columns) {
        const std::string path = item.path();
        if (path.ends_with(".ddt")) continue;
        const double value = slaves[i]->Real(path);
        const double native = item.Read();
        ASSERT_EQ(std::memcmp(&value, &native, sizeof value), 0) << systems[i] << " " << path << " " << step;
      }
    }
  }
}

// Law: the loader takes each function of davit that a plug-in lacks from the runtime of its own FMU, also in
// a davit that shows its own to the same plug-in.
TEST(PluginFmuTest, APluginTakesDavitFromItsRuntime) {
  const fs::path folder = FreshFolder();
  const fs::path van_der_pol = WriteVanDerPolSystem(folder);
  for (const char* version : {"2", "3"}) {
    const ProgramResult exported = RunDavit({"fmu", "export", van_der_pol.string(), "-o",
                                             (folder / (std::string("v") + version + ".fmu")).string(),
                                             "--fmi", version, "--no-reference"});
    ASSERT_EQ(exported.exit_code, 0) << exported.messages;
  }
  const fs::path joined = folder / "joined.xml";
  std::ofstream(joined) << "<System name=\"joined\"><Plugin src=\"" << TestPlugin("van_der_pol") << R"("/>
  <SimulatorManager TimeStep="10 ms" StopTime="0.1 s"/><mine.VanDerPol name="native"/>
  <fmi.Fmu name="two" file="v2.fmu"/><fmi.Fmu name="three" file="v3.fmu"/></System>)";
  const auto run =
      RunProgram("env",
                 {"LD_DEBUG=bindings", "LD_DEBUG_OUTPUT=" + (folder / "loader").string(),
                  "DAVIT_FMU_CACHE=" + (folder / "cache").string(), DAVIT_BINARY, "run", joined.string()},
                 "");
  ASSERT_TRUE(run.has_value());
  ASSERT_EQ(run->exit_code, 0) << run->messages;
  const std::regex line(R"x(binding file (\S+) \[0\] to (\S+) \[0\]: .*symbol `([^']*)')x");
  int bindings = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("loader")) continue;
    std::ifstream stream(entry.path());
    for (std::string text; std::getline(stream, text);) {
      std::smatch match;
      if (text.find("davit-plugin-") == std::string::npos || !std::regex_search(text, match, line)) continue;
      const fs::path from = match[1].str();
      const bool is_of_davit = match[3].str().find("5davit") != std::string::npos;
      if (!is_of_davit || !from.filename().string().starts_with("davit-plugin-")) continue;
      EXPECT_EQ(fs::path(match[2].str()), from.parent_path() / "van_der_pol.so") << text;
      ++bindings;
    }
  }
  EXPECT_GT(bindings, 10);
}

// Law: an FMU goes on when another copy of it, unpacked elsewhere and loaded before, is closed.
TEST(PluginFmuTest, AnFmuOutlivesItsTwin) {
  const fs::path system = WriteVanDerPolSystem(FreshFolder() / "system");
  const NativeRun native = RunNatively(system, 0.5, 1);
  auto first = std::make_unique<ExportedFmu>(system);
  auto of_first = std::make_unique<Slave2>(*first);
  const ExportedFmu second(system);
  Slave2 slave(second);
  slave.Start(0, 20);
  EXPECT_EQ(slave.Step(0, 0.5), fmi2OK);
  EXPECT_EQ(slave.Real("oscillator.x"), native.rows[1][0]);
  of_first.reset();
  first.reset();
  EXPECT_EQ(slave.Step(0.5, 0.5), fmi2OK);
  EXPECT_EQ(slave.Real("oscillator.x"), native.rows[2][0]);
}

// Law: imported again, in a davit without the plug-in, the FMU has the bits of the native run for
// co-simulation, and meets it within the tolerance of the solver for model exchange.
TEST(PluginFmuTest, DavitImportsItAgain) {
  const fs::path system = WriteVanDerPolSystem(FreshFolder() / "system");
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    Diagnostics diagnostics;
    ExportFmu({.system = system,
               .output = FreshFolder() / "oscillator.fmu",
               .version = version,
               .has_model_exchange = true,
               .has_reference = false,
               .plugins = PluginsOf(system),
               .runtime = fs::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
              FmuModels(), diagnostics);
    ASSERT_FALSE(diagnostics.has_errors());
    const NativeRun native = RunNatively(system, 0.1, 1.9);
    const auto joined = LoadWithFmus(
        "<fmi.Fmu name=\"cs\" file=\"oscillator.fmu\" kind=\"CoSimulation\"/>"
        "<fmi.Fmu name=\"me\" file=\"oscillator.fmu\" kind=\"ModelExchange\"/>");
    ASSERT_NE(joined, nullptr);
    joined->Initialize();
    for (std::size_t row = 0; row < native.rows.size(); ++row) {
      joined->AdvanceTo(static_cast<double>(row) * 0.1);
      EXPECT_EQ(joined->Read("cs.oscillator.x"), native.rows[row][0]) << row;
      EXPECT_NEAR(joined->Read("me.oscillator.x"), native.rows[row][0], 1e-4) << row;
    }
  }
}

// Law: where there is no plug-in, nothing but FMI is shown.
TEST(PluginFmuTest, AnFmuWithoutPluginsShowsFmiOnly) {
  const ExportedFmu fmu(ExampleSystem("mass_spring"));
  std::ifstream stream(fmu.library(), std::ios::binary);
  std::size_t count = 0;
  for (const ElfSymbol& symbol : ElfLibrary({std::istreambuf_iterator<char>(stream), {}}).symbols()) {
    if (!symbol.is_defined) continue;
    EXPECT_TRUE(symbol.name.starts_with("fmi2") || symbol.name.starts_with("fmi3")) << symbol.name;
    ++count;
  }
  EXPECT_GT(count, 50U);
}

// Law: no FMU has a symbol that the loader shares between libraries of a process.
TEST(PluginFmuTest, TheRuntimeSharesNoSymbol) {
  const ExportedFmu fmu(WriteVanDerPolSystem(FreshFolder() / "system"));
  std::ifstream stream(fmu.library(), std::ios::binary);
  const ElfLibrary runtime({std::istreambuf_iterator<char>(stream), {}});
  std::size_t functions = 0;
  for (const ElfSymbol& symbol : runtime.symbols()) {
    if (!symbol.is_defined) continue;
    EXPECT_FALSE(symbol.is_unique) << symbol.name;
    functions += symbol.name.starts_with("_ZN5davit") ? 1 : 0;
  }
  EXPECT_GT(functions, 100U);
  const std::string tag = std::regex_replace(fmu.token(), std::regex("[{}-]"), "");
  EXPECT_EQ(runtime.soname(), "libdavit-" + tag + ".so");
  EXPECT_EQ(runtime.version(), "DAVIT_" + tag);
  std::ifstream of_plugin(PluginOf(fmu), std::ios::binary);
  const ElfLibrary plugin({std::istreambuf_iterator<char>(of_plugin), {}});
  EXPECT_THAT(plugin.needed(), testing::Contains("libdavit-" + tag + ".so"));
  std::vector<std::string> shown;
  for (const ElfSymbol& symbol : plugin.symbols()) {
    if (symbol.is_defined) shown.push_back(symbol.name);
  }
  EXPECT_THAT(shown, ElementsAre("davit_plugin"));
}

// Law: where no instance is left, neither is the plug-in; where the FMU is closed, neither is its runtime. So
// an FMU that is exported again can be loaded at the same place.
TEST(PluginFmuTest, APluginLeavesWithItsLastInstance) {
  auto fmu = std::make_unique<ExportedFmu>(WriteVanDerPolSystem(FreshFolder() / "system"));
  const fs::path library = fmu->library();
  const fs::path plugin = PluginOf(*fmu);
  {
    const Slave2 one(*fmu);
    {
      const Slave2 other(*fmu);
      EXPECT_GT(CountMapped(plugin), 0U);
    }
    EXPECT_GT(CountMapped(plugin), 0U);
  }
  EXPECT_EQ(CountMapped(plugin), 0U);
  EXPECT_GT(CountMapped(library), 0U);
  fmu.reset();
  EXPECT_EQ(CountMapped(library), 0U);
}

// Law: instances that begin and end at any time, in several threads, each have the bits of a native run.
TEST(PluginFmuTest, InstancesLiveInThreads) {
  const fs::path system = WriteVanDerPolSystem(FreshFolder() / "system");
  const NativeRun native = RunNatively(system, 0.5, 0.5);
  const ExportedFmu fmu(system);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int run = 0; run < 25; ++run) {
        Slave2 slave(fmu);
        slave.Start(0, 20);
        EXPECT_EQ(slave.Step(0, 0.5), fmi2OK);
        EXPECT_EQ(slave.Real("oscillator.x"), native.rows[1][0]);
      }
    });
  }
}

// Law: y = u^2 below 2, and u^3 from there on: the chart that the plug-in brings switches the level in the
// FMU as it does natively.
TEST(PluginFmuTest, ChartsOfAPluginGoAlong) {
  const fs::path system = FreshFolder() / "chosen.xml";
  std::ofstream(system) << "<System name=\"chosen\"><Plugin src=\"" << TestPlugin("own_chart") << R"("/>
  <SimulatorManager TimeStep="0.1 s" StopTime="4 s"/><signal.Ramp name="ramp" to="4" duration="4 s"/>
  <plugin.Chosen name="power"/><Route from="ramp.y" to="power.u"/><Record signals="power.y" interval="0.1 s"/></System>)";
  const NativeRun native = RunNatively(system, 0.1, 4);
  const ExportedFmu fmu(system);
  Slave2 slave(fmu);
  slave.Start(0, 4);
  for (std::size_t row = 0; row < native.rows.size(); ++row) {
    EXPECT_EQ(slave.Real("power.y"), native.rows[row][0]) << row;
    if (row + 1 < native.rows.size()) {
      EXPECT_EQ(slave.Step(static_cast<double>(row) * 0.1, 0.1), fmi2OK);
    }
  }
  EXPECT_EQ(slave.Real("power.y"), 64);
}

TEST(PluginFmuTest, InstancesComeAndGoWithoutGrowth) {
  const ExportedFmu fmu(WriteVanDerPolSystem(FreshFolder() / "system"));
  const auto come_and_go = [&](int times) {
    for (int i = 0; i < times; ++i) {
      Slave2 slave(fmu);
      slave.Start(0, 20);
      ASSERT_EQ(slave.Step(0, 0.01), fmi2OK);
    }
  };
  come_and_go(100);
  const std::size_t pages = CountResidentPages();
  come_and_go(1000);
#ifndef __SANITIZE_ADDRESS__                     // which keeps what is freed for a while
  EXPECT_LT(CountResidentPages(), pages + 256);  // 1 MiB: 1 kB an instance
#endif
}

// Law: a solver of model exchange may try too far. Whatever it asks for there is discarded, and back where
// equations hold the run continues.
TEST(PluginFmuTest, WhatASolverTriesTooFarIsDiscarded) {
  const ExportedFmu fmu(WriteVanDerPolSystem(FreshFolder() / "system"), FmiVersion::k2, {}, true);
  const fmi2Component c =
      DAVIT_FMU_CALL(fmu, fmi2Instantiate)("one", fmi2ModelExchange, fmu.token().c_str(),
                                           fmu.resources_uri().c_str(), nullptr, fmi2False, fmi2False);
  ASSERT_NE(c, nullptr);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2EnterInitializationMode)(c), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2ExitInitializationMode)(c), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2EnterContinuousTimeMode)(c), fmi2OK);
  const fmi2ValueReference rate = fmu.reference("der(oscillator.v)"), x = fmu.reference("oscillator.x");
  const double good[] = {2, 0}, too_far[] = {-11, 0}, at_the_edge[] = {-10, 0};
  const double seed = 1;
  double before = 0, value = 0, derivatives[2];
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetReal)(c, &rate, 1, &before), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetContinuousStates)(c, too_far, 2), fmi2OK);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetDerivatives)(c, derivatives, 2), fmi2Discard);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetReal)(c, &rate, 1, &value), fmi2Discard);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetDirectionalDerivative)(c, &rate, 1, &x, 1, &seed, &value),
            fmi2Discard);
  // One side is enough: v' = mu (1 - x^2) v - x.
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetContinuousStates)(c, at_the_edge, 2), fmi2OK);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetDirectionalDerivative)(c, &rate, 1, &x, 1, &seed, &value), fmi2OK);
  EXPECT_NEAR(value, -1, 1e-6);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetContinuousStates)(c, good, 2), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetReal)(c, &rate, 1, &value), fmi2OK);
  EXPECT_EQ(value, before);
  DAVIT_FMU_CALL(fmu, fmi2FreeInstance)(c);
}

// Law: an exception of a type that only the plug-in knows ends the step with its text, and nothing else; the
// next instance runs.
TEST(PluginFmuTest, AnExceptionOfAPluginFailsTheStep) {
  const ExportedFmu fmu(WriteVanDerPolSystem(FreshFolder() / "system"));
  {
    Slave2 slave(fmu);
    slave.SetReal("oscillator.lowest", -1);
    slave.Start(0, 20);
    EXPECT_EQ(slave.Step(0, 10), fmi2Error);
    EXPECT_THAT(slave.log().back(),
                AllOf(HasSubstr("/oscillator"), HasSubstr("the oscillator has left its range")));
  }
  Slave2 slave(fmu);
  slave.Start(0, 20);
  EXPECT_EQ(slave.Step(0, 10), fmi2OK);
}

// ---- what cannot go along --------------------------------------------------------------------------

struct WrongPlugin {
  const char* plugin;
  const char* model;
  const char* fault;
};

void PrintTo(const WrongPlugin& wrong, std::ostream* stream) { *stream << wrong.plugin; }

class WrongPluginTest : public testing::TestWithParam<WrongPlugin> {};

TEST_P(WrongPluginTest, IsNamedWithPlaceAndRemedy) {
  const auto [plugin, model, fault] = GetParam();
  const fs::path folder = FreshFolder();
  const std::string content = std::string("<") + model + " name=\"one\"/></System>";
  const std::string start =
      "<System name=\"wrong\">\n<SimulatorManager TimeStep=\"1 s\" StopTime=\"1 s\"/>\n";
  std::ofstream(folder / "named.xml") << start << "<Plugin src=\"" << TestPlugin(plugin) << "\"/>" << content;
  const fs::path output = folder / "x.fmu";
  const ProgramResult named =
      RunDavit({"fmu", "export", (folder / "named.xml").string(), "-o", output.string()});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.messages, AllOf(HasSubstr("named.xml:3: error: plug-in "), HasSubstr(fault)));
  std::ofstream(folder / "given.xml") << start << content;
  const ProgramResult given = RunDavit({"fmu", "export", (folder / "given.xml").string(), "-o",
                                        output.string(), "--plugin", TestPlugin(plugin)});
  EXPECT_EQ(given.exit_code, 2);
  EXPECT_THAT(given.messages, AllOf(HasSubstr(TestPlugin(plugin) + ": error: "), HasSubstr(fault)));
  EXPECT_FALSE(fs::exists(output));
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, WrongPluginTest,
    testing::Values(
        WrongPlugin{"foreign_library", "plugin.Zipped",
                    "it needs libzip.so.4, and an FMU takes the plug-in along, not the libraries that the "
                    "plug-in is linked with; link them statically"},
        WrongPlugin{"of_the_program", "plugin.Kinds",
                    "it needs davit::KindsOf(bool, bool), which is not part of the runtime of FMUs"},
        WrongPlugin{"other_version", "plugin.None", "it was built for davit 0.0.1"},
        WrongPlugin{"not_there", "plugin.None", "there is no such file; build the plug-in"}),
    [](const auto& parameter) { return std::string(parameter.param.plugin); });

TEST(ExchangedPluginTest, AnFmuWhosePluginIsExchangedIsRefused) {
  const ExportedFmu fmu(WriteVanDerPolSystem(FreshFolder() / "system"));
  const fs::path plugin = PluginOf(fmu);
  const auto refusal = [&]() -> std::string {
    try {
      MakeInstance(fmu);
      return "it was not refused";
    } catch (const FmuFailure& fault) {
      return fault.what();
    }
  };
  fs::rename(plugin, fmu.folder() / "kept");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("davit-plugin-van_der_pol.so"), HasSubstr("there is no such file")));
  fs::copy_file(TestPlugin("other_version"), plugin);
  EXPECT_THAT(refusal(), HasSubstr("it was built for davit 0.0.1"));
  fs::remove(plugin);
  std::ofstream(plugin) << "no library";
  EXPECT_THAT(refusal(), HasSubstr("it cannot be loaded as a shared library"));
  fs::remove(plugin);
  fs::rename(fmu.folder() / "kept", plugin);
  EXPECT_NE(MakeInstance(fmu), nullptr);
}

// Law: bytes that are no library for this machine are told so, wherever they end.
TEST(ElfLibraryTest, RefusesWhatIsNoLibrary) {
  std::ifstream stream(TestPlugin("van_der_pol"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  const auto read = [](std::string bytes) {
    const ElfLibrary library(std::move(bytes));
    library.needed();
    library.symbols();
  };
  EXPECT_NO_THROW(read(whole));
  for (const std::string& bytes :
       {std::string(), std::string("MZ"), std::string(64, '\0'), whole.substr(0, 63)})
    EXPECT_THROW(read(bytes), std::invalid_argument) << bytes.size();
  for (std::size_t size = 64; size < 4096; size += 61)
    EXPECT_THROW(read(whole.substr(0, size)), std::invalid_argument) << size;
  std::string of_another_machine = whole;
  of_another_machine[18] = 40;  // e_machine: ARM
  EXPECT_THROW(read(of_another_machine), std::invalid_argument);
}

}  // namespace
}  // namespace davit
