#include "components/signal/limiter.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(LimiterTest, PassesWhatLiesBetweenAndHoldsTheRest) {
  Block<Limiter> block;
  block.Set("low", -2).Set("high", 3);
  EXPECT_TRUE(block.Start().empty());
  for (const double u : {-2.0, 0.0, 1.5, 3.0}) EXPECT_EQ(block.Of(u), u);
  EXPECT_EQ(block.Of(JustBefore(-2)), -2);
  EXPECT_EQ(block.Of(JustAfter(3)), 3);
  EXPECT_EQ(block.Of(-kInf), -2);
  EXPECT_EQ(block.Of(kInf), 3);
}

TEST(LimiterTest, IsIdempotentAndMonotonic) {
  Block<Limiter> block;
  block.Set("low", -0.3).Set("high", 0.7);
  EXPECT_TRUE(block.Start().empty());
  double last = -kInf;
  for (int i = -100; i <= 100; ++i) {
    const double y = block.Of(i * 0.0173);
    EXPECT_EQ(block.Of(y), y);
    EXPECT_GE(y, last);
    last = y;
  }
}

TEST(LimiterTest, DoesNotHideNan) {
  Block<Limiter> block;
  EXPECT_TRUE(std::isnan(block.Of(kNan)));
}

TEST(LimiterTest, LimitsInTheWrongOrderAreAFault) {
  for (const double low : {1.0, 2.0}) {
    Block<Limiter> block;
    block.Set("low", low).Set("high", 1);
    ExpectFault(block.Start(), "is not below high = 1");
  }
}

}  // namespace
}  // namespace davit
