// The examples of docs/no-code.md do what the text says. (That all run is a test of tests/docs.)

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "tests/support/test_system.h"

namespace davit {
namespace {

/// The systems of the document by their names.
std::map<std::string, std::string> DocumentedExamples() {
  std::ifstream stream(DAVIT_SOURCE_DIR "/docs/no-code.md", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::map<std::string, std::string> examples;
  const std::string fence = "```xml\n";
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    const std::string example = text.substr(at, text.find("```", at) - at);
    const std::size_t name = example.find("name=\"") + 6;
    examples[example.substr(name, example.find('"', name) - name)] = example;
  }
  return examples;
}

TEST(NoCodeDocTest, TheExpressionOpensTheValve) {
  TestSystem test(DocumentedExamples().at("expression"));
  test.Run();
  const double u = std::sin(3 * 2.0);
  const double opening = std::min(1.0, 2 * (std::abs(u) - 0.1));
  EXPECT_NEAR(test.Read("valve.opening"), opening, 1e-12);
  EXPECT_NEAR(test.Read("valve.flow"), std::copysign(1e-3 * std::sqrt(opening), u), 1e-15);
}

// x = 0.1 cos(sqrt(400/12) t), within 100 times the default rtol.
TEST(NoCodeDocTest, TheMassSwingsOnTheSpring) {
  TestSystem test(DocumentedExamples().at("model"));
  test.Run();
  EXPECT_NEAR(test.Read("load.x"), 0.1 * std::cos(std::sqrt(400.0 / 12) * 2), 1e-4 * 0.1);
}

TEST(NoCodeDocTest, TheVolumeEmpties) {
  TestSystem test(DocumentedExamples().at("ports"));
  test.Run();
  EXPECT_NEAR(test.Read("volume.p"), 1e7 * std::exp(-2), 1e-4 * 1e7);
}

TEST(NoCodeDocTest, TheBallComesToRest) {
  TestSystem test(DocumentedExamples().at("guards"));
  test.Run();
  EXPECT_EQ(test.Read("ball.rests"), 1);
  EXPECT_EQ(test.Read("ball.h"), 0);
}

}  // namespace
}  // namespace davit
