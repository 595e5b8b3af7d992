#include "simulator/building_blocks/carried_state.h"

#include <gtest/gtest.h>

#include <cmath>

namespace davit::building_blocks {
namespace {

TEST(CarriedStateTest, MovesUnderIncrementsBelowItsLastDigit) {
  CarriedState state;
  state.Set(1);
  const double increment = std::ldexp(1.0, -60);
  for (int n = 0; n < 1 << 20; ++n) state.Add(increment);
  EXPECT_EQ(state.value(), 1 + std::ldexp(1.0, -40));
}

TEST(CarriedStateTest, DoesNotSumUpRounding) {
  CarriedState state;
  for (int n = 0; n < 1000000; ++n) state.Add(0.1);
  EXPECT_EQ(state.value(), 1e5);  // a plain sum is 1e-6 off
}

TEST(CarriedStateTest, SetForgetsTheCarry) {
  CarriedState state;
  state.Set(1);
  state.Add(std::ldexp(1.0, -60));
  state.Set(0);
  state.Add(0);
  EXPECT_EQ(state.value(), 0);
}

}  // namespace
}  // namespace davit::building_blocks
