#include "server/history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "server/value_ring.h"
#include "tests/server/live_system.h"

namespace davit {
namespace {

constexpr double kAll = std::numeric_limits<double>::max();

TEST(History, PeaksStayWhateverTheLengthOfTheRunAndTheMemoryIsFixed) {
  LiveSystem live;
  LiveRun& run = live.run();
  live.Do([&] {
    ASSERT_TRUE(run.writable_history().Watch("time", ValueSource(run.simulation().manager()), 0));
    EXPECT_EQ(run.Start("test"), "");
  });
  ASSERT_TRUE(live.PollUntil([&] { return run.status() == LiveStatus::kFinished; }));
  std::vector<History::Bin> bins;
  ASSERT_TRUE(run.history().Read("time", 0, kAll, History::kMostBins, bins));
  EXPECT_LE(bins.size(), History::kMostBins);
  ASSERT_GT(bins.size(), History::kMostBins / 4);
  for (std::size_t i = 0; i < bins.size(); ++i) {
    EXPECT_EQ(bins[i].t, bins[i].last);
    EXPECT_EQ(bins[i].max, bins[i].last);
    // Bins touch each other: none of the 10,000 step points is missing.
    if (i > 0) {
      EXPECT_NEAR(bins[i].min - bins[i - 1].max, 0.01, 1e-9);
    }
  }
  EXPECT_NEAR(bins.back().t, 100, 1e-9);
  std::vector<History::Bin> few;
  ASSERT_TRUE(run.history().Read("time", 10, 20, 3, few));
  ASSERT_LE(few.size(), 3u);
  EXPECT_GE(few.front().t, 10);
  EXPECT_LE(few.back().t, 20);
  EXPECT_FALSE(run.history().Read("nothing", 0, kAll, 10, few));
}

TEST(ValueRing, AFullRingDropsTheNewRowAndCountsIt) {
  ValueRing ring(2, 3);
  const auto push = [&](double value) {
    bool has_room = false;
    const std::span<double> row = ring.Next(has_room);
    if (!has_room) return false;
    row[0] = row[1] = value;
    ring.Push(0, value);
    return true;
  };
  for (int round = 0; round < 5; ++round) {
    EXPECT_TRUE(push(1));
    EXPECT_TRUE(push(2));
    EXPECT_TRUE(push(3));
    EXPECT_FALSE(push(4));
    for (const double expected : {1.0, 2.0, 3.0}) {
      ASSERT_FALSE(ring.is_empty());
      EXPECT_EQ(ring.Front().t, expected);
      EXPECT_EQ(ring.Front().values[1], expected);
      ring.Pop();
    }
    EXPECT_TRUE(ring.is_empty());
  }
  EXPECT_EQ(ring.dropped(), 5u);
}

TEST(ValueRing, RowsArriveInOrderFromAnotherThread) {
  ValueRing ring(1, 16);
  std::thread writer([&] {
    for (int i = 0; i < 20'000;) {
      bool has_room = false;
      const std::span<double> row = ring.Next(has_room);
      if (!has_room) {
        std::this_thread::yield();
        continue;
      }
      row[0] = i;
      ring.Push(static_cast<std::uint64_t>(i), i);
      ++i;
    }
  });
  for (int i = 0; i < 20'000; ++i) {
    while (ring.is_empty()) std::this_thread::yield();
    ASSERT_EQ(ring.Front().t, i);
    ASSERT_EQ(ring.Front().values[0], i);
    ring.Pop();
  }
  writer.join();
}

}  // namespace
}  // namespace davit
