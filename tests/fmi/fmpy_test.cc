// What FMPy, the reference client, says of exported FMUs. DAVIT_FMPY names the folder of its sources, the one
// that has the package fmpy, and /usr/bin/python3 must have its packages (numpy, lark, attrs, lxml, msgpack).

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/outside_program.h"

namespace davit {
namespace {

/// FMPy must find nothing in an FMU, and simulate it with these options.
void ExpectNoProblem(const char* fmpy, const std::filesystem::path& fmu, std::vector<std::string> options) {
  const ProgramResult validation = RunFmpy(fmpy, {"validate", fmu.string()});
  EXPECT_EQ(validation.exit_code, 0) << validation.output << validation.messages;
  options.insert(options.begin(), {"simulate", fmu.string(), "--validate"});
  const ProgramResult simulation = RunFmpy(fmpy, options);
  EXPECT_EQ(simulation.exit_code, 0) << simulation.output << simulation.messages;
}

class FmpyTest : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {};

TEST_P(FmpyTest, FindsNoProblemAndRunsIt) {
  const char* const fmpy = std::getenv("DAVIT_FMPY");
  if (fmpy == nullptr)
    GTEST_SKIP() << "DAVIT_FMPY is not set: the folder with the sources of the package fmpy";
  const auto [name, version] = GetParam();
  ExpectNoProblem(fmpy, ExportToFile({.system = SystemNamed(name), .version = version}),
                  {"--interface-type", "CoSimulation"});
}

INSTANTIATE_TEST_SUITE_P(
    Systems, FmpyTest,
    testing::Combine(testing::Values("lifting_cylinder", "knuckle_boom_crane", "position_servo",
                                     "level_switching", "bouncing_ball", "transistor_amplifier", "blinker",
                                     "scripted", "van_der_pol", "excavator", "wheel_loader"),
                     testing::Values(FmiVersion::k2, FmiVersion::k3)),
    [](const auto& parameter) {
      return std::get<0>(parameter.param) + NameOf(std::get<1>(parameter.param));
    });

class FmpyModelExchangeTest : public testing::TestWithParam<std::tuple<const char*, FmiVersion>> {};

TEST_P(FmpyModelExchangeTest, FindsNoProblemAndRunsIt) {
  const char* const fmpy = std::getenv("DAVIT_FMPY");
  if (fmpy == nullptr)
    GTEST_SKIP() << "DAVIT_FMPY is not set: the folder with the sources of the package fmpy";
  const auto [name, version] = GetParam();
  const auto file = ExportToFile({.system = SystemNamed(name),
                                  .version = version,
                                  .has_co_simulation = false,
                                  .has_model_exchange = true});
  // CVode needs SUNDIALS 7, which Debian 12 does not have.
  ExpectNoProblem(
      fmpy, file,
      {"--interface-type", "ModelExchange", "--solver", "Euler", "--step-size", "1e-3", "--stop-time", "1"});
}

INSTANTIATE_TEST_SUITE_P(Systems, FmpyModelExchangeTest,
                         testing::Combine(testing::Values("bouncing_ball", "mass_spring", "blinker",
                                                          "scripted", "van_der_pol"),
                                          testing::Values(FmiVersion::k2, FmiVersion::k3)),
                         [](const auto& parameter) {
                           return std::get<0>(parameter.param) + NameOf(std::get<1>(parameter.param));
                         });

}  // namespace
}  // namespace davit
