#include "results/display_unit.h"

#include <gtest/gtest.h>

#include <numbers>
#include <optional>

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

TEST(DisplayUnitTest, JointsTurnInDegreesAndShaftsInTurns) {
  EXPECT_EQ(FindDisplayUnit("rad", 100).Label(), "Angle [deg]");
  EXPECT_DOUBLE_EQ(std::numbers::pi * FindDisplayUnit("rad", 1).factor, 180);
  EXPECT_EQ(FindDisplayUnit("rad/s", 6.28).Label(), "Angular velocity [deg/s]");
  EXPECT_EQ(FindDisplayUnit("rad/s", 6.29).Label(), "Speed [rpm]");
  EXPECT_DOUBLE_EQ(50 * std::numbers::pi * FindDisplayUnit("rad/s", 150).factor, 1500);
}

/// What a figure shows and what a file says are the same numbers.
TEST(DisplayUnitTest, FactorsAreThoseOfTheUnitsByName) {
  const UnitSystem units;
  for (const char* si : {"Pa", "Pa/s", "m3/s", "m3", "m3/rad", "m/s2", "rad", "rad/s", "rad/s2", "N", "N.m",
                         "W", "J", "kg", "K", "A", "V"}) {
    for (const double largest : {0.0, 0.1, 7.0, 2e4, 2e7}) {
      const DisplayUnit shown = FindDisplayUnit(si, largest);
      const std::optional<Unit> unit = units.Find(shown.plain);
      ASSERT_TRUE(unit) << shown.plain;
      EXPECT_EQ(unit->dimension, units.Find(si)->dimension) << shown.plain;
      EXPECT_DOUBLE_EQ(unit->FromSi(1), shown.factor) << shown.plain;
      EXPECT_EQ(FindSiUnit(shown.plain, unit->dimension, units), si);
    }
  }
}

TEST(DisplayUnitTest, OtherUnitsAreShownAsTheyAre) {
  EXPECT_EQ(FindDisplayUnit("m", 1).Label(), "Position [m]");
  EXPECT_EQ(FindDisplayUnit("kg.m2/s2", 1).Label(), "[kg·m²/s²]");
  EXPECT_EQ(FindDisplayUnit("m^3", 1).Label(), "[m³]");
  EXPECT_EQ(FindDisplayUnit("", 1).Label(), "Dimensionless");
  EXPECT_EQ(FindDisplayUnit("furlong", 1).factor, 1);
}

}  // namespace
}  // namespace davit
