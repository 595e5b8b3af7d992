#include "components/mechanical/force.h"

#include <gtest/gtest.h>

#include "components/mechanical/mass.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(ForceTest, PushesTheMassAwayFromItself) {
  for (const auto& [side, sign] : {std::pair{"a", 1.0}, {"b", -1.0}}) {
    ComponentHarness harness;
    auto& force = harness.Add<Force>("force");
    auto& mass = harness.Add<Mass>("mass");
    harness.Connect(force, "port", mass, side);
    harness.Set(mass, "mass", 4);
    harness.Set(force, "force", 12);
    harness.Start();
    EXPECT_EQ(harness.Read(mass, "acceleration"), sign * 3);
    harness.Set(force, "force", -12);
    harness.Evaluate();
    EXPECT_EQ(harness.Read(mass, "acceleration"), sign * -3);
  }
}

}  // namespace
}  // namespace davit
