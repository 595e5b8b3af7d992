#include "components/signal/low_pass.h"

#include <cmath>

#include "tests/components/signal/signal_harness.h"

namespace davit {
namespace {

TEST(LowPassTest, DerivativeIsTheDistanceOverTheTimeConstant) {
  Block<LowPass> block;
  block.Set("time_constant", 0.5).Set("gain", 3).Set("u", 2);
  EXPECT_TRUE(block.Start().empty());
  block.SetState("y", 1);
  EXPECT_EQ(block.Ddt("y"), 10);
  block.SetState("y", 6);
  EXPECT_EQ(block.Ddt("y"), 0) << "stationary at gain u";
}

TEST(LowPassTest, AnswersAStepWithAnExponential) {
  Block<LowPass> block;
  block.Set("time_constant", 0.2).Set("u", 5);
  block.SetStart("y", 1);
  EXPECT_TRUE(block.Start().empty());
  EXPECT_EQ(block.State("y"), 1);
  for (int i = 1; i <= 200; ++i) {
    block.Advance(0.005);
    EXPECT_NEAR(block.State("y"), 5 - 4 * std::exp(-i * 0.005 / 0.2), 1e-8);
  }
}

}  // namespace
}  // namespace davit
