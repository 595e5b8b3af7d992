#include "components/signal/sine.h"

#include <cmath>
#include <numbers>

#include "tests/components/signal/signal_harness.h"
#include "tests/support/special_values.h"

namespace davit {
namespace {

TEST(SineTest, PassesThroughZeroTopAndBottom) {
  Block<Sine> block;
  block.Set("amplitude", 3).Set("frequency", 2 * kPi).Set("offset", 10);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), 10);
  EXPECT_NEAR(block.At(0.25), 13, 1e-14);
  EXPECT_NEAR(block.At(0.5), 10, 1e-14);
  EXPECT_NEAR(block.At(0.75), 7, 1e-14);
}

TEST(SineTest, IsItsOffsetBeforeTheStartAndCountsItsPhaseFromTimeZero) {
  Block<Sine> delayed;
  Block<Sine> whole;
  for (Block<Sine>* block : {&delayed, &whole}) block->Set("frequency", 3).Set("phase", 0.4).Set("offset", 2);
  delayed.Set("start_time", 0.7);
  EXPECT_TRUE(delayed.Start().empty());
  EXPECT_EQ(BreakTimes(delayed, 0, 1e9), std::vector<double>{0.7});
  EXPECT_EQ(delayed.At(JustBefore(0.7)), 2);
  for (const double t : {0.7, 1.0, 5.5}) EXPECT_EQ(delayed.At(t), whole.At(t));
}

TEST(SineTest, PhaseOfAQuarterTurnIsACosine) {
  Block<Sine> block;
  block.Set("phase", kPi / 2);
  EXPECT_TRUE(block.Start().empty());
  for (const double t : {0.0, 0.5, 2.0}) EXPECT_NEAR(block.At(t), std::cos(t), 1e-15);
}

}  // namespace
}  // namespace davit
