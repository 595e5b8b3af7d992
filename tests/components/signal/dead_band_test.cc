#include "components/signal/dead_band.h"

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(DeadBandTest, LeavesOutTheMiddleAndIsOdd) {
  Block<DeadBand> block;
  block.Set("band", 0.2).Set("gain", 1.25);
  EXPECT_TRUE(block.Start().empty());
  for (const auto& [u, y] :
       {std::pair(0.0, 0.0), std::pair(0.2, 0.0), std::pair(0.6, 0.5), std::pair(1.0, 1.0)}) {
    block.Set("u", u);
    EXPECT_NEAR(block.At(0), y, 1e-15);
    block.Set("u", -u);
    EXPECT_NEAR(block.At(0), -y, 1e-15);
  }
}

}  // namespace
}  // namespace davit
