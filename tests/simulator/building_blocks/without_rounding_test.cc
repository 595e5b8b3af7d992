#include "simulator/building_blocks/without_rounding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace davit::building_blocks {
namespace {

TEST(WithoutRoundingTest, KeepsADifferenceOfDigits) {
  EXPECT_EQ(WithoutRounding(2, 3), 2);
  EXPECT_EQ(WithoutRounding(-2, 3), -2);
  EXPECT_EQ(WithoutRounding(7 * 1e-15, 7), 7 * 1e-15);
  EXPECT_EQ(WithoutRounding(1e-300, 0), 1e-300);
}

TEST(WithoutRoundingTest, IsZeroForOneUnitOfTheLastDigit) {
  EXPECT_EQ(WithoutRounding(std::nextafter(7.0, 8.0) - 7, 7), 0);
  EXPECT_EQ(WithoutRounding(std::nextafter(7.0, 6.0) - 7, -7), 0);
}

TEST(WithoutRoundingTest, PassesNanOn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(WithoutRounding(nan, 1)));
  EXPECT_TRUE(std::isnan(WithoutRounding(nan, nan)));
}

}  // namespace
}  // namespace davit::building_blocks
