// Oil flows from one closed volume through a pipe and an orifice into another; the level of the pipe changes.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/special_values.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

class PipeLevels : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  static std::string Text(const std::string& from, const std::string& to) {
    const auto volume = [](const std::string& name, const std::string& p) {
      return "<hydraulic.Volume name=\"" + name + "\" volume=\"1 l\" formulation=\"quantity\"><Start p=\"" +
             p + "\"/></hydraulic.Volume>";
    };
    return SystemText("TimeStep=\"1 ms\" StopTime=\"0.1\"",
                      "method=\"rosenbrock4\" rtol=\"1e-8\" atol=\"1e-10\"",
                      volume("source", "100 bar") + volume("sink", "20 bar") +
                          "<hydraulic.Pipe name=\"pipe\" level=\"" + from +
                          "\" formulation=\"quantity\" length=\"2 m\" inner_diameter=\"20 mm\">"
                          "<Start p=\"60 bar\"/></hydraulic.Pipe>"
                          "<hydraulic.Orifice name=\"orifice\" area=\"3 mm2\"/>"
                          "<Connect from=\"pipe.inlet\" to=\"source.port\"/>"
                          "<Connect from=\"pipe.outlet\" to=\"orifice.a\"/>"
                          "<Connect from=\"orifice.b\" to=\"sink.port\"/>"
                          "<At time=\"20 ms\" set=\"pipe.level\" value=\"" +
                          to +
                          "\"/>"
                          "<At time=\"60 ms\" set=\"pipe.level\" value=\"" +
                          from +
                          "\"/>"
                          "<Record signals=\"source.p sink.p pipe.outlet.p pipe.level\"/>");
  }
};

TEST_P(PipeLevels, OilIsConserved) {
  const auto& [from, to] = GetParam();
  TestSystem test(Text(from, to));
  const auto oil = [&] {
    double sum =
        test.Read("source.quantity") + test.Read("sink.quantity") + test.manager().statistics().released_oil;
    if (test.Read("pipe.level") == 1) sum += test.Read("pipe.quantity");
    if (test.Read("pipe.level") == 2) {
      for (int k = 0; k < 4; ++k) sum += test.Read("pipe.quantities[" + std::to_string(k) + "]");
    }
    return sum;
  };
  test.manager().Initialize();
  const double before = oil();
  while (!test.manager().is_finished()) {
    test.manager().Step();
    // Kept to rounding: each solver step adds up some tens of terms, none larger than all the oil.
    const auto steps = static_cast<double>(test.manager().statistics().solver_steps);
    ASSERT_NEAR(oil(), before, 100 * kEpsilon * before * (steps + 1)) << test.manager().time();
  }
}

TEST_P(PipeLevels, TheOutletKeepsItsPressureWhereItIsAState) {
  const auto& [from, to] = GetParam();
  TestSystem test(Text(from, to));
  const std::vector<TestRow> rows = test.RunAndRecord();
  int switches = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].t != rows[i - 1].t) continue;
    ++switches;
    EXPECT_EQ(rows[i].values[0], rows[i - 1].values[0]);
    EXPECT_EQ(rows[i].values[1], rows[i - 1].values[1]);
    const bool has_cells = rows[i].values[3] > 0;
    const double expected = has_cells ? rows[i - 1].values[2] : rows[i].values[0];
    EXPECT_NEAR(rows[i].values[2], expected, 1e-9 * expected);
  }
  EXPECT_EQ(switches, 2);
}

INSTANTIATE_TEST_SUITE_P(Pairs, PipeLevels,
                         testing::Values(std::tuple("Ideal", "Standard"), std::tuple("Ideal", "Advanced"),
                                         std::tuple("Standard", "Advanced")),
                         [](const testing::TestParamInfo<PipeLevels::ParamType>& pair) {
                           return std::get<0>(pair.param) + "And" + std::get<1>(pair.param);
                         });

}  // namespace
}  // namespace davit
