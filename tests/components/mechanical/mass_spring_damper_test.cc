#include "components/mechanical/mass_spring_damper.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(MassSpringDamperTest, EquationOfMotion) {
  ComponentHarness harness;
  auto& component = harness.Add<MassSpringDamper>("oscillator");
  harness.Set(component, "mass", 2);
  harness.Set(component, "stiffness", 50);
  harness.Set(component, "damping", 3);
  harness.Set(component, "force", 7);
  harness.SetStart(component, "x", 0.1);
  harness.SetStart(component, "v", -0.5);
  harness.Start();
  EXPECT_EQ(harness.Read(component, "x.ddt"), -0.5);
  EXPECT_DOUBLE_EQ(harness.Read(component, "v.ddt"), (7 + 1.5 - 5) / 2);
}

TEST(MassSpringDamperTest, RestsAtForceOverStiffness) {
  ComponentHarness harness;
  auto& component = harness.Add<MassSpringDamper>("oscillator");
  harness.Set(component, "force", 25);
  harness.SetStart(component, "x", 0.25);
  harness.Start();
  EXPECT_EQ(harness.Read(component, "v.ddt"), 0);
}

TEST(MassSpringDamperTest, SwingsAsTheAnalyticSolution) {
  ComponentHarness harness;
  auto& component = harness.Add<MassSpringDamper>("oscillator");
  harness.Set(component, "damping", 2);
  harness.SetStart(component, "x", 1);
  harness.Start();
  harness.Integrate(0, 1e-3, 2000);
  // m = 1, k = 100, c = 2: decay 1, frequency sqrt(99).
  const double w = std::sqrt(99.0);
  EXPECT_NEAR(harness.Read(component, "x"), std::exp(-2.0) * (std::cos(2 * w) + std::sin(2 * w) / w), 1e-9);
}

}  // namespace
}  // namespace davit
