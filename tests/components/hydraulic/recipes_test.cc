// The systems of docs/recipes.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tests/support/read_all.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

std::string Recipe(const std::string& name) {
  const std::string page = ReadAll(DAVIT_SOURCE_DIR "/docs/recipes.md");
  const std::size_t begin = page.find("<System name=\"" + name + "\""), end = page.find("```", begin);
  return begin == std::string::npos ? "" : page.substr(begin, end - begin);
}

/// The volume per radian is area times radius, and so is torque over pressure, but for the friction of the
/// rack.
TEST(Recipes, TheRotaryActuatorTurnsByItsVolumePerRadian) {
  SystemHarness system(Recipe("rotary_actuator"));
  system.RunTo(4);
  const double area = std::numbers::pi / 4 * 0.06 * 0.06;
  EXPECT_NEAR(system.Read("arm.w"), 3e-3 / 60 / (area * 0.04), 1e-4 * system.Read("arm.w"));
  EXPECT_NEAR(system.Read("gear.torque"), 100, 0.1);
  EXPECT_NEAR(system.Read("line.p") * area, 100 / 0.04 + 2e4 * system.Read("rack.v"), 0.001 * 2500);
  EXPECT_NEAR(system.Read("rack.x") - 0.04 * system.Read("arm.angle"), 100 / 0.04 / 1e8, 1e-7);
}

/// -90 deg at spool_frequency, with the amplitude ratio 1/(2 zeta).
TEST(Recipes, TheServoValveHasThePhaseAndTheAmplitudeOfItsDataSheet) {
  SystemHarness system(Recipe("servo_valve"));
  const double amplitude = 0.05 * std::pow(10, -3.0 / 20), period = 0.02;
  system.RunTo(0.9);  // 45 periods
  for (int i = 1; i <= 8; ++i) {
    const double t = 0.9 + i * period / 8;
    system.RunTo(t);
    EXPECT_NEAR(system.Read("valve.spool_x"), -amplitude * std::cos(2 * std::numbers::pi * t / period),
                0.02 * amplitude)
        << t;
  }
}

/// The same flow at half the displacement: twice the speed; torque D dp, here 0.5 N.m.s/rad times the speed.
TEST(Recipes, TheTwoSpeedMotorTurnsTwiceAsFastAtHalfTheDisplacement) {
  SystemHarness system(Recipe("two_speed_motor"));
  const double D = 80e-6 / (2 * std::numbers::pi), q = 1e-3;
  system.RunTo(1.9);
  EXPECT_NEAR(system.Read("wheel.w"), q / D, 1e-3 * q / D);
  EXPECT_NEAR(system.Read("line.p"), 0.5 * q / D / D, 2e-3 * 0.5 * q / D / D);
  system.RunTo(4);
  EXPECT_NEAR(system.Read("wheel.w"), 2 * q / D, 1e-3 * q / D);
  EXPECT_NEAR(system.Read("line.p"), 4 * 0.5 * q / D / D, 2e-3 * 4 * 0.5 * q / D / D);
}

/// Below 5 bar the spool rests, at 25 bar it is at its end, to both sides.
TEST(Recipes, PilotPressuresMoveTheSpool) {
  SystemHarness system(Recipe("piloted_valve"));
  const auto at_rest = [&] {
    const double dp = system.Read("pilot_a.p") - system.Read("pilot_b.p");
    return std::copysign(std::clamp((std::abs(dp) - 5e5) / 20e5, 0.0, 1.0), dp);
  };
  system.RunTo(0.55);
  EXPECT_GT(system.Read("pilot_a.p"), 1e5);
  EXPECT_EQ(system.Read("valve.spool_x"), 0);
  system.RunTo(1.5);
  EXPECT_EQ(at_rest(), 1);
  EXPECT_NEAR(system.Read("valve.spool_x"), 1, 1e-3);
  const double q = system.Read("load.q");
  system.RunTo(4);
  EXPECT_EQ(at_rest(), -1);
  EXPECT_NEAR(system.Read("valve.spool_x"), -1, 1e-3);
  EXPECT_NEAR(system.Read("load.q"), -q, 1e-4 * q);
}

}  // namespace
}  // namespace davit
