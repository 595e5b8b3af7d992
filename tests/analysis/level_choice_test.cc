#include "analysis/levels/level_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

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
