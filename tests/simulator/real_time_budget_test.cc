#include "simulator/real_time_budget.h"

#include <gtest/gtest.h>

namespace davit {
namespace {

constexpr double kFs = 10;
constexpr double kBudget = 0.8;

/// Reports periods within the budget until an event comes; returns how many it took.
int PeriodsToRecover(RealTimeBudget& budget) {
  for (int i = 1; i <= 10'000; ++i) {
    const std::string_view event = budget.Report(kBudget, kBudget, kFs);
    if (event == "budget.recovered") return i;
    EXPECT_EQ(event, "");
  }
  return 0;
}

TEST(RealTimeBudgetTest, AnOverrunIsToldOnce) {
  RealTimeBudget budget;
  EXPECT_EQ(budget.Report(kBudget, kBudget, kFs), "") << "the budget itself is kept";
  EXPECT_EQ(budget.Report(0.81, kBudget, kFs), "budget.overrun");
  EXPECT_EQ(budget.Report(0.9, kBudget, kFs), "");
}

TEST(RealTimeBudgetTest, RecoveryTakesASecondAndTwiceAsLongAfterAnOverrunSoonAfter) {
  RealTimeBudget budget;
  int expected = static_cast<int>(kFs);
  for (int overrun = 0; overrun < 10; ++overrun) {
    ASSERT_EQ(budget.Report(1, kBudget, kFs), "budget.overrun");
    EXPECT_EQ(PeriodsToRecover(budget), expected) << overrun;
    expected = std::min(2 * expected, static_cast<int>(64 * kFs));
  }
}

TEST(RealTimeBudgetTest, ALongCalmBringsBackTheShortRecovery) {
  RealTimeBudget budget;
  budget.Report(1, kBudget, kFs);
  PeriodsToRecover(budget);
  for (int i = 0; i < 10 * static_cast<int>(kFs); ++i) budget.Report(0, kBudget, kFs);
  EXPECT_EQ(budget.Report(1, kBudget, kFs), "budget.overrun");
  EXPECT_EQ(PeriodsToRecover(budget), static_cast<int>(kFs));
}

}  // namespace
}  // namespace davit
