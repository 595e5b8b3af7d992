// A cylinder between two closed volumes carries a load; its level changes at rest and in motion.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "tests/components/hydraulic/lifting_data.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kLineVolume = 0.01;
constexpr double kPressure = 100e5;

struct Case {
  std::string formulation;
  std::string from, to;
  double v = 0;  ///< at the start [m/s]
  std::string method;
};

/// Both sides at 100 bar, the weight in balance. No leakage, so that oil is conserved on each side.
std::string SystemOf(const Case& c, const std::string& commands) {
  const double weight = kPressure * (kPistonArea - kRingArea);
  const auto volume = [&](const std::string& name) {
    return "<hydraulic.Volume name=\"" + name + "\" volume=\"0.01\" formulation=\"" + c.formulation +
           "\"><Start p=\"100 bar\"/></hydraulic.Volume>";
  };
  return SystemText("TimeStep=\"1 ms\" StopTime=\"0.6\"",
                    "method=\"" + c.method + "\" rtol=\"1e-8\" atol=\"1e-10\"",
                    volume("line_a") + volume("line_b") + "<hydraulic.Cylinder name=\"c\" level=\"" + c.from +
                        "\" seal_gap=\"0\" formulation=\"" + c.formulation +
                        "\"><Start x=\"1 m\" p_a=\"100 bar\" p_b=\"100 bar\"/></hydraulic.Cylinder>"
                        "<mechanical.Mass name=\"load\" mass=\"10 t\" weight=\"" +
                        ToXml(weight) + "\"><Start v=\"" + ToXml(c.v) +
                        "\"/></mechanical.Mass>"
                        "<Connect from=\"c.a\" to=\"line_a.port\"/><Connect from=\"c.b\" to=\"line_b.port\"/>"
                        "<Connect from=\"c.rod\" to=\"load.a\"/>" +
                        commands);
}

std::string At(double time, const std::string& level) {
  return "<At time=\"" + ToXml(time) + "\" set=\"c.level\" value=\"" + level + "\"/>";
}

class CylinderLevels
    : public testing::TestWithParam<std::tuple<std::string, std::string, double, std::string>> {
 protected:
  Case MakeCase(const std::string& formulation) const {
    const auto& [from, to, v, method] = GetParam();
    return {formulation, from, to, v, method};
  }
};

void ExpectContinuity(const Case& c) {
  TestSystem test(
      SystemOf(c, At(0.3, c.to) + "<Record signals=\"load.x load.v line_a.p line_b.p c.p_a c.p_b\"/>"));
  const auto rows = test.RunAndRecord();
  std::size_t i = 1;
  while (i < rows.size() && rows[i].t != rows[i - 1].t) ++i;
  if (c.from == c.to) {
    EXPECT_EQ(i, rows.size());
    return;
  }
  ASSERT_LT(i, rows.size());
  for (std::size_t column = 0; column < 4; ++column) {
    EXPECT_EQ(rows[i].values[column], rows[i - 1].values[column]) << column;
  }
  const bool has_chambers_before_and_after = c.from != "Ideal" && c.to != "Ideal";
  const std::size_t first_line = 2;
  const std::size_t first_chamber = 4;
  for (std::size_t side = 0; side < 2; ++side) {
    // A chamber that begins is at the pressure of its port; where there is none, the port's is shown.
    const double expected = has_chambers_before_and_after ? rows[i - 1].values[first_chamber + side]
                                                          : rows[i].values[first_line + side];
    EXPECT_NEAR(rows[i].values[first_chamber + side], expected, 1e-9 * expected);
  }
  for (const TestRow& row : rows) {
    for (const double value : row.values) ASSERT_TRUE(std::isfinite(value)) << row.t;
  }
}

TEST_P(CylinderLevels, MotionAndVolumesAreContinuous) {
  ExpectContinuity(MakeCase("pressure"));
  ExpectContinuity(MakeCase("quantity"));
}

