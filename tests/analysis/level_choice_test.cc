#include "analysis/levels/level_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "analysis/levels/level_limits.h"
#include "analysis/levels/level_result.h"
#include "analysis/study/measure_set.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

constexpr std::size_t kGroups = 3, kSixWindows = 6, kRungs = 3, kRowsOfWindow = 4;
constexpr std::size_t kRows = kSixWindows * kRowsOfWindow;
/// Of sums of some hundred numbers of size 1.
constexpr double kRounding = 1e-11;

/// A curve with a tolerance of 1, and effects on it that are random numbers.
class LevelChoiceTest : public testing::Test {
 protected:
  LevelChoiceTest()
      : system_(R"(<System name="s"><signal.Constant name="x" value="1"/></System>)"),
        set_(system_.simulation(), definitions_, diagnostics_),
        metrics_({{.name = "x", .text = "x.y", .is_curve = true, .given = 1}}, set_, CurveNorm::kRms) {
    ChannelRows rows;
    for (std::size_t i = 0; i < kRows; ++i) {
      rows.time.push_back(static_cast<double>(i + 1));
      rows.values.push_back(0);
    }
    metrics_.SetReference(rows, diagnostics_);
    EXPECT_FALSE(diagnostics_.has_errors());
  }

  double Number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  LevelSchedule Schedule() {
    LevelSchedule schedule(kGroups, std::vector<std::size_t>(kSixWindows));
    for (auto& row : schedule) {
      for (std::size_t& rung : row) rung = std::uniform_int_distribution<std::size_t>(0, kRungs - 1)(random_);
    }
    return schedule;
  }
  LevelBase Base(LevelSchedule schedule, double size) {
    LevelBase base{.schedule = std::move(schedule),
                   .deviation = std::vector<double>(kRows),
                   .costs = std::vector<double>(kSixWindows, 1000),
                   .switch_cost = Number(0, 20)};
    for (std::size_t w = 0; w < kSixWindows; ++w) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        for (std::size_t rung = 0; rung < kRungs; ++rung) {
          if (rung == base.schedule[g][w]) continue;
          LevelEffect effect{.group = g,
                             .window = w,
                             .rung = rung,
                             .saving = Number(-100, 300),
                             .first_row = w * kRowsOfWindow};
          for (std::size_t i = 0; i < kRowsOfWindow; ++i) effect.deviation.push_back(Number(-size, size));
          LevelSum alone(metrics_, std::vector<double>(kRows));
          alone.Add(effect, 1);
          effect.errors = metrics_.ErrorsOf(alone.deviation());
          base.effects.push_back(effect);
        }
      }
    }
    return base;
  }
  double ShareOf(const ChosenLevels& levels) const {
    return metrics_.ShareOf(metrics_.ErrorsOf(levels.deviation));
  }

  std::mt19937 random_{1};
  std::vector<MeasureDefinition> definitions_{{"x", "final(x.y)", {}}};
  SystemHarness system_;
  Diagnostics diagnostics_;
  MeasureSet set_;
  LevelMetrics metrics_;
};

// Law: effects around other levels predict the same differences between schedules.
TEST_F(LevelChoiceTest, RebasedEffectsPredictTheSameDifferences) {
  for (int i = 0; i < 30; ++i) {
    const LevelBase base = Base(Schedule(), 1);
    const LevelSchedule top = Schedule();
    const LevelBase other = Rebase(metrics_, base, top, std::vector<double>(kSixWindows, 2000));
    const ChosenLevels origin = PredictLevels(metrics_, base, top);
    const LevelSchedule schedule = Schedule();
    const ChosenLevels before = PredictLevels(metrics_, base, schedule),
                       after = PredictLevels(metrics_, other, schedule);
    EXPECT_NEAR(before.saving - origin.saving, after.saving, 1e3 * kRounding);
    for (std::size_t k = 0; k < kRows; ++k)
      EXPECT_NEAR(before.deviation[k] - origin.deviation[k], after.deviation[k], kRounding);
  }
}

