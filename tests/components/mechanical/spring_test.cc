#include "components/mechanical/spring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "components/mechanical/fixed.h"
#include "components/mechanical/mass.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(SpringTest, PushesWhenCompressedFromEitherEnd) {
  ComponentHarness harness;
  auto& spring = harness.Add<Spring>("spring");
  auto& a = harness.AttachTranslational(spring, "a");
  auto& b = harness.AttachTranslational(spring, "b");
  harness.Set(spring, "stiffness", 200);
  harness.Set(spring, "preload", 5);
  harness.Start();
  for (const auto& [x_a, x_b] : {std::pair{0.0, 0.0}, {0.1, 0.0}, {0.0, 0.1}, {-0.3, 0.1}, {0.2, -0.2}}) {
    a.x = x_a;
    b.x = x_b;
    harness.Evaluate();
    EXPECT_DOUBLE_EQ(harness.Read(spring, "force"), 200 * (x_a + x_b) + 5);
    EXPECT_EQ(a.F(), harness.Read(spring, "force"));
    EXPECT_EQ(b.F(), a.F());
  }
}

TEST(SpringTest, KeepsTheEnergyOfAMassBetweenTwoSprings) {
  ComponentHarness harness;
  auto& wall = harness.Add<Fixed>("wall");
  auto& mass = harness.Add<Mass>("mass");
  auto& left = harness.Add<Spring>("left");
  auto& right = harness.Add<Spring>("right");
  harness.Connect(wall, "port", left, "a");
  harness.Connect(left, "b", mass, "a");
  harness.Connect(mass, "b", right, "a");
  harness.Connect(right, "b", wall, "port");
  harness.Set(mass, "mass", 10);
  harness.Set(left, "stiffness", 300);
  harness.Set(right, "stiffness", 700);
  harness.SetStart(mass, "x", 0.2);
  harness.Start();
  // Both springs act: w = sqrt(1000/10); one period brings it back.
  const double period = 2 * std::numbers::pi / 10;
  harness.Integrate(0, period / 1000, 250);
  EXPECT_NEAR(harness.Read(mass, "x"), 0, 1e-9);
  EXPECT_NEAR(harness.Read(mass, "v"), -0.2 * 10, 1e-9);
  harness.Integrate(period / 4, period / 1000, 750);
  EXPECT_NEAR(harness.Read(mass, "x"), 0.2, 1e-9);
  EXPECT_NEAR(harness.Read(mass, "v"), 0, 1e-8);
}

}  // namespace
}  // namespace davit
