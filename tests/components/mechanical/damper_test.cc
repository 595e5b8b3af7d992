#include "components/mechanical/damper.h"

#include <gtest/gtest.h>

#include <cmath>

#include "components/mechanical/fixed.h"
#include "components/mechanical/mass.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(DamperTest, ResistsTheRelativeVelocity) {
  ComponentHarness harness;
  auto& damper = harness.Add<Damper>("damper");
  auto& a = harness.AttachTranslational(damper, "a");
  auto& b = harness.AttachTranslational(damper, "b");
  harness.Set(damper, "coefficient", 40);
  harness.Start();
  for (const auto& [v_a, v_b] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.0, -0.5}, {0.3, -0.3}, {0.1, 0.2}}) {
    a.v = v_a;
    b.v = v_b;
    harness.Evaluate();
    EXPECT_DOUBLE_EQ(harness.Read(damper, "force"), 40 * (v_a + v_b));
    EXPECT_EQ(a.F(), harness.Read(damper, "force"));
    EXPECT_EQ(b.F(), a.F());
    EXPECT_GE(a.F() * a.v + b.F() * b.v, 0) << "a damper takes energy, it gives none";
  }
}

TEST(DamperTest, StopsAMassExponentiallyOnEitherSide) {
  for (const char* side : {"a", "b"}) {
    ComponentHarness harness;
    auto& wall = harness.Add<Fixed>("wall");
    auto& mass = harness.Add<Mass>("mass");
    auto& damper = harness.Add<Damper>("damper");
    harness.Connect(wall, "port", damper, "a");
    harness.Connect(damper, "b", mass, side);
    harness.Set(mass, "mass", 50);
    harness.SetStart(mass, "v", 2);
    harness.Start();
    harness.Integrate(0, 1e-3, 1000);
    EXPECT_NEAR(harness.Read(mass, "v"), 2 * std::exp(-100.0 / 50), 1e-10);
  }
}

}  // namespace
}  // namespace davit