TEST_P(CylinderLevels, OilIsConserved) {
  // Each volume: Q + (what the piston has left) is constant but for what a switch has taken out.
  const Case c = MakeCase("quantity");
  TestSystem test(SystemOf(c, At(0.3, c.to) + At(0.45, c.from)));
  const auto oil = [&] {
    const double x = test.Read("load.x");
    const bool has_chambers = test.Read("c.level") > 0;
    const double in_chambers = has_chambers ? test.Read("c.quantity_a") + test.Read("c.quantity_b") : 0.0;
    return test.Read("line_a.quantity") + test.Read("line_b.quantity") + in_chambers +
           (kPistonArea - kRingArea) * x + test.manager().statistics().released_oil;
  };
  test.manager().Initialize();
  const double before = oil();
  while (!test.manager().is_finished()) {
    test.manager().Step();
    // A linear sum of states is kept to rounding by every Runge-Kutta and Rosenbrock method.
    ASSERT_NEAR(oil(), before, 1e-12 * kPistonArea) << test.manager().time();
  }
}

class CylinderRoundTrip : public CylinderLevels {};

TEST_P(CylinderRoundTrip, Returns) {
  const Case c = MakeCase("pressure");
  TestSystem calm(SystemOf(c, ""));
  TestSystem trip(SystemOf(c, At(0.1, c.to) + At(0.11, c.from)));
  calm.Run();
  trip.Run();
  // At rest nothing may move; in motion 1e-3 of the stroke.
  EXPECT_NEAR(trip.Read("load.x"), calm.Read("load.x"), c.v == 0 ? 1e-4 : 1e-3 * 2);
  if (c.v != 0) return;
  for (const char* p : {"line_a.p", "line_b.p", "c.p_a", "c.p_b"}) {
    EXPECT_NEAR(trip.Read(p), calm.Read(p), 1e-3 * kPressure) << p;
  }
}

const std::vector<std::string>& Levels() {
  static const std::vector<std::string> levels{"Ideal", "Standard", "Advanced"};
  return levels;
}

std::string NameOfPair(const testing::TestParamInfo<CylinderLevels::ParamType>& pair) {
  return std::get<0>(pair.param) + "To" + std::get<1>(pair.param) +
         (std::get<2>(pair.param) == 0 ? "AtRest" : "InMotion");
}

INSTANTIATE_TEST_SUITE_P(Pairs, CylinderLevels,
                         testing::Combine(testing::ValuesIn(Levels()), testing::ValuesIn(Levels()),
                                          testing::Values(0.0, 0.1), testing::Values("rosenbrock4")),
                         NameOfPair);
INSTANTIATE_TEST_SUITE_P(Trips, CylinderRoundTrip,
                         testing::Combine(testing::Values("Standard"), testing::Values("Ideal", "Advanced"),
                                          testing::Values(0.0, 0.1), testing::Values("rosenbrock4")),
                         NameOfPair);

TEST(CylinderLevelsTest, SwitchedAtTheStartIsStartedThere) {
  for (const char* method : {"rosenbrock4", "ida", "runge_kutta_dopri5"}) {
    const Case c{"pressure", "Ideal", "Advanced", 0.1, method};
    const Case other{"pressure", "Advanced", "Advanced", 0.1, method};
    const std::string record = "<Record signals=\"load.x load.v line_a.p c.p_a c.z\"/>";
    TestSystem switched(SystemOf(c, At(0, "Advanced") + record));
    TestSystem started(SystemOf(other, record));
    EXPECT_TRUE(switched.RunAndRecord() == started.RunAndRecord()) << method;
  }
}

TEST(CylinderLevelsTest, IdaAndRosenbrockAgree) {
  std::vector<double> x;
  for (const char* method : {"rosenbrock4", "ida"}) {
    const Case c{"pressure", "Standard", "Advanced", 0.1, method};
    TestSystem test(SystemOf(c, At(0.2, "Advanced") + At(0.4, "Ideal")));
    test.Run();
    x.push_back(test.Read("load.x"));
  }
  EXPECT_NEAR(x[0], x[1], 1e-6);
}

}  // namespace
}  // namespace davit
