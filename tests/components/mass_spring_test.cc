// The oscillation three times: components, signal blocks, equations.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kRtol = 1e-6;  // of the files
constexpr double kAmplitude = 0.1;

std::vector<TestRow> RowsOf(const std::string& name) {
  std::ifstream stream(DAVIT_SOURCE_DIR "/systems/" + name + ".xml", std::ios::binary);
  TestSystem test({std::istreambuf_iterator<char>(stream), {}});
  test.StartRecording();
  return test.RunAndRecord();
}

TEST(MassSpringTest, ThreeWaysToWriteItAgree) {
  const auto components = RowsOf("mass_spring");
  const auto blocks = RowsOf("mass_spring_blocks");
  const auto equations = RowsOf("mass_spring_equations");
  ASSERT_EQ(components.size(), 1001U);
  ASSERT_EQ(blocks.size(), 1001U);
  ASSERT_EQ(equations.size(), 1001U);
  const double w = std::sqrt(39.4784);
  for (std::size_t i = 0; i < components.size(); ++i) {
    for (const auto* other : {&blocks, &equations}) {
      ASSERT_EQ((*other)[i].t, components[i].t);
      EXPECT_NEAR((*other)[i].values[0], components[i].values[0], kRtol * kAmplitude) << components[i].t;
      EXPECT_NEAR((*other)[i].values[1], components[i].values[1], kRtol * kAmplitude * w) << components[i].t;
    }
  }
}

}  // namespace
}  // namespace davit
