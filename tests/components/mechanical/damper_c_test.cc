#include "components/mechanical/damper_c.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

TEST(DamperCTest, ResistsTheRelativeVelocity) {
  ComponentHarness harness;
  auto& damper = harness.Add<DamperC>("damper");
  auto& a = harness.AttachTranslational(damper, "a");
  auto& b = harness.AttachTranslational(damper, "b");
  harness.Set(damper, "coefficient", 40);
  harness.Start();
  for (const auto& [v_a, v_b] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.0, -0.5}, {0.3, -0.3}, {0.1, 0.2}}) {
    a.v = v_a;
    b.v = v_b;
    damper.SimulateOneTimestep(0);
    EXPECT_NEAR(a.F(), 40 * (v_a + v_b), 1e-14);
    EXPECT_NEAR(b.F(), a.F(), 1e-14);
    EXPECT_DOUBLE_EQ(harness.Read(damper, "force"), a.c + b.c);
  }
}

TEST(DamperCTest, NeverGivesEnergy) {
  ComponentHarness harness;
  auto& damper = harness.Add<DamperC>("damper");
  auto& a = harness.AttachTranslational(damper, "a");
  auto& b = harness.AttachTranslational(damper, "b");
  harness.Start();
  damper.InitializeWaves();
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  double taken = 0;
  for (int i = 0; i < 1000; ++i) {
    damper.SimulateOneTimestep(0);
    a.v = normal(random);
    b.v = i % 2 == 0 ? a.v : normal(random);
    taken += a.F() * a.v + b.F() * b.v;
    EXPECT_GE(taken, 0);
  }
}

double ErrorOfStoppingMass(double h) {
  TestSystem system(SystemText("TimeStep='" + ToXml(h) + " s' StopTime='1 s'", "", R"(
    <mechanical.Fixed name="wall"/>
    <mechanical.Mass name="load" mass="50 kg"><Start v="2 m/s"/></mechanical.Mass>
    <mechanical.DamperC name="damper" coefficient="100 N.s/m"/>
    <Connect from="wall.port" to="damper.a"/>
    <Connect from="damper.b" to="load.a"/>)"));
  system.Run();
  return std::abs(system.Read("load.v") - 2 * std::exp(-2.0));
}

double ErrorOfTwoMasses(double h) {
  // The relative velocity of 1 and 2 kg falls by d (1/1 + 1/2).
  TestSystem system(SystemText("TimeStep='" + ToXml(h) + " s' StopTime='1 s'", "", R"(
    <mechanical.Mass name="left" mass="1 kg"><Start v="3 m/s"/></mechanical.Mass>
    <mechanical.Mass name="right" mass="2 kg"/>
    <mechanical.DamperC name="damper" coefficient="0.5 N.s/m"/>
    <Connect from="left.b" to="damper.a"/>
    <Connect from="damper.b" to="right.a"/>)"));
  system.Run();
  return std::abs(system.Read("left.v") - system.Read("right.v") - 3 * std::exp(-0.75));
}

TEST(DamperCTest, IsOfSecondOrderAtAWallAndOfFirstBetweenMasses) {
  EXPECT_NEAR(std::log2(ErrorOfStoppingMass(0.01) / ErrorOfStoppingMass(0.005)), 2, 0.1);
  EXPECT_NEAR(std::log2(ErrorOfTwoMasses(0.01) / ErrorOfTwoMasses(0.005)), 1, 0.1);
  EXPECT_LT(ErrorOfTwoMasses(0.001), 1e-3);
}

}  // namespace
}  // namespace davit
