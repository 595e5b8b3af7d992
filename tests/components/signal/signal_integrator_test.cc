#include "components/signal/signal_integrator.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(SignalIntegratorTest, DerivativeIsTheInputTimesTheGain) {
  Block<SignalIntegrator> block;
  block.Set("gain", -3).Set("u", 2);
  EXPECT_TRUE(block.Start().empty());
  for (const double y : {-1e9, 0.0, 1e9}) {
    block.SetState("y", y);
    EXPECT_EQ(block.Ddt("y"), -6) << "no limits unless set";
  }
}

TEST(SignalIntegratorTest, RestsOnlyWhenPushedOutwardAtALimit) {
  Block<SignalIntegrator> block;
  block.Set("low", -1).Set("high", 2);
  EXPECT_TRUE(block.Start().empty());
  const auto ddt = [&](double y, double u) {
    block.SetState("y", y);
    block.Set("u", u);
    return block.Ddt("y");
  };
  EXPECT_EQ(ddt(2, 5), 0);
  EXPECT_EQ(ddt(2, -5), -5);
  EXPECT_EQ(ddt(-1, -5), 0);
  EXPECT_EQ(ddt(-1, 5), 5);
  EXPECT_EQ(ddt(1.999, 5), 5);
}

TEST(SignalIntegratorTest, StaysWithinItsLimitsAndLeavesThemAtOnce) {
  Block<SignalIntegrator> block;
  block.Set("low", -1).Set("high", 2).Set("u", 0.7);
  EXPECT_TRUE(block.Start().empty());
  for (int i = 0; i < 1000; ++i) {
    block.Advance(0.013);
    ASSERT_LE(block.State("y"), 2);
  }
  EXPECT_EQ(block.State("y"), 2);
  block.Set("u", -1);
  block.Advance(0.5);
  EXPECT_DOUBLE_EQ(block.State("y"), 1.5);
}

TEST(SignalIntegratorTest, ALimitMovedPastYTakesItAlong) {
  Block<SignalIntegrator> block;
  block.SetStart("y", 5);
  EXPECT_TRUE(block.Start().empty());
  block.Set("high", 3);
  block.model().PostIntegrate();
  EXPECT_EQ(block.State("y"), 3);
}

TEST(SignalIntegratorTest, FaultsOfLimitsAndStartAreAnswered) {
  Block<SignalIntegrator> crossed;
  crossed.Set("low", 1).Set("high", -1);
  ExpectFault(crossed.Start(), "low = 1 is not below high = -1");
  Block<SignalIntegrator> outside;
  outside.Set("low", 1).Set("high", 2);
  ExpectFault(outside.Start(), "start value y = 0 lies outside the limits 1 .. 2");
}

}  // namespace
}  // namespace davit
