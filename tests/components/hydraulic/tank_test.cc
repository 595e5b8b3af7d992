#include "components/hydraulic/tank.h"

#include <gtest/gtest.h>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(TankTest, HoldsItsPressureAtEveryPortWhateverFlows) {
  ComponentHarness harness;
  auto& tank = harness.Add<Tank>("tank");
  auto& first = harness.AttachHydraulic(tank, "port");
  auto& second = harness.AttachHydraulic(tank, "port");
  harness.Set(tank, "back_pressure", 2e5);
  EXPECT_FALSE(harness.Start().has_errors());
  first.q = 0.01;
  second.q = -0.02;
  harness.Evaluate();
  EXPECT_EQ(first.p(), 2e5);
  EXPECT_EQ(second.p(), 2e5);
}

TEST(TankTest, FollowsALiveChange) {
  ComponentHarness harness;
  auto& tank = harness.Add<Tank>("tank");
  auto& bond = harness.AttachHydraulic(tank, "port");
  harness.Start();
  EXPECT_EQ(bond.c, 0);
  harness.Set(tank, "back_pressure", 1e5);
  harness.Apply(tank);
  EXPECT_EQ(bond.c, 1e5);
}

}  // namespace
}  // namespace davit