// Law: where nothing makes an error, groups together save what the run with low levels costs less.
TEST_F(LevelChoiceTest, WindowsWithoutEffectsSaveAsAWhole) {
  const LevelSchedule low(kGroups, std::vector<std::size_t>(kSixWindows, 0)),
      top(kGroups, std::vector<std::size_t>(kSixWindows, kRungs - 1));
  const LevelBase base{.schedule = low,
                       .deviation = std::vector<double>(kRows),
                       .costs = std::vector<double>(kSixWindows, 100)};
  const LevelBase other = Rebase(metrics_, base, top, std::vector<double>(kSixWindows, 1000));
  const ChosenLevels choice = ChooseLevels(metrics_, other, kLevelSafety, false);
  EXPECT_EQ(choice.schedule, low);
  EXPECT_NEAR(choice.saving, 900.0 * kSixWindows, 1e3 * kRounding);
}

// Law: what is chosen is within the tolerance by prediction where the base is, and no change of one window,
// or of one group in all windows, saves more and is within it, too.
TEST_F(LevelChoiceTest, NoSingleChangeOfAChoiceIsBetter) {
  for (int i = 0; i < 30; ++i) {
    const LevelBase base = Base(Schedule(), 0.5);
    const ChosenLevels choice = ChooseLevels(metrics_, base, kLevelSafety, false);
    EXPECT_LE(ShareOf(choice), kLevelSafety);
    EXPECT_NEAR(PredictLevels(metrics_, base, choice.schedule).saving, choice.saving, 1e3 * kRounding);
    const double least = choice.saving + 1;  // moves that save less are not worth another one
    for (std::size_t g = 0; g < kGroups; ++g) {
      for (std::size_t rung = 0; rung < kRungs; ++rung) {
        for (std::size_t w = 0; w <= kSixWindows; ++w) {
          LevelSchedule schedule = choice.schedule;
          if (w < kSixWindows) {
            schedule[g][w] = rung;
          } else {
            std::ranges::fill(schedule[g], rung);
          }
          const ChosenLevels changed = PredictLevels(metrics_, base, schedule);
          EXPECT_FALSE(changed.saving > least && ShareOf(changed) <= kLevelSafety)
              << g << ' ' << w << ' ' << rung;
        }
      }
    }
  }
}

// Law: a level that a component does not run with is not chosen, whatever it would save, neither for a window
// nor for good.
TEST_F(LevelChoiceTest, WhatDoesNotRunIsNotChosen) {
  const std::vector<std::size_t> rungs(kGroups, kRungs);
  LevelBase base = Base(LevelSchedule(kGroups, std::vector<std::size_t>(kSixWindows, kRungs - 1)), 0);
  for (LevelEffect& effect : base.effects) {
    effect.saving = 300;
    effect.is_usable = effect.group != 1 || effect.window != 2;
  }
  const ChosenLevels choice = ChooseLevels(metrics_, base, kLevelSafety, false);
  const ChosenLevels fixed = ChooseFixedLevels(metrics_, base, rungs, kLevelSafety);
  for (std::size_t g = 0; g < kGroups; ++g) {
    for (std::size_t w = 0; w < kSixWindows; ++w) {
      EXPECT_EQ(choice.schedule[g][w] == kRungs - 1, g == 1 && w == 2) << g << ' ' << w;
      EXPECT_EQ(fixed.schedule[g][w] == kRungs - 1, g == 1) << g << ' ' << w;
    }
  }
}

// Law: a careful choice changes one group in a window, so that no effects meet that were seen alone.
TEST_F(LevelChoiceTest, ACarefulChoiceChangesOneGroupInAWindow) {
  std::size_t changes = 0;
  for (int i = 0; i < 30; ++i) {
    const LevelBase base = Base(Schedule(), 0.1);
    const ChosenLevels choice = ChooseLevels(metrics_, base, kLevelSafety, true);
    for (std::size_t w = 0; w < kSixWindows; ++w) {
      std::size_t changed = 0;
      for (std::size_t g = 0; g < kGroups; ++g)
        changed += choice.schedule[g][w] != base.schedule[g][w] ? 1 : 0;
      EXPECT_LE(changed, 1U) << w;
      changes += changed;
    }
  }
  EXPECT_GT(changes, 0U);
}

