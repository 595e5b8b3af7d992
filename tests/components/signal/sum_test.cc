#include "components/signal/sum.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(SumTest, SignsBelongToTheRoutesInTheirOrder) {
  Block<Sum> block;
  block.AddRoute().AddRoute().AddRoute().SetText("signs", "+--");
  EXPECT_TRUE(block.Start().empty());
  block.Feed(0, 10);
  block.Feed(1, 3);
  block.Feed(2, 0.5);
  EXPECT_EQ(block.At(0), 6.5);
}

TEST(SumTest, AddsAllWithoutSigns) {
  Block<Sum> block;
  block.AddRoute().AddRoute();
  EXPECT_TRUE(block.Start().empty());
  block.Feed(0, 10);
  block.Feed(1, -3);
  EXPECT_EQ(block.At(0), 7);
}

TEST(SumTest, WrongSignsAreAnsweredWithARemedy) {
  for (const std::string_view signs : {"+", "+-+"}) {
    Block<Sum> block;
    ExpectFault(block.AddRoute().AddRoute().SetText("signs", signs).Start(), "for 2 routes to block.u");
    block.Feed(0, 1);
    EXPECT_EQ(block.At(0), 1);
  }
  Block<Sum> block;
  ExpectFault(block.AddRoute().AddRoute().SetText("signs", "+1").Start(), "'+1' has other characters");
}

}  // namespace
}  // namespace davit
