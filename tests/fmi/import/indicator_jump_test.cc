// Event indicators that change sign by a jump at an event, not by passing zero.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fmi/import/fmu_component.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// Exports a system for model exchange as x.fmu and runs it as the only component.
std::unique_ptr<Simulation> RunImported(const std::string& name, const std::string& content,
                                        FmiVersion version) {
  const fs::path file = FreshFolder() / (name + ".xml");
  std::ofstream(file) << "<System name=\"" << name
                      << "\"><SimulatorManager TimeStep=\"10 ms\" StopTime=\"1 s\"/>" << content
                      << "</System>";
  ExportToFile({.system = file, .version = version, .has_co_simulation = false, .has_model_exchange = true});
  auto run = LoadWithFmus(R"(<fmi.Fmu name="f" file="x.fmu" kind="ModelExchange" locals="*"/>)");
  run->Initialize();
  run->AdvanceTo(1);
  return run;
}

class IndicatorJumpTest : public testing::TestWithParam<FmiVersion> {};

// Law: x' = 1 until x = 0.7. The indicator of `hit` jumps to the other side at x = 0.4, at an event of the
// FMU itself, and passes zero at 0.7.
TEST_P(IndicatorJumpTest, ThePassageAfterAJumpIsFound) {
  for (const char* values : {R"(value="mode == 0 ? 1 : x - 0.7" direction="rising")",
                             R"(value="mode == 0 ? -1 : 0.7 - x" direction="falling")",
                             R"(value="mode == 0 ? 1 : x - 0.7" direction="both")"}) {
    // Of both directions the jump itself is an event, which must not stop x.
    const auto run = RunImported("jump",
                                 std::string(R"(<user.Equation name="m">
<State name="x" der="mode == 2 ? 0 : 1"/><Variable name="mode"/>
<Guard name="go" value="x - 0.4" direction="rising"><Set name="mode" expr="mode == 0 ? 1 : mode"/></Guard>
<Guard name="hit" )") + values +
                                     R"(><Set name="mode" expr="x &gt; 0.6 ? 2 : mode"/></Guard>
</user.Equation>)",
                                 GetParam());
    EXPECT_NEAR(run->Read("f.m.x"), 0.7, 1e-9) << values;
  }
}

// Law: the same where the jump is that of a source inside the FMU, a time event.
TEST_P(IndicatorJumpTest, AJumpAtATimeEventIsNoticed) {
  for (const char* value : {"u &lt; 0.5 ? 1 : x - 0.7", "u &lt; 0.5 ? -1 : 0.7 - x"}) {
    const auto run = RunImported("timed", std::string(R"(<signal.Step name="s" start_time="0.4 s"/>
<user.Equation name="m"><Input name="u"/><State name="x" der="mode == 0 ? 1 : 0"/><Variable name="mode"/>
<Guard name="hit" value=")") + value + R"("><Set name="mode" expr="x &gt; 0.6 ? 1 : 0"/></Guard>
</user.Equation><Route from="s.y" to="m.u"/>)",
                                 GetParam());
    EXPECT_NEAR(run->Read("f.m.x"), 0.7, 1e-9) << value;
  }
}

// Law: a relay with one indicator, whose own event moves it to the other side, makes a triangle between 0.2
// and 0.4: x(1) = 0.2 + |(1 mod 0.4) - 0.2|.
TEST_P(IndicatorJumpTest, ARelaySwitchesOnBothSides) {
  const auto run = RunImported("relay", R"xml(<user.Equation name="m">
<State name="x" der="falls == 0 ? 1 : -1"/><Variable name="falls"/>
<Guard name="edge" value="x - (falls == 0 ? 0.4 : 0.2)"><Set name="falls" expr="1 - falls"/></Guard>
</user.Equation>)xml",
                               GetParam());
  EXPECT_NEAR(run->Read("f.m.x"), 0.2, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Versions, IndicatorJumpTest, testing::Values(FmiVersion::k2, FmiVersion::k3),
                         [](const auto& version) {
                           return version.param == FmiVersion::k2 ? "Two" : "Three";
                         });

// FMUs with friction, where the environment variable DAVIT_DYMOLA_FMUS names the folder
// dymola-fmi-compatibility. Law: both kinds of one FMU solve the same equations. The second clutch locks at
// 0.7 s only if the sign of its indicators is that after the event at the step of the input at 0.4 s; else
// J3_w is 8.5 rad/s.
TEST(DymolaFmusTest, ClutchesLockInModelExchangeAsInCoSimulation) {
  const char* const folder = std::getenv("DAVIT_DYMOLA_FMUS");
  if (folder == nullptr) GTEST_SKIP() << "set DAVIT_DYMOLA_FMUS to the folder dymola-fmi-compatibility";
  ModelsWithFmus();
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("CoupledClutches_fmi2") || name.starts_with("CoupledClutches_fmi3"))
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  ASSERT_FALSE(files.empty());
  std::size_t compared = 0;
  for (const fs::path& file : files) {
    fs::copy_file(file, FreshFolder() / "x.fmu", fs::copy_options::overwrite_existing);
    const auto speed = [&](const std::string& kind) {
      const std::string text =
          R"(<System><SimulatorManager TimeStep="1 ms" StopTime="1.5 s"><Integration rtol="1e-6" atol="1e-8"/>)"
          R"(</SimulatorManager><fmi.Fmu name="f" file="x.fmu" kind=")" +
          kind + R"("/></System>)";
      const auto loaded = Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus());
      if (loaded.simulation == nullptr) return std::nan("");  // it is not for this kind
      loaded.simulation->Initialize();
      loaded.simulation->Run();
      return loaded.simulation->Read("f.J3_w");
    };
    const double exchange = speed("ModelExchange"), simulation = speed("CoSimulation");
    if (std::isnan(exchange) || std::isnan(simulation)) continue;
    EXPECT_NEAR(exchange, simulation, 0.05) << file;
    ++compared;
  }
  EXPECT_GE(compared, 14U);
}

}  // namespace
}  // namespace davit
