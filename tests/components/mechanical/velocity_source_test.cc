#include "components/mechanical/velocity_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "components/mechanical/spring.h"
#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

TEST(VelocitySourceTest, MovesIntoTheSpring) {
  ComponentHarness harness;
  auto& source = harness.Add<VelocitySource>("source");
  auto& spring = harness.Add<Spring>("spring");
  harness.Connect(source, "port", spring, "a");
  harness.Set(source, "velocity", 0.2);
  harness.Set(spring, "stiffness", 100);
  harness.SetStart(source, "x", 0.1);
  EXPECT_FALSE(harness.Start().has_errors());
  harness.Integrate(0, 0.01, 100);
  EXPECT_NEAR(harness.Read(source, "x"), 0.3, 1e-14);
  EXPECT_NEAR(harness.Read(source, "force"), 30, 1e-12);
}

TEST(VelocitySourceTest, StartsWhereItsNeighbourWants) {
  ComponentHarness harness;
  auto& source = harness.Add<VelocitySource>("source");
  auto& bond = harness.AttachTranslational(source, "port");
  auto& other = harness.Add<VelocitySource>("cylinder");
  bond.x_start = -0.5;
  bond.x_start_owner = &other;
  EXPECT_FALSE(harness.Start().has_errors());
  EXPECT_EQ(bond.x, -0.5);
  harness.SetStart(source, "x", 0.25);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  for (const char* part : {"/cylinder", "0.25", "-0.5"}) {
    EXPECT_NE(diagnostics.all()[0].message().find(part), std::string::npos);
  }
}

TEST(VelocitySourceTest, FixedStepsFollowTheSignalByTheTrapezoidalRule) {
  // Beside a SpringC, which is beside a wall: nothing is solved together.
  const auto text = [](double h) {
    return SystemText("TimeStep='" + ToXml(h) + " s' StopTime='1 s'", "", R"(
      <signal.Sine name="sine" amplitude="1" frequency="2 rad/s"/>
      <mechanical.VelocitySource name="source"/>
      <mechanical.SpringC name="spring" stiffness="100 N/m" filter="0"/>
      <mechanical.Fixed name="wall"/>
      <Route from="sine.y" to="source.velocity"/>
      <Connect from="source.port" to="spring.a"/>
      <Connect from="spring.b" to="wall.port"/>)");
  };
  const double exact = (1 - std::cos(2.0)) / 2;
  std::vector<double> errors;
  for (const double h : {0.01, 0.005}) {
    TestSystem system(text(h));
    system.Run();
    EXPECT_TRUE(system.manager().islands().empty());
    errors.push_back(std::abs(system.Read("source.x") - exact));
    EXPECT_NEAR(system.Read("source.force"), 100 * exact, 0.1);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.05);
}

}  // namespace
}  // namespace davit
