#include "simulator/real_time_watch.h"

#include <gtest/gtest.h>

#include <string>

#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using Finding = RealTimeWatch::Finding;

constexpr double kWatchFs = 100;
constexpr int kCalmPeriods = static_cast<int>(RealTimeWatch::kCalmTime * kWatchFs);

TEST(RealTimeWatch, PeriodsMissedNowAndThenMeanNothing) {
  RealTimeWatch watch;
  // Four in each second, however long.
  for (int i = 0; i < 100'000; ++i)
    ASSERT_NE(watch.Report(i % 25 == 0, kWatchFs), Finding::kFallsBehind) << i;
}

TEST(RealTimeWatch, FallsBehindWithTheFifthPeriodMissedInASecond) {
  RealTimeWatch watch;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(watch.Report(true, kWatchFs), Finding::kOpen) << i;
  for (int i = 0; i < 95; ++i) EXPECT_EQ(watch.Report(false, kWatchFs), Finding::kOpen) << i;
  EXPECT_EQ(watch.Report(true, kWatchFs), Finding::kFallsBehind)
      << "the first and this one are 99 periods apart";
  RealTimeWatch late;
  for (int i = 0; i < 4; ++i) late.Report(true, kWatchFs);
  for (int i = 0; i < 96; ++i) late.Report(false, kWatchFs);
  EXPECT_EQ(late.Report(true, kWatchFs), Finding::kOpen) << "a second";
}

TEST(RealTimeWatch, KeepsPaceWhereNoneWasMissedForTheCalmTime) {
  RealTimeWatch watch;
  EXPECT_EQ(watch.Report(false, kWatchFs), Finding::kKeepsPace);
  for (int i = 0; i < 5; ++i) watch.Report(true, kWatchFs);
  for (int i = 1; i < kCalmPeriods; ++i) ASSERT_EQ(watch.Report(false, kWatchFs), Finding::kOpen) << i;
  EXPECT_EQ(watch.Report(true, kWatchFs), Finding::kOpen) << "the calm begins again";
  for (int i = 1; i < kCalmPeriods; ++i) ASSERT_EQ(watch.Report(false, kWatchFs), Finding::kOpen) << i;
  EXPECT_EQ(watch.Report(false, kWatchFs), Finding::kKeepsPace);
}

TEST(RealTimeWatch, OfFewPeriodsASecondAllMustBeMissed) {
  RealTimeWatch slow;
  EXPECT_EQ(slow.Report(true, 0.5), Finding::kFallsBehind);
  RealTimeWatch three;
  EXPECT_EQ(three.Report(true, 3), Finding::kOpen);
  EXPECT_EQ(three.Report(true, 3), Finding::kOpen);
  EXPECT_EQ(three.Report(true, 3), Finding::kFallsBehind);
}

/// Whatever the machine does, the alarm changes at most twice in a calm time.
TEST(RealTimeWatch, TheAlarmDoesNotChatter) {
  SimulatorManager manager;
  int changes = 0;
  for (int i = 0; i < 100'000; ++i) {
    const bool before = manager.not_real_time().is_set();
    manager.ReportPeriod(i % 7 < 3 ? 1e-3 : -1e-3);
    changes += before != manager.not_real_time().is_set() ? 1 : 0;
  }
  EXPECT_TRUE(manager.not_real_time().is_set());
  EXPECT_EQ(changes, 1);
  for (int i = 0; i < kCalmPeriods; ++i) manager.ReportPeriod(-1e-3);
  EXPECT_FALSE(manager.not_real_time().is_set());
}

}  // namespace
}  // namespace davit
