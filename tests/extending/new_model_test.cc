// Projects as `davit new-model` writes them: they build, their tests pass, their examples run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/whole/new_model_command.h"
#include "tests/support/outside.h"

namespace davit {
namespace {

using testing::HasSubstr;

constexpr const char* kBuildAndTest = "cmake -B build && cmake --build build && ctest --test-dir build";

class NewModelProject : public testing::TestWithParam<std::string_view> {};

TEST_P(NewModelProject, WorksAgainstAnInstalledDavit) {
  const std::string kind(GetParam());
  Outside outside("new_model_test_" + kind);
  outside.Install();
  EXPECT_EQ(outside.FindFault("davit new-model hydraulic.ShuttleValve --kind " + kind + " -o my_valves/"),
            "");
  EXPECT_EQ(outside.FindFault(kBuildAndTest, "my_valves"), "");
  EXPECT_THAT(outside.output(), HasSubstr("100% tests passed, 0 tests failed out of 3"));
  EXPECT_EQ(outside.FindFault("davit describe hydraulic.ShuttleValve --plugin build/my_valves.so &&"
                              "davit run example.xml --plugin build/my_valves.so -o example.csv &&"
                              "davit schema --plugin build/my_valves.so -o davit.xsd &&"
                              "xmllint --noout --schema davit.xsd example.xml",
                              "my_valves"),
            "");
  if (kind == "ode") {
    EXPECT_EQ(
        outside.FindFault("davit chart check shuttle_valve.scxml --plugin build/my_valves.so", "my_valves"),
        "");
    // The chart has become part of the plug-in, and has switched the level in the example.
    EXPECT_EQ(outside.FindFault("davit chart default hydraulic.ShuttleValve --plugin build/my_valves.so > "
                                "default.scxml && cmp shuttle_valve.scxml default.scxml &&"
                                "davit run example.xml --plugin build/my_valves.so --summary run.json && "
                                "grep -q '\"level_switches\": 1' run.json",
                                "my_valves"),
              "");
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, NewModelProject, testing::ValuesIn(kModelKinds),
                         [](const auto& test) { return std::string(test.param); });

TEST(NewModelProjectTest, WorksWithoutLevels) {
  Outside outside("new_model_test_plain");
  EXPECT_EQ(outside.FindFault(std::string(DAVIT_BINARY) +
                              " new-model chemistry.Lag --kind ode --no-levels -o lags"),
            "");
  EXPECT_EQ(outside.FindFault("cmake -B build -Ddavit_DIR=" DAVIT_BUILD_DIR
                              " && cmake --build build && ctest --test-dir build && ! ls *.scxml",
                              "lags"),
            "");
  EXPECT_THAT(outside.output(), HasSubstr("100% tests passed, 0 tests failed out of 3"));
}

TEST(NewModelProjectTest, ModelsJoinAProject) {
  Outside outside("new_model_test_join");
  const std::string davit = DAVIT_BINARY;
  for (const std::string model : {"signal.Cut --kind signal", "hydraulic.Damper --kind ode",
                                  "hydraulic.Tube --kind tlm", "chemistry.Lag --kind ode"})
    EXPECT_EQ(outside.FindFault(davit + " new-model " + model + " -o models"), "");
  EXPECT_EQ(outside.FindFault("cmake -B build -Ddavit_DIR=" DAVIT_BUILD_DIR
                              " && cmake --build build && ctest --test-dir build",
                              "models"),
            "");
  EXPECT_THAT(outside.output(), HasSubstr("100% tests passed, 0 tests failed out of 9"));
}

TEST(NewModelProjectTest, WorksAgainstABuildFolder) {
  Outside outside("new_model_test_source");
  EXPECT_EQ(outside.FindFault(std::string(DAVIT_BINARY) + " new-model signal.Cut --kind signal -o cut"), "");
  EXPECT_EQ(outside.FindFault("cmake -B build -Ddavit_DIR=" DAVIT_BUILD_DIR
                              " && cmake --build build && ctest --test-dir build",
                              "cut"),
            "");
}

TEST(NewModelProjectTest, WorksAgainstASourceTree) {
  if (std::string(DAVIT_BUILD_DIR) != DAVIT_SOURCE_DIR "/build/release") {
    GTEST_SKIP() << "DAVIT_SOURCE_DIR finds what ./davit builds, build/release; this is another build";
  }
  Outside outside("new_model_test_tree");
  EXPECT_EQ(outside.FindFault(std::string(DAVIT_BINARY) + " new-model signal.Cut --kind signal -o cut"), "");
  EXPECT_EQ(outside.FindFault("cmake -B build -DDAVIT_SOURCE_DIR=" DAVIT_SOURCE_DIR " && cmake --build build",
                              "cut"),
            "");
}

}  // namespace
}  // namespace davit
