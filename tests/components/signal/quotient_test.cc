#include "components/signal/quotient.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(QuotientTest, DividesWhereItCan) {
  Block<Quotient> block;
  block.Set("numerator", 6).Set("denominator", -2).Set("smallest", 0.5).Set("otherwise", 7);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.At(0), -3);
  block.Set("denominator", 0.5);
  EXPECT_EQ(block.At(0), 12);
  for (const double d : {0.4, 0.0, -0.4}) {
    block.Set("denominator", d);
    EXPECT_EQ(block.At(0), 7) << d;
  }
}

}  // namespace
}  // namespace davit
