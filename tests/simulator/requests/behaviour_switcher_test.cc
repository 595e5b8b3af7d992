#include "simulator/requests/behaviour_switcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "framework/run_log.h"
#include "tests/support/ode_methods.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kTolerance = 1e-9;

std::string Follower(const std::string& method, const std::string& attributes, const std::string& commands) {
  return SystemText("TimeStep=\"0.1\" StopTime=\"3\"",
                    "method=\"" + method + "\" rtol=\"1e-9\" atol=\"1e-9\" substeps=\"100\"",
                    "<test.Follower name=\"f\" " + attributes + "/>" + commands +
                        "<Record signals=\"f.y f.x f.level f.lag\"/>");
}

std::string At(const std::string& time, const std::string& path, const std::string& value) {
  return "<At time=\"" + time + "\" set=\"f." + path + "\" value=\"" + value + "\"/>";
}

class SwitcherOfMethod : public testing::TestWithParam<OdeMethod> {
 protected:
  std::string Method() const { return std::string(GetParam().name); }
};

TEST_P(SwitcherOfMethod, StatesOfEachLevelFollowTheirOwnEquations) {
  // u = 1, x(0) = 0: x = 1 - exp(-t) to t = 1; then z = x there and T x' = z - x, T z' = 1 - z:
  // z = 1 - a exp(-s), x = 1 - a (1 + s) exp(-s), a = exp(-1), s = t - 1; from t = 2 on x' = 1 - x again.
  TestSystem test(
      Follower(Method(), "level=\"Standard\"", At("1", "level", "Advanced") + At("2", "level", "Standard")));
  const auto rows = test.RunAndRecord();
  const double tolerance = GetParam().order == 1 ? 2e-3 : GetParam().order == 2 ? 1e-6 : 1e-7;
  for (const TestRow& row : rows) {
    const double s = row.t - 1;
    const double x2 = 1 - std::exp(-1) * 2 * std::exp(-1);
    const double exact = row.t <= 1   ? 1 - std::exp(-row.t)
                         : row.t <= 2 ? 1 - std::exp(-1) * (1 + s) * std::exp(-s)
                                      : 1 - (1 - x2) * std::exp(-(row.t - 2));
    EXPECT_NEAR(row.values[0], exact, tolerance) << row.t;
  }
  EXPECT_EQ(test.manager().statistics().level_switches, 2U);
}

TEST_P(SwitcherOfMethod, ASwitchTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  if (Method() == "ida" || Method() == "bulirsch_stoer") GTEST_SKIP() << "the method itself allocates";
  std::string commands;
  const std::vector<std::string> levels{"Advanced", "Ideal", "Standard", "Ideal", "Advanced", "Standard"};
  for (int i = 2; i < 29; ++i) commands += At(std::to_string(0.1 * i), "level", levels[i % levels.size()]);
  TestSystem test(Follower(Method(), "level=\"Standard\"", commands));
  test.manager().Initialize();
  test.manager().Step();
  const AllocationCounter counter;
  while (!test.manager().is_finished()) test.manager().Step();
  EXPECT_EQ(counter.count(), 0U);
  EXPECT_GE(test.manager().statistics().level_switches, 26U);
}

TEST_P(SwitcherOfMethod, SwitchedAtTheStartIsStartedThere) {
  TestSystem switched(Follower(Method(), "level=\"Ideal\"", At("0", "level", "Advanced")));
  TestSystem started(Follower(Method(), "level=\"Advanced\"", ""));
  EXPECT_TRUE(switched.RunAndRecord() == started.RunAndRecord());
}

TEST_P(SwitcherOfMethod, WhatHoldsAlreadyChangesNothing) {
  TestSystem asked(
      Follower(Method(), "level=\"Advanced\"", At("1.5", "level", "Advanced") + At("1.7", "lag", "Second")));
  TestSystem calm(Follower(Method(), "level=\"Advanced\"", ""));
  EXPECT_TRUE(asked.RunAndRecord() == calm.RunAndRecord());
  EXPECT_EQ(asked.manager().statistics().level_switches, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, SwitcherOfMethod, testing::ValuesIn(AllOdeMethods()), NameOf);

TEST(BehaviourSwitcherTest, OfSeveralRequestsTheLastWins) {
  TestSystem test(Follower("runge_kutta_dopri5", "level=\"Standard\"",
                           At("1", "level", "Ideal") + At("0.95", "level", "Advanced")));
  std::vector<std::string> lines;
  RunLog log(RunLog::Severity::kDetail,
             [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); });
  test.manager().set_run_log(&log);
  const auto rows = test.RunAndRecord();
  EXPECT_EQ(test.manager().statistics().level_switches, 1U);
  EXPECT_EQ(rows.back().values[2], 0);
  // Both are in the log, and what came of them.
  EXPECT_THAT(lines, testing::Contains(HasSubstr("set=\"f.level\" value=\"Advanced\"")));
  EXPECT_THAT(lines, testing::Contains(HasSubstr("set=\"f.level\" value=\"Ideal\"")));
  EXPECT_THAT(lines, testing::Contains(HasSubstr("/f: level Standard -> Ideal, lag First -> None; ")));
}

