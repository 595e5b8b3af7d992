#include "simulator/building_blocks/balance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace davit::building_blocks {
namespace {

TEST(BalanceTest, IsTheDifference) {
  EXPECT_EQ(Balance(5, 3), 2);
  EXPECT_EQ(Balance(3, 5), -2);
  EXPECT_EQ(Balance(1e-300, 0), 1e-300);
  EXPECT_EQ(Balance(0, 0), 0);
}

TEST(BalanceTest, IsZeroWithinRounding) {
  EXPECT_EQ(Balance(std::nextafter(7.0, 8.0), 7), 0);
  EXPECT_EQ(Balance(std::nextafter(7.0, 6.0), 7), 0);
  EXPECT_NE(Balance(7 * (1 + 1e-15), 7), 0);
}

TEST(BalanceTest, PassesNanOn) {
  EXPECT_TRUE(std::isnan(Balance(std::numeric_limits<double>::quiet_NaN(), 1)));
}

}  // namespace
}  // namespace davit::building_blocks
