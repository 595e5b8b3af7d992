#include "components/signal/step.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(StepTest, JumpsAtItsOnlyBreak) {
  Block<Step> block;
  block.Set("start_time", 0.3).Set("before", -1).Set("after", 4);
  EXPECT_TRUE(block.Start().empty());
  ASSERT_EQ(BreakTimes(block, -10, 1e9), std::vector<double>{0.3});
  EXPECT_EQ(block.At(-5), -1);
  EXPECT_EQ(block.At(JustBefore(0.3)), -1);
  EXPECT_EQ(block.At(0.3), 4);
  EXPECT_EQ(block.At(1e9), 4);
}

TEST(StepTest, AStepAtTheStartOfTheRunHasNoBreakInIt) {
  Block<Step> block;
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), 1);
  EXPECT_EQ(block.Next(0), kInf);
}

}  // namespace
}  // namespace davit