TEST(BehaviourSwitcherTest, ASwitchHasTwoRows) {
  TestSystem test(Follower("runge_kutta_dopri5", "level=\"Standard\"", At("1", "level", "Ideal")));
  const auto rows = test.RunAndRecord();
  ASSERT_EQ(rows.size(), 32U);
  EXPECT_EQ(rows[10].t, rows[11].t);
  EXPECT_NEAR(rows[10].values[0], 1 - std::exp(-1), kTolerance);
  EXPECT_EQ(rows[10].values[2], 1);
  EXPECT_EQ(rows[11].values[0], 1);  // the simpler model jumps, as it must
  EXPECT_EQ(rows[11].values[1], 1);  // x reads as what the simpler model implies
  EXPECT_EQ(rows[11].values[2], 0);
}

TEST(BehaviourSwitcherTest, AnAspectAloneModifiesTheLevel) {
  TestSystem test(Follower("runge_kutta_dopri5", "level=\"Standard\"",
                           At("1", "lag", "Second") + At("2", "level", "Standard")));
  test.manager().Initialize();
  test.manager().RunUntil(1.5);
  EXPECT_EQ(test.Read("f.level"), 1);
  EXPECT_EQ(test.Read("f.level_modified"), 1);
  EXPECT_EQ(test.Read("f.lag"), 2);
  EXPECT_EQ(test.manager().statistics().states, 2U);
  test.manager().RunUntil(2.5);
  EXPECT_EQ(test.Read("f.level_modified"), 0);
  EXPECT_EQ(test.Read("f.lag"), 1);
  EXPECT_EQ(test.manager().statistics().states, 1U);
}

TEST(BehaviourSwitcherTest, ARunRepeatsBitForBit) {
  TestSystem test(Follower("runge_kutta_dopri5", "level=\"Ideal\" lag=\"First\"",
                           At("1", "level", "Advanced") + At("2", "lag", "None")));
  const auto first = test.RunAndRecord();
  EXPECT_EQ(first[0].values[3], 1);
  EXPECT_TRUE(test.RunAndRecord() == first);
}

TEST(BehaviourSwitcherTest, WhatEndedStatesHeldIsCounted) {
  TestSystem test(Follower("runge_kutta_dopri5", "level=\"Advanced\"", At("1", "level", "Ideal")));
  std::vector<std::string> lines;
  RunLog log(RunLog::Severity::kInfo,
             [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); });
  test.manager().set_run_log(&log);
  test.Run();
  const double x = 1 - 2 * std::exp(-1);
  const double z = 1 - std::exp(-1);
  EXPECT_NEAR(test.manager().statistics().released_oil, x + z, 1e-8);
}

TEST(BehaviourSwitcherTest, ChatterIsReportedOnce) {
  std::string commands;
  for (int i = 1; i < 300; ++i) {
    commands += "<At time=\"" + std::to_string(0.005 * i) + "\" set=\"f.level\" value=\"" +
                (i % 2 == 0 ? "Ideal" : "Standard") + "\"/>";
  }
  TestSystem test(SystemText("TimeStep=\"0.005\" StopTime=\"2\"", "",
                             "<test.Follower name=\"f\" level=\"Ideal\"/>" + commands));
  std::vector<std::string> lines;
  RunLog log(RunLog::Severity::kWarning,
             [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); });
  test.manager().set_run_log(&log);
  test.Run();
  EXPECT_THAT(lines, ElementsAre(HasSubstr("more than 100 switches in a simulated second")));
}

TEST(BehaviourSwitcherTest, ReadersOfAStateThatEndsSeeWhatItsModelShows) {
  TestSystem test(SystemText("TimeStep=\"0.1\" StopTime=\"2\"", "rtol=\"1e-9\" atol=\"1e-9\"",
                             "<test.Follower name=\"f\" level=\"Standard\"/>"
                             "<signal.Gain name=\"g\" gain=\"2\"/><Route from=\"f.x\" to=\"g.u\"/>" +
                                 At("1", "level", "Ideal") + At("1.5", "level", "Advanced") +
                                 "<Record signals=\"g.y\"/>"));
  const auto rows = test.RunAndRecord();
  EXPECT_NEAR(rows[5].values[0], 2 * (1 - std::exp(-0.5)), 1e-8);
  EXPECT_EQ(rows[12].values[0], 2);
  EXPECT_NEAR(rows.back().values[0], 2, 1e-12);  // x and z begin at 1 and stay there
}

}  // namespace
}  // namespace davit
