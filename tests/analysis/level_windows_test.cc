#include "analysis/levels/level_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace davit {
namespace {

constexpr std::size_t kParts = 60;
constexpr double kPartLength = 0.5, kRunBegin = 3;

/// A run of windows with any costs, phases and indicators.
LevelRun AnyRun(std::mt19937& random) {
  const auto number = [&](std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(0, most)(random);
  };
  LevelRun run{.begin = kRunBegin};
  for (std::size_t w = 0; w < kParts; ++w) {
    run.ends.push_back(kRunBegin + kPartLength * static_cast<double>(w + 1));
    run.phase_ends.push_back(number(5) == 0);
    run.rows_end.push_back(4 * (w + 1));
    run.costs.push_back({.evaluations = number(9) == 0 ? number(3000) : number(100), .steps = number(9)});
    run.snapshots.push_back(std::to_string(w));
    run.indicators.push_back({{static_cast<double>(number(9))}});
  }
  run.rows.values.resize(4 * kParts);
  return run;
}

/// Where a window of `run` ends that ends at `end`.
std::size_t PartOf(const LevelRun& run, double end) {
  return static_cast<std::size_t>(std::ranges::find(run.ends, end) - run.ends.begin());
}

// Law: a joined window is its parts: it begins with the snapshot of the first one, ends where the last one
// does, costs what all cost and has the largest indicator. A window of several parts keeps all limits, and
// none could have the next part, too.
TEST(LevelWindowsTest, WindowsAreJoinedAsFarAsTheLimitsAllow) {
  std::mt19937 random(1);
  std::size_t by_length = 0, by_cost = 0, by_phase = 0;
  for (int i = 0; i < 50; ++i) {
    const LevelRun run = AnyRun(random);
    const WindowPlan plan{.longest = 2, .shortest = 1, .largest_share = 0.05};
    const LevelRun joined = JoinWindows(run, plan);
    const double most = plan.largest_share * static_cast<double>(run.cost().evaluations);
    EXPECT_EQ(joined.ends.back(), run.ends.back());
    EXPECT_EQ(joined.rows.values, run.rows.values);
    std::size_t first = 0;
    for (std::size_t w = 0; w < joined.ends.size(); ++w) {
      const std::size_t last = PartOf(run, joined.ends[w]);
      ASSERT_LT(last, kParts);
      LevelCost cost;
      double largest = 0;
      bool has_phase = false;
      for (std::size_t part = first; part <= last; ++part) {
        cost += run.costs[part];
        largest = std::max(largest, run.indicators[part][0][0]);
        has_phase = has_phase || run.phase_ends[part];
      }
      EXPECT_EQ(joined.snapshots[w], run.snapshots[first]);
      EXPECT_EQ(joined.rows_end[w], run.rows_end[last]);
      EXPECT_EQ(joined.costs[w].evaluations, cost.evaluations);
      EXPECT_EQ(joined.costs[w].steps, cost.steps);
      EXPECT_EQ(joined.indicators[w][0][0], largest);
      const double length = kPartLength * static_cast<double>(last - first + 1);
      if (last > first) {
        EXPECT_LE(length, plan.longest);
        EXPECT_LE(static_cast<double>(cost.evaluations), most);
      }
      if (last + 1 < kParts) {
        const bool is_long = length + kPartLength > plan.longest;
        const bool is_dear = static_cast<double>(cost.evaluations + run.costs[last + 1].evaluations) > most;
        const bool is_phase = has_phase && length >= plan.shortest;
        EXPECT_TRUE(is_long || is_dear || is_phase) << w;
        by_length += is_long && !is_dear && !is_phase ? 1 : 0;
        by_cost += is_dear && !is_long && !is_phase ? 1 : 0;
        by_phase += is_phase && !is_long && !is_dear ? 1 : 0;
      }
      first = last + 1;
    }
  }
  EXPECT_GT(std::min({by_length, by_cost, by_phase}), 0U);
}

}  // namespace
}  // namespace davit
