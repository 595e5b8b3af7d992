#include "components/hydraulic/pressure_source.h"

#include <gtest/gtest.h>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(PressureSourceTest, OffersItsPressureAtEveryPort) {
  ComponentHarness harness;
  auto& source = harness.Add<PressureSource>("source");
  const HydraulicBond& first = harness.AttachHydraulic(source, "port");
  HydraulicBond& second = harness.AttachHydraulic(source, "port");
  harness.Set(source, "pressure", 210e5);
  EXPECT_FALSE(harness.Start().has_errors());
  second.q = -5e-3;  // whatever flows
  harness.Evaluate();
  for (const HydraulicBond* bond : {&first, static_cast<const HydraulicBond*>(&second)}) {
    EXPECT_EQ(bond->c, 210e5);
    EXPECT_EQ(bond->Zc, 0);
    EXPECT_EQ(bond->p(), 210e5);
  }
}

TEST(PressureSourceTest, FollowsItsInput) {
  ComponentHarness harness;
  auto& source = harness.Add<PressureSource>("source");
  const HydraulicBond& bond = harness.AttachHydraulic(source, "port");
  harness.Start();
  for (const double p : {-5e4, 0.0, 1e5}) {
    harness.Set(source, "pressure", p);
    harness.Evaluate();
    EXPECT_EQ(bond.p(), p);
  }
}

}  // namespace
}  // namespace davit
