#include "simulator/passes/time_step_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <set>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TimeStepPlan Plan(LoadedSystem& loaded) {
  Diagnostics diagnostics;
  TimeStepPlan plan = PlanTimeSteps(loaded.index(), LoadedSystem::kTimeStep, diagnostics);
  EXPECT_EQ(TextOf(diagnostics), "");
  return plan;
}

std::string PlanFaults(std::string_view content) {
  LoadedSystem loaded(content);
  Diagnostics diagnostics;
  PlanTimeSteps(loaded.index(), LoadedSystem::kTimeStep, diagnostics);
  return TextOf(diagnostics);
}

// Each TimeStep is its number of ticks, and no coarser grid would do.
RC_GTEST_PROP(PlanTimeStepsTest, TheGridIsTheCoarsestThatHasAll, ()) {
  const auto fractions =
      *rc::gen::container<std::vector<std::uint64_t>>(5, rc::gen::inRange<std::uint64_t>(1, 13));
  const auto multiples =
      *rc::gen::container<std::vector<std::uint64_t>>(5, rc::gen::inRange<std::uint64_t>(1, 13));
  std::string text;
  std::vector<double> expected;  // TimeStep over that of the manager
  for (std::size_t i = 0; i < 5; ++i) {
    expected.push_back(1.0 / static_cast<double>(fractions[i]));
    expected.push_back(static_cast<double>(multiples[i]));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    text +=
        fmt::format("<test.Body name='b{}' TimeStep='{:.17g}'/>", i, expected[i] * LoadedSystem::kTimeStep);
  }
  LoadedSystem loaded(text);
  const TimeStepPlan plan = Plan(loaded);
  std::uint64_t least = 1;
  for (const std::uint64_t fraction : fractions) least = std::lcm(least, fraction);
  RC_ASSERT(plan.manager_ticks == least);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double ticks = expected[i] * static_cast<double>(plan.manager_ticks);
    RC_ASSERT(plan.ticks[i] == static_cast<std::uint64_t>(std::llround(ticks)));
  }
  // Rates: that of the manager first, each once, all in use.
  const std::set<std::uint64_t> rates(plan.rates.begin(), plan.rates.end());
  std::set<std::uint64_t> used(plan.ticks.begin(), plan.ticks.end());
  used.insert(plan.manager_ticks);
  RC_ASSERT(plan.rates.front() == plan.manager_ticks);
  RC_ASSERT(plan.rates.size() == rates.size());
  RC_ASSERT(rates == used);
  for (std::uint32_t r = 0; r < plan.rates.size(); ++r) RC_ASSERT(plan.RateOf(plan.rates[r]) == r);
}

TEST(PlanTimeStepsTest, TheNearestTimeStepAboveIsTaken) {
  const std::string inside =
      WriteSubsystem("time_steps", "<test.Body name='inherits'/><test.Body name='own' TimeStep='2 ms'/>");
  LoadedSystem loaded("<Subsystem name='slow' TimeStep='4 ms' src='" + inside +
                      "'/><test.Body name='outside'/>");
  EXPECT_THAT(Plan(loaded).ticks, ElementsAre(4, 2, 1));
}

TEST(PlanTimeStepsTest, ALineTakesTheLongestStepThatDividesThoseOfItsNeighbours) {
  LoadedSystem loaded(
      "<hydraulic.PressureSource name='s'/><hydraulic.Orifice name='a' TimeStep='6 ms'/>"
      "<hydraulic.Line name='line' length='100 m'/><hydraulic.Orifice name='b' TimeStep='4 ms'/>"
      "<hydraulic.Tank name='t'/><Connect from='s.port' to='a.a'/><Connect from='a.b' to='line.a'/>"
      "<Connect from='line.b' to='b.a'/><Connect from='b.b' to='t.port'/>");
  const TimeStepPlan plan = Plan(loaded);
  EXPECT_EQ(plan.ticks[loaded["line"]], 2U);
  ASSERT_EQ(plan.partner_steps.size(), 2U);
  EXPECT_EQ(plan.partner_steps[0].steps, 3U);  // a takes one step in three of the line
  EXPECT_EQ(plan.partner_steps[1].steps, 2U);
  EXPECT_EQ(plan.partner_steps[0].line, &loaded.index().component(loaded["line"]));
  EXPECT_NE(plan.partner_steps[0].port, plan.partner_steps[1].port);
}

TEST(PlanTimeStepsTest, RefusesStepsOutsideOfEveryGrid) {
  EXPECT_THAT(
      PlanFaults("<test.Body name='b' TimeStep='0.3 ms'/>"),
      HasSubstr("/b: its TimeStep of 0.0003 s is not an integer multiple or submultiple of the 0.001 s of "
                "SimulatorManager; take for example 0.000333333333 s"));
  EXPECT_THAT(PlanFaults("<test.Body name='a' TimeStep='1.0309278350515464e-5'/>"   // 1/97
                         "<test.Body name='b' TimeStep='9.9009900990099e-6'/>"      // 1/101
                         "<test.Body name='c' TimeStep='9.708737864077669e-6'/>"),  // 1/103: lcm over 1e6
              HasSubstr("/c: its TimeStep of 9.70873786e-06 s has no common grid with those of others"));
}

TEST(PlanTimeStepsTest, OtherWaveComponentsNeedNeighboursWithTheirStep) {
  EXPECT_THAT(PlanFaults("<hydraulic.VolumeC name='v'/><hydraulic.Orifice name='o' TimeStep='2 ms'/>"
                         "<hydraulic.Tank name='t'/><Connect from='v.port' to='o.a'/>"
                         "<Connect from='o.b' to='t.port'/>"),
              HasSubstr("/o: has another TimeStep than /v at its port o.a; only lines"));
}

}  // namespace
}  // namespace davit
