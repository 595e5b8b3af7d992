#include "components/mechanical/belt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "components/mechanical/inertia.h"
#include "components/mechanical/torque.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

/// A pulley of 0.1 m drives one of 0.25 m.
class BeltTest : public testing::Test {
 protected:
  BeltTest() {
    harness.Set(driving, "inertia", 0.5);
    harness.Set(driven, "inertia", 4);
    harness.Set(belt, "radius_a", 0.1);
    harness.Set(belt, "radius_b", 0.25);
    harness.Set(belt, "distance", 0.6);
    harness.Set(belt, "tension", 1000);
    harness.Set(belt, "friction", 0.4);
    harness.Set(belt, "damping", 500);
    harness.Connect(belt, "a", driving, "b");
    harness.Connect(belt, "b", driven, "a");
    harness.Connect(drive, "port", driving, "a");
  }
  void Run(double seconds) {
    harness.Integrate(0, 1e-4, static_cast<std::size_t>(std::lround(seconds * 1e4)));
  }

  ComponentHarness harness;
  Inertia& driving = harness.Add<Inertia>("driving");
  Inertia& driven = harness.Add<Inertia>("driven");
  Belt& belt = harness.Add<Belt>("belt");
  Torque& drive = harness.Add<Torque>("drive");
};

TEST_F(BeltTest, ShaftsTurnInTheSameDirectionByTheRatioOfTheRadii) {
  harness.Set(drive, "torque", 10);
  harness.Start();
  Run(2);
  // Seen at the driving shaft, the inertia of the driven one counts by the square of the ratio.
  const double w = 10 * 2 / (0.5 + 4 * 0.4 * 0.4);
  EXPECT_NEAR(harness.Read(driving, "w"), w, 1e-3 * w);
  EXPECT_NEAR(harness.Read(driven, "w"), 0.4 * harness.Read(driving, "w"), 1e-6 * w);
  EXPECT_NEAR(harness.Read(belt, "slip_speed"), 0, 1e-6);
}

TEST_F(BeltTest, SlipsWhereTheSpansHaveTheRatioOfEuler) {
  harness.Set(drive, "torque", 500);
  harness.Start();
  Run(0.5);
  const double wrap = std::numbers::pi - 2 * std::asin(0.15 / 0.6);
  const double F = harness.Read(belt, "force");
  EXPECT_GT(harness.Read(belt, "slip_speed"), 1);
  EXPECT_NEAR((1000 + F / 2) / (1000 - F / 2), std::exp(0.4 * wrap), 1e-9);
  EXPECT_DOUBLE_EQ(harness.Read(belt, "tight_span"), 1000 + F / 2);
  EXPECT_NEAR(harness.Read(driven, "acceleration"), 0.25 * F / 4, 1e-9);
}

TEST_F(BeltTest, PulleysThatOverlapAreAnError) {
  harness.Set(belt, "distance", 0.3);
  EXPECT_THAT(ToText(harness.Start()), testing::HasSubstr("the radii of the pulleys add up to 0.35 m"));
}

}  // namespace
}  // namespace davit
