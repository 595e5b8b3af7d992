#include "components/mechanical/fixed.h"

#include <gtest/gtest.h>

#include "components/mechanical/spring.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

TEST(FixedTest, HoldsItsPositionUnderAnyForce) {
  ComponentHarness harness;
  auto& fixed = harness.Add<Fixed>("wall");
  auto& bond = harness.AttachTranslational(fixed, "port");
  harness.Set(fixed, "position", 0.3);
  EXPECT_FALSE(harness.Start().has_errors());
  bond.c = 1e6;
  harness.Integrate(0, 0.1, 3);
  EXPECT_EQ(bond.x, 0.3);
  EXPECT_EQ(bond.v, 0);
}

TEST(FixedTest, AMoveCompressesTheSpringNextToIt) {
  ComponentHarness harness;
  auto& left = harness.Add<Fixed>("left");
  auto& right = harness.Add<Fixed>("right");
  auto& spring = harness.Add<Spring>("spring");
  harness.Connect(left, "port", spring, "a");
  harness.Connect(spring, "b", right, "port");
  harness.Start();
  harness.Set(left, "position", 0.01);
  harness.Apply(left);
  harness.Evaluate();
  EXPECT_DOUBLE_EQ(harness.Read(spring, "force"), 10);
}

TEST(FixedTest, RefusesAStartElsewhere) {
  ComponentHarness harness;
  auto& fixed = harness.Add<Fixed>("wall");
  auto& other = harness.Add<Fixed>("other");
  auto& bond = harness.AttachTranslational(fixed, "port");
  bond.x_start = -0.5;
  bond.x_start_owner = &other;
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.all()[0].path, "/wall");
  EXPECT_NE(diagnostics.all()[0].message().find("/other"), std::string::npos);
  EXPECT_NE(diagnostics.all()[0].message().find("-0.5"), std::string::npos);
}

}  // namespace
}  // namespace davit
