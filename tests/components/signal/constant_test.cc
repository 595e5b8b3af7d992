#include "components/signal/constant.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(ConstantTest, IsItsValueAtAnyTimeAndNeverBreaks) {
  Block<Constant> block;
  block.Set("value", -2.5);
  EXPECT_TRUE(block.Start().empty());
  for (const double t : {-1.0, 0.0, 1e6}) {
    EXPECT_EQ(block.At(t), -2.5);
    EXPECT_EQ(block.Next(t), kInf);
  }
}

}  // namespace
}  // namespace davit
