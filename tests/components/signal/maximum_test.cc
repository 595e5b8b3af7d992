#include "components/signal/maximum.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(MaximumTest, IsTheLargestInAnyOrder) {
  Block<Maximum> block;
  block.AddRoute().AddRoute().AddRoute();
  EXPECT_TRUE(block.Start().empty());
  for (const auto& values :
       {std::array{3.0, -2.0, 1.0}, std::array{-2.0, 1.0, 3.0}, std::array{1.0, 3.0, 3.0}}) {
    for (std::size_t i = 0; i < values.size(); ++i) block.Feed(i, values[i]);
    EXPECT_EQ(block.At(0), 3);
  }
}

TEST(MaximumTest, NegativeSignalsHaveALargestToo) {
  Block<Maximum> block;
  block.AddRoute().AddRoute();
  EXPECT_TRUE(block.Start().empty());
  block.Feed(0, -9);
  block.Feed(1, -7);
  EXPECT_EQ(block.At(0), -7);
}

}  // namespace
}  // namespace davit
