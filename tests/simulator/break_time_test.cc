#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/ode_methods.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// How far rounding may take a sum of some hundred numbers of size 1.
constexpr double kRounding = 1e-13;

/// All methods; every one of them integrates a constant exactly.
class BreakTime : public testing::TestWithParam<OdeMethod> {
 protected:
  std::string Method(const std::string& more = {}) const {
    return "method=\"" + std::string(GetParam().name) + "\" rtol=\"1e-10\" atol=\"1e-12\" " + more;
  }
  /// Rows of (integral, source) of one source that feeds an integrator.
  std::vector<TestRow> Run(const std::string& manager, const std::string& source,
                           const std::string& more = {}) const {
    TestSystem test(SystemText(manager, Method(),
                               source + "<signal.Integrator name=\"i\"/><Route from=\"s.y\" to=\"i.u\"/>" +
                                   more + "<Record signals=\"i.y s.y\"/>"));
    return test.RunAndRecord();
  }
};

TEST_P(BreakTime, AStepIsMetExactlyWhereverItLies) {
  for (const double start : {0.0, 0.1, 0.3, 0.5, 0.537, 0.2 + 1e-7, 0.7 - 1e-7, 1.0}) {
    for (const char* time_step : {"0.1", "0.07", "1"}) {
      const auto rows =
          Run(std::string("StopTime=\"1\" TimeStep=\"") + time_step + "\"",
              "<signal.Step name=\"s\" start_time=\"" + ToXml(start) + "\" before=\"-1\" after=\"2\"/>");
      for (const TestRow& row : rows) {
        EXPECT_NEAR(row.values[0], row.t < start ? -row.t : -start + 2 * (row.t - start), kRounding) << row.t;
        EXPECT_EQ(row.values[1], row.t < start - 1e-10 ? -1 : 2) << row.t;
      }
    }
  }
}

TEST_P(BreakTime, ManyBreaksInOneTimeStepAreAllMet) {
  constexpr double kLength = 0.013;
  constexpr double kWidth = 0.005;
  for (const char* time_step : {"0.001", "0.1", "0.3"}) {
    const auto rows =
        Run(std::string("StopTime=\"1\" TimeStep=\"") + time_step + "\"",
            "<signal.Pulse name=\"s\" period=\"0.013\" width=\"0.005\" low=\"1\" high=\"-3\"/>");
    for (const TestRow& row : rows) {
      const double whole = std::floor(row.t / kLength + 1e-9);
      const double high = whole * kWidth + std::min(row.t - whole * kLength, kWidth);
      EXPECT_NEAR(row.values[0], -3 * high + (row.t - high), kRounding) << row.t;
    }
  }
}

/// Methods of order 2 or more integrate a straight line exactly; ida begins each time with order 1.
class BreakTimeOfOrderTwo : public BreakTime {};

TEST_P(BreakTimeOfOrderTwo, AKinkIsMetExactly) {
  const auto rows = Run("StopTime=\"1\" TimeStep=\"0.1\"",
                        "<signal.Table name=\"s\" times=\"0 0.25 0.5 0.8\" values=\"0 1 -1 -1\"/>");
  for (const TestRow& row : rows) {
    const double t = row.t;
    const double exact = t < 0.25  ? 2 * t * t
                         : t < 0.5 ? 0.125 + (t - 0.25) - 4 * (t - 0.25) * (t - 0.25)
                                   : 0.125 - (t - 0.5);
    EXPECT_NEAR(row.values[0], exact, kRounding) << t;
  }
}

/// Methods that reach a tolerance where f depends on t alone. The others are as good as their step; the error
/// estimate of runge_kutta_fehlberg78 vanishes for such an f.
class BreakTimeWithTolerance : public BreakTime {};

TEST_P(BreakTimeWithTolerance, AWaveThatSetsInIsSmoothOnBothSides) {
  const auto rows = Run("StopTime=\"2\" TimeStep=\"0.1\"",
                        "<signal.Sine name=\"s\" frequency=\"5\" start_time=\"0.333\" offset=\"1\"/>");
  for (const TestRow& row : rows) {
    const double wave = row.t < 0.333 ? 0 : (std::cos(5 * 0.333) - std::cos(5 * row.t)) / 5;
    EXPECT_NEAR(row.values[0], row.t + wave, 1e-8) << row.t;
  }
}

