// Numbers that README.md, CITATION.cff and docs/measurements.md state are those of the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <utility>

#include "framework/version.h"
#include "results/program.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

const std::filesystem::path kClone = DAVIT_SOURCE_DIR;

/// What the first group of the pattern matches in a file of the repository.
std::string FindIn(const std::string& file, const std::string& pattern) {
  const std::string text = ReadAll(kClone / file);
  std::smatch match;
  EXPECT_TRUE(std::regex_search(text, match, std::regex(pattern))) << file << ": " << pattern;
  return match.empty() ? "" : match[1].str();
}

TEST(ReadmeTest, CountsTheModels) {
  const auto list = RunProgram(DAVIT_BINARY, {"list"}, "");
  ASSERT_TRUE(list.has_value());
  EXPECT_EQ(FindIn("README.md", R"(\*\*(\d+) models\*\*)"),
            std::to_string(std::ranges::count(list->output, '\n')));
}

TEST(ReadmeTest, NamesTheVersion) {
  const std::string version = kVersion;
  EXPECT_EQ(FindIn("README.md", R"(\nVersion (\d+\.\d+) )"), version.substr(0, version.rfind('.')));
  EXPECT_EQ(FindIn("CITATION.cff", R"(\nversion: (\S+)\n)"), version);
}

TEST(MeasurementsTest, CountsOfTheCraneAreThoseOfARun) {
  const auto without_commas = [](std::string text) {
    std::erase(text, ',');
    return text;
  };
  for (const auto& [row, level] :
       {std::pair{"as in its file[^|]*", ""}, {"at Ideal ", "--level '*=Ideal' "}}) {
    const std::string numbers = std::string(row) + R"(\| [^;]*; )";
    const std::string steps = FindIn("docs/measurements.md", numbers + R"(([\d,]+) steps)");
    const std::string evaluations = FindIn("docs/measurements.md", numbers + R"([^|]* ([\d,]+) evaluations)");
    const auto run = RunProgram("sh",
                                {"-c", "'" DAVIT_BINARY "' run " + std::string(level) + "'" +
                                           (kClone / "systems/knuckle_boom_crane.xml").string() + "'"},
                                "");
    ASSERT_TRUE(run.has_value());
    EXPECT_THAT(run->output, testing::ContainsRegex("solver_steps +" + without_commas(steps) + "\n"));
    EXPECT_THAT(run->output, testing::ContainsRegex("evaluations +" + without_commas(evaluations) + "\n"));
  }
}

#ifdef NDEBUG
TEST(ReadmeTest, TheCraneTakesLessThanTwoSecondsOfOneCore) {
  ASSERT_THAT(ReadAll(kClone / "README.md"), testing::HasSubstr("less than two seconds"));
  const std::string system = (kClone / "systems/knuckle_boom_crane.xml").string();
  const auto run =
      RunProgram("sh", {"-c", "ulimit -t 2; exec '" DAVIT_BINARY "' run --quiet '" + system + "'"}, "");
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->exit_code, 0) << run->messages;
}
#endif

}  // namespace
}  // namespace davit
