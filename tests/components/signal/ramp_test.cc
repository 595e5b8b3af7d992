#include "components/signal/ramp.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(RampTest, GoesInAStraightLineBetweenItsTwoBreaks) {
  Block<Ramp> block;
  block.Set("start_time", 2).Set("duration", 8).Set("from", 10).Set("to", -6);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(BreakTimes(block, -10, 1e9), (std::vector<double>{2, 10}));
  EXPECT_EQ(block.At(-1), 10);
  EXPECT_EQ(block.At(2), 10);
  EXPECT_EQ(block.At(4), 6);
  EXPECT_EQ(block.At(6), 2);
  EXPECT_EQ(block.At(10), -6);
  EXPECT_EQ(block.At(1e9), -6);
}

TEST(RampTest, NeverLeavesItsEndsAndIsContinuousWithAwkwardNumbers) {
  for (int i = 1; i <= 200; ++i) {
    Block<Ramp> block;
    const double start = 0.1 * i;
    const double from = 0.7 / i;
    const double to = 1.1 + 0.3 * i;
    block.Set("start_time", start).Set("duration", 0.1).Set("from", from).Set("to", to);
    block.Start();
    const std::vector<double> breaks = BreakTimes(block, 0, 1e9);
    ASSERT_EQ(breaks.size(), 2U);
    EXPECT_EQ(block.At(breaks[0]), from);
    EXPECT_EQ(block.At(breaks[1]), to);
    EXPECT_LE(block.At(JustBefore(breaks[1])), to);
    EXPECT_NEAR(block.At(JustBefore(breaks[1])), to, 1e-9);
    EXPECT_GE(block.At(JustAfter(breaks[0])), from);
  }
}

TEST(RampTest, WithoutDurationIsAStep) {
  Block<Ramp> block;
  block.Set("start_time", 0.3).Set("duration", 0);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(BreakTimes(block, 0, 1e9), std::vector<double>{0.3});
  EXPECT_EQ(block.At(JustBefore(0.3)), 0);
  EXPECT_EQ(block.At(0.3), 1);
}

}  // namespace
}  // namespace davit