TEST_P(BreakTime, IsMetLateInALongRunToo) {
  const auto rows = Run("StartTime=\"1e6\" StopTime=\"1000000.1\" TimeStep=\"1 ms\"",
                        "<signal.Step name=\"s\" start_time=\"1000000.05\"/>");
  // Times are known to 1e-10 s here.
  for (const TestRow& row : rows)
    EXPECT_NEAR(row.values[0], std::max(0.0, row.t - 1000000.05), 1e-8) << row.t;
}

TEST_P(BreakTime, ACommandMovesABreakThatIsStillToCome) {
  const auto moved = [&](double at, double to) {
    return Run("StopTime=\"1\" TimeStep=\"0.25\"", "<signal.Step name=\"s\" start_time=\"0.5\"/>",
               "<At time=\"" + ToXml(at) + "\" set=\"s.start_time\" value=\"" + ToXml(to) + "\"/>")
        .back()
        .values[0];
  };
  EXPECT_NEAR(moved(0.25, 0.8), 0.2, kRounding);
  EXPECT_NEAR(moved(0.25, 0.3), 0.7, kRounding);
  EXPECT_NEAR(moved(0.25, 0.1), 0.75, kRounding);  // it is late already
  EXPECT_NEAR(moved(0.5, 2), 0, kRounding);        // at the very moment
  EXPECT_NEAR(moved(0.75, 0.9), 0.35, kRounding);  // back to low, and up again
}

TEST_P(BreakTime, TwoSourcesBreakEachForItself) {
  TestSystem test(
      SystemText("StopTime=\"1\" TimeStep=\"0.2\"", Method(),
                 "<signal.Step name=\"s\" start_time=\"0.33\"/><signal.Step name=\"z\" start_time=\"0.77\"/>"
                 "<signal.Sum name=\"sum\"/><signal.Integrator name=\"i\"/>"
                 "<Route from=\"s.y\" to=\"sum.u\"/><Route from=\"z.y\" to=\"sum.u\"/>"
                 "<Route from=\"sum.y\" to=\"i.u\"/>"));
  test.Run();
  EXPECT_NEAR(test.Read("i.y"), 0.67 + 0.23, kRounding);
}

// Where the equations do not move with the wave for most of its period, an error estimate sees nothing of it.
// A half wave that is missed costs pi.
TEST_P(BreakTimeWithTolerance, WavesAreNotSteppedOver) {
  for (const double frequency : {1.0, 0.7, 2.3}) {
    TestSystem test(
        SystemText("TimeStep='10 ms' StopTime='500 s'",
                   "method='" + std::string(GetParam().name) + "' rtol='1e-6' atol='1e-6'",
                   "<signal.Sine name='s' frequency='" + ToXml(frequency) +
                       " rad/s'/><user.Equation name='e'><Input name='u'/><State name='x' der='max(-1, "
                       "min(1, 1000*u))'/>"
                       "</user.Equation><Route from='s.y' to='e.u'/><Record signals='e.x' interval='1 s'/>"));
    for (const TestRow& row : test.RunAndRecord()) {
      const double angle = std::fmod(frequency * row.t, 2 * std::numbers::pi);
      const double x = std::min(angle, 2 * std::numbers::pi - angle) / frequency;
      ASSERT_NEAR(row.values[0], x, 0.1) << GetParam().name << ' ' << frequency << ' ' << row.t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BreakTime, testing::ValuesIn(AllOdeMethods()), NameOf);
INSTANTIATE_TEST_SUITE_P(All, BreakTimeOfOrderTwo,
                         testing::ValuesIn(OdeMethodsThat([](const OdeMethod& method) {
                           return method.order >= 2 && method.name != "ida";
                         })),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(All, BreakTimeWithTolerance,
                         testing::ValuesIn(OdeMethodsThat([](const OdeMethod& method) {
                           return method.is_adaptive && method.name != "runge_kutta_fehlberg78";
                         })),
                         NameOf);

}  // namespace
}  // namespace davit
