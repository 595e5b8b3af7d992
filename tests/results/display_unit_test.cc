#include "results/display_unit.h"

#include <gtest/gtest.h>

#include <numbers>

namespace davit {
namespace {

TEST(DisplayUnitTest, EngineersReadBarAndLitresAMinute) {
  EXPECT_EQ(FindDisplayUnit("Pa", 0).Label(), "Pressure [bar]");
  EXPECT_DOUBLE_EQ(250e5 * FindDisplayUnit("Pa", 250e5).factor, 250);
  EXPECT_EQ(FindDisplayUnit("m3/s", 1).Label(), "Flow [l/min]");
  EXPECT_DOUBLE_EQ(0.14 / 60 * FindDisplayUnit("m3/s", 1).factor, 140);
  EXPECT_DOUBLE_EQ(270e-6 / (2 * std::numbers::pi) * FindDisplayUnit("m3/rad", 1).factor, 270);
}

TEST(DisplayUnitTest, TheLargestValueChoosesThePrefix) {
  EXPECT_EQ(FindDisplayUnit("N", 9999).Label(), "Force [N]");
  EXPECT_EQ(FindDisplayUnit("N", 1e4).Label(), "Force [kN]");
  EXPECT_DOUBLE_EQ(98.1e3 * FindDisplayUnit("N", 98.1e3).factor, 98.1);
  EXPECT_EQ(FindDisplayUnit("W", 2e7).unit, "MW");
}

TEST(DisplayUnitTest, OtherUnitsAreShownAsTheyAre) {
  EXPECT_EQ(FindDisplayUnit("m", 1).Label(), "Position [m]");
  EXPECT_EQ(FindDisplayUnit("rad/s", 1e6).Label(), "Angular velocity [rad/s]");
  EXPECT_EQ(FindDisplayUnit("kg.m2/s2", 1).Label(), "[kg·m²/s²]");
  EXPECT_EQ(FindDisplayUnit("m^3", 1).Label(), "[m³]");
  EXPECT_EQ(FindDisplayUnit("", 1).Label(), "[–]");
  EXPECT_EQ(FindDisplayUnit("furlong", 1).factor, 1);
}

}  // namespace
}  // namespace davit