// Law: the errors of a curve are the mean square and the largest deviation; the share is that of the metric
// that is nearest to its tolerance.
TEST_F(LevelChoiceTest, ErrorsAreNormsOfTheDeviation) {
  std::vector<double> deviation(kRows);
  for (double& value : deviation) value = Number(-1, 1);
  double square = 0, largest = 0;
  for (const double value : deviation) {
    square += value * value / static_cast<double>(kRows);
    largest = std::max(largest, std::abs(value));
  }
  EXPECT_NEAR(metrics_.ErrorsOf(deviation).front(), std::sqrt(square), kRounding);
  LevelMetrics by_largest({metrics_.all().begin(), metrics_.all().end()}, set_, CurveNorm::kMax);
  by_largest.SetReference(metrics_.reference(), diagnostics_);
  EXPECT_EQ(by_largest.ErrorsOf(deviation).front(), largest);
  const std::vector<LevelMetric> two{{.tolerance = 2}, {.tolerance = 5}};
  EXPECT_EQ(davit::ShareOf(two, std::vector<double>{1, 1}), 0.5);
  EXPECT_EQ(davit::ShareOf(two, std::vector<double>{1, 5}), 1);
}

// Law: a deviation that stays arises in one window, where it begins; the parts of all windows are the whole;
// where a value comes from is not known.
TEST_F(LevelChoiceTest, ADeviationArisesWhereItBegins) {
  std::vector<std::size_t> rows_end;
  rows_end.reserve(kSixWindows);
  for (std::size_t w = 1; w <= kSixWindows; ++w) rows_end.push_back(w * kRowsOfWindow);
  for (std::size_t first = 0; first < kRows; ++first) {
    std::vector<double> deviation(kRows);
    std::fill(deviation.begin() + static_cast<std::ptrdiff_t>(first), deviation.end(), -0.3);
    const std::vector<double> parts = metrics_.PartsOf(deviation, rows_end);
    ASSERT_EQ(parts.size(), kSixWindows);
    for (std::size_t w = 0; w < kSixWindows; ++w) EXPECT_EQ(parts[w], w == first / kRowsOfWindow ? 1 : 0);
  }
  std::vector<double> deviation(kRows);
  for (double& value : deviation) value = Number(-1, 1);
  double whole = 0;
  for (const double part : metrics_.PartsOf(deviation, rows_end)) whole += part;
  EXPECT_NEAR(whole, 1, kRounding);
  EXPECT_THAT(metrics_.PartsOf(std::vector<double>(kRows), rows_end), testing::Each(0));
  LevelMetrics value({{.name = "x", .text = "final(x.y)", .given = 1}}, set_, CurveNorm::kRms);
  value.SetReference(metrics_.reference(), diagnostics_);
  EXPECT_TRUE(value.PartsOf(deviation, rows_end).empty());
}

// Law: if errors are in proportion to the aim, a schedule beyond the tolerances is followed by one that keeps
// kLevelSafety of them; in any case the aim shrinks by a fifth.
TEST_F(LevelChoiceTest, TheAimShrinksAfterAScheduleBeyondTheTolerances) {
  for (const double aim : {0.95, 0.8, 0.1}) {
    for (const double share : {0.0, 1.0, 1.01, 1.5, 20.0}) {
      const double next = SmallerAim(aim, share);
      EXPECT_GT(next, 0);
      EXPECT_LE(next, 0.8 * aim * (1 + kRounding));
      EXPECT_LE(next / aim * share, kLevelSafety * (1 + kRounding));
    }
  }
}

// Law: limits of indicators make a schedule that is predicted within the tolerance, and none of them lies on
// an indicator that was seen.
TEST_F(LevelChoiceTest, ChosenLimitsKeepTheTolerance) {
  std::size_t lowered = 0;
  for (int i = 0; i < 20; ++i) {
    const LevelBase base = Base(LevelSchedule(kGroups, std::vector<std::size_t>(kSixWindows, kRungs - 1)), 1);
    LevelIndicators indicators(kSixWindows, {{0, 0}, {0, 0}, {0, 0}});
    for (auto& window : indicators) {
      for (auto& group : window) {
        for (double& rung : group) rung = Number(0, 1);
      }
    }
    const LevelLimits limits = ChooseLimits(metrics_, base, indicators, kLevelSafety);
    const ChosenLevels predicted = PredictLevels(metrics_, base, ScheduleOf(limits, indicators));
    EXPECT_LE(ShareOf(predicted), kLevelSafety);
    EXPECT_GE(predicted.saving, 0);
    lowered += predicted.schedule != base.schedule ? 1 : 0;
    for (std::size_t g = 0; g < kGroups; ++g) {
      for (std::size_t rung = 0; rung + 1 < kRungs; ++rung) {
        for (const auto& window : indicators) EXPECT_NE(window[g][rung], limits[g][rung]);
      }
    }
  }
  EXPECT_GT(lowered, 0U);
}

