// What FMPy, the reference client, says of exported FMUs. DAVIT_FMPY names the folder of its sources, the one
// that has the package fmpy, and /usr/bin/python3 must have its packages (numpy, lark, attrs, lxml, msgpack).

#include <gtest/gtest.h>

#include <cstdlib>

#include "results/program.h"
#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

class FmpyTest : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {};

TEST_P(FmpyTest, FindsNoProblemAndRunsIt) {
  const char* const fmpy = std::getenv("DAVIT_FMPY");
  if (fmpy == nullptr)
    GTEST_SKIP() << "DAVIT_FMPY is not set: the folder with the sources of the package fmpy";
  const auto [name, version] = GetParam();
  const std::filesystem::path file = FreshFolder() / "x.fmu";
  Diagnostics diagnostics;
  const std::filesystem::path system = SystemNamed(name);
  ExportFmu({.system = system,
             .output = file,
             .version = version,
             .has_reference = false,
             .plugins = PluginsOf(system),
             .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
            FmuModels(), diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const std::string path = std::string("PYTHONPATH=") + fmpy;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"validate", file.string()},
        {"simulate", file.string(), "--validate", "--interface-type", "CoSimulation"}}) {
    std::vector<std::string> arguments{path, "/usr/bin/python3", "-m", "fmpy"};
    arguments.insert(arguments.end(), command.begin(), command.end());
    const auto run = RunProgram("env", arguments, "");
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->exit_code, 0) << run->output << run->messages;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, FmpyTest,
                         testing::Combine(testing::Values("lifting_cylinder", "position_servo",
                                                          "level_switching", "bouncing_ball",
                                                          "transistor_amplifier", "scripted", "van_der_pol"),
                                          testing::Values(FmiVersion::k2, FmiVersion::k3)),
                         [](const auto& parameter) {
                           return std::string(std::get<0>(parameter.param)) +
                                  (std::get<1>(parameter.param) == FmiVersion::k2 ? "_2" : "_3");
                         });

/// Of FMPy's solvers for model exchange; CVode needs SUNDIALS 7, which Debian 12 does not have.
constexpr const char* kMethod = "Euler";

class FmpyModelExchangeTest : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {};

TEST_P(FmpyModelExchangeTest, FindsNoProblemAndRunsIt) {
  const char* const fmpy = std::getenv("DAVIT_FMPY");
  if (fmpy == nullptr)
    GTEST_SKIP() << "DAVIT_FMPY is not set: the folder with the sources of the package fmpy";
  const auto [name, version] = GetParam();
  const std::filesystem::path system = SystemNamed(name);
  const std::filesystem::path file = FreshFolder() / "x.fmu";
  Diagnostics diagnostics;
  ExportFmu({.system = system,
             .output = file,
             .version = version,
             .has_co_simulation = false,
             .has_model_exchange = true,
             .has_reference = false,
             .plugins = PluginsOf(system),
             .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
            FmuModels(), diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics.all().front());
  const std::string path = std::string("PYTHONPATH=") + fmpy;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"validate", file.string()},
        {"simulate", file.string(), "--validate", "--interface-type", "ModelExchange", "--solver", kMethod,
         "--step-size", "1e-3", "--stop-time", "1"}}) {
    std::vector<std::string> arguments{path, "/usr/bin/python3", "-m", "fmpy"};
    arguments.insert(arguments.end(), command.begin(), command.end());
    const auto run = RunProgram("env", arguments, "");
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->exit_code, 0) << run->output << run->messages;
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, FmpyModelExchangeTest,
                         testing::Combine(testing::Values("bouncing_ball", "mass_spring", "blinker",
                                                          "scripted", "van_der_pol"),
                                          testing::Values(FmiVersion::k2, FmiVersion::k3)),
                         [](const auto& parameter) {
                           return std::string(std::get<0>(parameter.param)) +
                                  (std::get<1>(parameter.param) == FmiVersion::k2 ? "_2" : "_3");
                         });

}  // namespace
}  // namespace davit
