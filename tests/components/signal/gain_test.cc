#include "components/signal/gain.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(GainTest, IsLinear) {
  Block<Gain> block;
  EXPECT_EQ(block.Of(1.25), 1.25) << "gain 1 unless set";
  block.Set("gain", -4);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.Of(0), 0);
  EXPECT_EQ(block.Of(3), -12);
  EXPECT_EQ(block.Of(2) + block.Of(5), block.Of(7));
}

}  // namespace
}  // namespace davit
