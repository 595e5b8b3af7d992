#include "analysis/levels/level_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "analysis/levels/level_text.h"
#include "framework/level.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kWindows = 30;

/// Two groups with two rungs below the highest.
LevelIndicators RandomIndicators(std::mt19937& random) {
  std::uniform_real_distribution<double> value(0, 1);
  LevelIndicators indicators(kWindows, {{0, 0}, {0, 0}});
  for (auto& window : indicators) {
    for (auto& group : window) {
      for (double& rung : group) rung = value(random);
    }
  }
  return indicators;
}

LevelGroup GroupOf(const std::string& name) {
  LevelGroup group{.name = name, .components = {name}, .rungs = {"Ideal", "Standard", "Advanced"}};
  group.levels = {{Level::kIdeal}, {Level::kStandard}, {Level::kAdvanced}};
  group.indicators = {{name + ".indicator.Ideal"}, {name + ".indicator.Standard"}};
  return group;
}

// Law: a group has the lowest rung whose indicator is within its limit, else the highest.
TEST(LevelLimitsTest, TheLowestRungThatWillDoIsTaken) {
  const LevelIndicators indicators{{{0.3, 0.1}}, {{0.1, 0.3}}, {{0.3, 0.3}}, {{0.1, 0.1}}};
  EXPECT_EQ(ScheduleOf({{0.2, 0.2}}, indicators), (LevelSchedule{{1, 0, 2, 0}}));
  EXPECT_EQ(ScheduleOf({{kNoLimit, 0.2}}, indicators), (LevelSchedule{{1, 2, 2, 1}}));
  EXPECT_EQ(ScheduleOf({{kNoLimit, kNoLimit}}, indicators), (LevelSchedule{{2, 2, 2, 2}}));
  // A chart leaves a rung beyond its limit, not at it.
  EXPECT_EQ(ScheduleOf({{0.1, 0.3}}, indicators), (LevelSchedule{{1, 0, 1, 0}}));
}

// Law: a higher limit raises no rung.
TEST(LevelLimitsTest, HigherLimitsRaiseNoRung) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> value(0, 1);
  for (int i = 0; i < 100; ++i) {
    const LevelIndicators indicators = RandomIndicators(random);
    const LevelLimits low{{value(random), value(random)}, {value(random), kNoLimit}};
    LevelLimits high = low;
    high[0][1] += value(random);
    high[1][1] = value(random);
    const LevelSchedule before = ScheduleOf(low, indicators), after = ScheduleOf(high, indicators);
    for (std::size_t g = 0; g < 2; ++g) {
      for (std::size_t w = 0; w < kWindows; ++w) EXPECT_LE(after[g][w], before[g][w]);
    }
  }
}

// Law: limits around levels that never change keep these levels in the run that they are of.
TEST(LevelLimitsTest, LimitsAroundConstantLevelsKeepThem) {
  std::mt19937 random(2);
  const LevelIndicators indicators = RandomIndicators(random);
  for (std::size_t first = 0; first <= 2; ++first) {
    for (std::size_t second = 0; second <= 2; ++second) {
      const LevelSchedule expected{std::vector<std::size_t>(kWindows, first),
                                   std::vector<std::size_t>(kWindows, second)};
      EXPECT_EQ(ScheduleOf(LimitsAround({first, second}, indicators), indicators), expected);
    }
  }
}

// Law: a chart has a state for each rung that may be taken, leaves it at the limit, and enters it below that.
TEST(LevelChartTextTest, ARegionHasTheRungsThatMayBeTaken) {
  const std::vector<LevelGroup> groups{GroupOf("pump")};
  const LevelChartTimes times{.hold = 0.5, .dwell = 0.25};
  const std::vector<std::size_t> first{2};
  EXPECT_THAT(LevelChartText(groups, {{kNoLimit, 0.5}}, first, times, "a comment"),
              AllOf(HasSubstr("davit:dwell=\"0.25s\""), HasSubstr("initial=\"pump.Advanced\""),
                    HasSubstr("cond=\"pump.indicator.Standard gt 0.5\" target=\"pump.Advanced\""),
                    HasSubstr("davit:holds=\"0.5s\" cond=\"pump.indicator.Standard le 0.4\" "
                              "target=\"pump.Standard\""),
                    Not(HasSubstr("pump.Ideal"))));
}

// Law: what no indicator watches never changes.
TEST(LevelChartTextTest, ARungThatNothingWatchesIsKept) {
  LevelGroup group = GroupOf("pump");
  group.indicators = {{}, {}};
  const std::vector<LevelGroup> groups{group};
  const std::vector<std::size_t> first{0};
  EXPECT_THAT(LevelChartText(groups, {{0.1, 0.1}}, first, {.hold = 1, .dwell = 1}, "a comment"),
              AllOf(HasSubstr("initial=\"pump.Ideal\""), Not(HasSubstr("<transition"))));
}

// Law: groups have states of their own, whatever their names are.
TEST(LevelChartTextTest, NamesOfGroupsBecomeDifferentStates) {
  const std::vector<LevelGroup> groups{GroupOf("boom_*"), GroupOf("boom_?")};
  const std::vector<std::size_t> first{2, 2};
  const LevelLimits limits{{kNoLimit, kNoLimit}, {kNoLimit, kNoLimit}};
  EXPECT_THAT(LevelChartText(groups, limits, first, {.hold = 1, .dwell = 1}, "a comment"),
              AllOf(HasSubstr("<state id=\"boom__\" "), HasSubstr("<state id=\"boom___\" ")));
}

// Law: the lines of a schedule, applied to the highest levels, give those of each window, and none is
// superfluous.
TEST(ScheduleTextTest, ItsLinesLeadFromOneWindowToTheNext) {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::size_t> rung(0, 2);
  std::vector<LevelGroup> groups{GroupOf("pump"), GroupOf("boom_*")};
  groups[1].components = {"boom_a", "boom_b"};
  groups[1].levels = {{Level::kIdeal, Level::kIdeal},
                      {Level::kIdeal, Level::kStandard},  // the first has no Standard
                      {Level::kAdvanced, Level::kAdvanced}};
  const std::vector<double> starts{0.5, 1.0 / 3 + 1, 2.1, 7};
  for (int i = 0; i < 50; ++i) {
    LevelSchedule schedule(groups.size(), std::vector<std::size_t>(starts.size()));
    for (std::vector<std::size_t>& row : schedule) {
      for (std::size_t& one : row) one = rung(random);
    }
    const std::string text = ScheduleText(groups, schedule, starts, "a comment");
    std::map<std::string, std::string> levels{
        {"pump", "Advanced"}, {"boom_a", "Advanced"}, {"boom_b", "Advanced"}};
    const std::regex line(R"re(<At time="([^ ]*) s" set="(\w+)\.level" value="(\w+)"/>)re");
    std::sregex_iterator at(text.begin(), text.end(), line);
    for (std::size_t w = 0; w < starts.size(); ++w) {
      for (; at != std::sregex_iterator() && std::stod((*at)[1]) == starts[w]; ++at) {
        EXPECT_NE(levels.at((*at)[2]), (*at)[3]) << text;
        levels.at((*at)[2]) = (*at)[3];
      }
      for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t k = 0; k < groups[g].components.size(); ++k)
          EXPECT_EQ(levels.at(groups[g].components[k]), ToText(groups[g].levels[schedule[g][w]][k])) << text;
      }
    }
    EXPECT_TRUE(at == std::sregex_iterator()) << text;
  }
}

}  // namespace
}  // namespace davit
