#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "simulator/passes/component_pattern.h"
#include "tests/support/loaded_system.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;

std::vector<TestRow> ArrayRows(const std::string& content) {
  TestSystem test(SystemText("TimeStep='0.1 s' StopTime='1 s'", "method='runge_kutta_dopri5' rtol='1e-9'",
                             content + "<Record signals='b.*'/>"));
  test.StartRecording();
  return test.RunAndRecord();
}

std::vector<std::vector<std::uint32_t>> ReadsOfArrays(const std::string& items, const char* written = nullptr,
                                                      std::vector<std::uint32_t>* at = nullptr) {
  LoadedSystem loaded("<user.Equation name='b'>" + items + "</user.Equation>");
  const Component& component = *loaded.system().Find("b");
  const ComponentPattern pattern(component);
  std::vector<std::vector<std::uint32_t>> rows;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const auto row = pattern.StatesReadBy(i);
    rows.emplace_back(row.begin(), row.end());
  }
  for (const OutputDeclaration& output : component.declarations().outputs) {
    if (written != nullptr && output.label.name == written) *at = pattern.StatesReadAt(output.value);
  }
  return rows;
}

constexpr const char* kBrusselatorArrays = R"(
    <user.Equation name='b'>
      <Parameter name='k' unit='1/s' value='0.72'/>
      <State name='u' size='5' start='1 + sin(2*pi*(i+1)/6)' before='1' after='1'
             der='1 + u[i]*u[i]*v[i] - 4*u[i] + k*(u[i-1] - 2*u[i] + u[i+1])'/>
      <State name='v' size='5' start='3' before='3' after='3'
             der='3*u[i] - u[i]*u[i]*v[i] + k*(v[i-1] - 2*v[i] + v[i+1])'/>
    </user.Equation>)";

// The same expressions with the same roundings: not one bit differs.
TEST(EquationArrayTest, EqualsItsElementsWrittenOut) {
  std::string text = "<user.Equation name='b'><Parameter name='k' unit='1/s' value='0.72'/>";
  for (const bool is_u : {true, false}) {
    for (int i = 0; i < 5; ++i) {
      const auto at = [&](const char* name, int j, int edge) {
        return j < 0 || j > 4 ? fmt::format("({})", edge) : fmt::format("{}{}", name, j);
      };
      text += is_u ? fmt::format(
                         "<State name='u{0}' start='{1:.17g}' der='1 + u{0}*u{0}*v{0} - 4*u{0} + "
                         "k*({2} - 2*u{0} + {3})'/>",
                         i, 1 + std::sin(2 * std::numbers::pi * (i + 1) / 6), at("u", i - 1, 1),
                         at("u", i + 1, 1))
                   : fmt::format(
                         "<State name='v{0}' start='3' der='3*u{0} - u{0}*u{0}*v{0} + "
                         "k*({1} - 2*v{0} + {2})'/>",
                         i, at("v", i - 1, 3), at("v", i + 1, 3));
    }
  }
  const auto arrays = ArrayRows(kBrusselatorArrays);
  const auto written = ArrayRows(text + "</user.Equation>");
  ASSERT_EQ(arrays.size(), written.size());
  for (std::size_t row = 0; row < arrays.size(); ++row) EXPECT_EQ(arrays[row].values, written[row].values);
  EXPECT_EQ(arrays.front().values.size(), 10U);
}

// u are states 0 to 4, v are 5 to 9.
TEST(EquationArrayTest, ReadsWhatItsExpressionsRead) {
  LoadedSystem loaded(kBrusselatorArrays);
  const ComponentPattern pattern(*loaded.system().Find("b"));
  ASSERT_EQ(pattern.size(), 10U);
  EXPECT_THAT(pattern.StatesReadBy(0), ElementsAre(0, 1, 5));
  EXPECT_THAT(pattern.StatesReadBy(2), ElementsAre(1, 2, 3, 7));
  EXPECT_THAT(pattern.StatesReadBy(9), ElementsAre(4, 8, 9));
  EXPECT_EQ(pattern.nonzeros(), 2U * (3 * 5 - 2) + 2 * 5);
}

TEST(EquationArrayTest, ReadsThroughOutputsAndDerivatives) {
  std::vector<std::uint32_t> at_mean;
  const auto rows = ReadsOfArrays(
      "<Output name='mean' expr='(x[0] + x[2])/2'/><Output name='more' expr='mean + y'/>"
      "<State name='x' size='3' index='k' der='k*x[k] + (k gt 5 ? 1 : y.ddt)'/><State name='y' der='more'/>",
      "mean", &at_mean);
  EXPECT_THAT(rows, ElementsAre(ElementsAre(0, 2, 3), ElementsAre(0, 1, 2, 3), ElementsAre(0, 2, 3),
                                ElementsAre(0, 2, 3)));
  EXPECT_THAT(at_mean, ElementsAre(0, 2));
}

TEST(EquationArrayTest, InputsAtTheEndsAreReadThere) {
  LoadedSystem loaded(
      "<user.Equation name='b'><Input name='left'/><Input name='all'/>"
      "<State name='x' size='4' before='left' after='0' der='all + x[i-1] - x[i+1]'/></user.Equation>");
  const Component& component = *loaded.system().Find("b");
  const ComponentPattern pattern(component);
  EXPECT_THAT(pattern.StatesReading(component.declarations().inputs[0].source), ElementsAre(0));
  EXPECT_THAT(pattern.StatesReading(component.declarations().inputs[1].source), ElementsAre(0, 1, 2, 3));
}

// x_i' = x_(i-1) - x_i in a ring keeps the sum; so does the method, as sums of linear terms, to rounding.
TEST(EquationArrayTest, ARingKeepsItsSum) {
  const auto rows = ArrayRows(
      "<user.Equation name='b'><State name='x' size='4' start='i*i' before='x[3]' der='x[i-1] - x[i]'/>"
      "</user.Equation>");
  for (const TestRow& row : rows) {
    EXPECT_NEAR(row.values[0] + row.values[1] + row.values[2] + row.values[3], 14, 1e-13);
  }
  EXPECT_NE(rows.back().values[3], 9);
}

TEST(EquationArrayTest, GuardsSetElements) {
  const auto rows = ArrayRows(
      "<user.Equation name='b'><State name='x' size='2' start='1' der='-1'/>"
      "<Guard name='low' value='x[2-1] - 0.55' direction='falling'><Set name='x[0]' expr='10*x[1]'/></Guard>"
      "</user.Equation>");
  EXPECT_NEAR(rows.back().values[0], 5.5 - 0.55, 1e-8);  // an event is located to 1e-9 s
  EXPECT_NEAR(rows.back().values[1], 0, 1e-8);
}

}  // namespace
}  // namespace davit