// Law: no higher limit of one rung saves more within the tolerance, except what is not worth another one.
TEST_F(LevelChoiceTest, NoHigherLimitIsBetter) {
  std::size_t several = 0;
  for (int i = 0; i < 20; ++i) {
    const LevelBase base =
        Base(LevelSchedule(kGroups, std::vector<std::size_t>(kSixWindows, kRungs - 1)), 0.3);
    LevelIndicators indicators(kSixWindows, {{0, 0}, {0, 0}, {0, 0}});
    for (auto& window : indicators) {
      for (auto& group : window) {
        for (double& rung : group) rung = Number(0, 1);
      }
    }
    const LevelLimits limits = ChooseLimits(metrics_, base, indicators, kLevelSafety);
    const double least = PredictLevels(metrics_, base, ScheduleOf(limits, indicators)).saving +
                         1e-3 * 1000 * kSixWindows + 1e3 * kRounding;
    std::size_t raised = 0;
    for (std::size_t g = 0; g < kGroups; ++g) {
      for (std::size_t rung = 0; rung + 1 < kRungs; ++rung) {
        raised += limits[g][rung] != kNoLimit ? 1 : 0;
        for (const auto& window : indicators) {
          if (window[g][rung] <= limits[g][rung]) continue;
          LevelLimits higher = limits;
          higher[g][rung] = window[g][rung];
          const ChosenLevels predicted = PredictLevels(metrics_, base, ScheduleOf(higher, indicators));
          EXPECT_FALSE(predicted.saving > least && ShareOf(predicted) <= kLevelSafety) << g << ' ' << rung;
        }
      }
    }
    several += raised > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 0U);
}

// Law: what keeps the tolerances is better than what does not, whatever it costs; among those that keep them,
// what costs less is, and among others what is nearer to them.
TEST_F(LevelChoiceTest, WhatKeepsTheTolerancesIsBetter) {
  const auto point = [](double share, std::uint64_t evaluations) {
    return LevelPoint{.share = share, .cost = {.evaluations = evaluations}};
  };
  EXPECT_TRUE(IsBetter(point(0.9, 1000), point(1.1, 10)));
  EXPECT_TRUE(IsBetter(point(0.9, 10), point(0.1, 1000)));
  EXPECT_TRUE(IsBetter(point(1.1, 1000), point(2, 10)));
  EXPECT_FALSE(IsBetter(point(2, 10), point(0.9, 1000)));
}

// Law: a deviation at the end of a window stays.
TEST_F(LevelChoiceTest, WhatIsLeftOfAnEffectStays) {
  LevelSum sum(metrics_, std::vector<double>(kRows));
  sum.Add({.first_row = 5, .deviation = {1, 2, 3}}, 2);
  for (std::size_t i = 0; i < kRows; ++i)
    EXPECT_EQ(sum.deviation()[i], i < 5 ? 0 : 2.0 * static_cast<double>(std::min<std::size_t>(i - 4, 3)))
        << i;
}

// Law: the same of levels that never change.
TEST_F(LevelChoiceTest, NoOtherLevelOfOneGroupIsBetterThanTheFixedOnes) {
  const std::vector<std::size_t> rungs(kGroups, kRungs);
  for (int i = 0; i < 30; ++i) {
    const LevelBase base =
        Base(LevelSchedule(kGroups, std::vector<std::size_t>(kSixWindows, kRungs - 1)), 0.3);
    const ChosenLevels choice = ChooseFixedLevels(metrics_, base, rungs, kLevelSafety);
    const auto predicted = PredictLevels(metrics_, base, choice.schedule);
    EXPECT_LE(ShareOf(predicted), kLevelSafety);
    for (std::size_t g = 0; g < kGroups; ++g) {
      for (std::size_t rung = 0; rung < kRungs; ++rung) {
        LevelSchedule schedule = choice.schedule;
        std::ranges::fill(schedule[g], rung);
        const ChosenLevels changed = PredictLevels(metrics_, base, schedule);
        EXPECT_FALSE(changed.saving > predicted.saving + 1 && ShareOf(changed) <= kLevelSafety);
      }
    }
  }
}

}  // namespace
}  // namespace davit
