// Every wrong chart in tests/errors/charts: what `davit chart check` says about it, word for word.
//
// NAME.scxml is checked, and stderr must be NAME.expected. Adding files adds tests. After a change of a text,
// run this program with DAVIT_WRITE_EXPECTED=1 in the environment, and read what changed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/chart_command.h"
#include "app/exit_code.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> WrongCharts() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(DAVIT_SOURCE_DIR "/tests/errors/charts")) {
    if (entry.path().extension() == ".scxml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class WrongChart : public testing::TestWithParam<std::string> {};

TEST_P(WrongChart, IsAnsweredWordForWord) {
  const fs::path folder = DAVIT_SOURCE_DIR "/tests/errors/charts";
  const Registry registry;
  ChartOptions options;
  options.registry = &registry;
  options.chart = folder / (GetParam() + ".scxml");
  std::ostringstream out;
  std::ostringstream err;
  const int code = RunChartCheck(options, out, err);
  std::string text = err.str();
  for (std::size_t at = 0; (at = text.find(folder.string() + "/", at)) != std::string::npos;) {
    text.erase(at, folder.string().size() + 1);
  }
  const fs::path expected = folder / (GetParam() + ".expected");
  if (std::getenv("DAVIT_WRITE_EXPECTED") != nullptr) std::ofstream(expected) << text;
  std::ifstream stream(expected);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(stream), {}));
  const bool has_errors = text.find(": error: ") != std::string::npos;
  EXPECT_EQ(code, has_errors ? kWrongInput : kDone);
}

INSTANTIATE_TEST_SUITE_P(All, WrongChart, testing::ValuesIn(WrongCharts()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace davit
