#include "components/mechanical/shaft_c.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

TEST(ShaftCTest, WavesOfOneStepByHand) {
  ComponentHarness harness;
  auto& shaft = harness.Add<ShaftC>("shaft");
  auto& a = harness.Attach<RotationalBond>(shaft, "a");
  auto& b = harness.Attach<RotationalBond>(shaft, "b");
  harness.Set(shaft, "stiffness", 200);
  harness.Set(shaft, "preload", 5);
  harness.Set(shaft, "damping", 7);
  harness.Set(shaft, "filter", 0.25);
  shaft.set_simulator_time_step(0.03);
  a.angle = 0.3;
  b.angle = -0.1;
  harness.Start();
  shaft.InitializeWaves();
  EXPECT_DOUBLE_EQ(a.Zc, 200 * 0.03 / 0.75 + 7);
  EXPECT_EQ(b.Zc, a.Zc);
  EXPECT_DOUBLE_EQ(a.T(), 45);
  EXPECT_DOUBLE_EQ(b.T(), 45);
  a.w = 0.5;
  b.w = 0.25;
  shaft.SimulateOneTimestep(0.03);
  EXPECT_DOUBLE_EQ(a.c, 45 + 8.0 / 2 * 0.5 * 0.75 - 6 * 0.25 + 7 * 0.25);
  EXPECT_DOUBLE_EQ(b.c, 45 + 8.0 / 2 * 0.5 * 0.75 + 6 * 0.25 + 7 * 0.5);
}

TEST(ShaftCTest, TwoRotorsTwistWithSecondOrder) {
  // The twist of 1 and 3 kg m2 over 300 N m/rad swings with sqrt(300 (1/1 + 1/3)) = 20 rad/s.
  std::vector<double> errors;
  for (const double h : {0.004, 0.002, 0.001}) {
    TestSystem system(SystemText("TimeStep='" + ToXml(h) + " s' StopTime='1 s'", "", R"(
      <mechanical.Inertia name="drive" inertia="1 kg.m2"><Start w="4 rad/s"/></mechanical.Inertia>
      <mechanical.ShaftC name="shaft" stiffness="300 N.m/rad"/>
      <mechanical.Inertia name="load" inertia="3 kg.m2"/>
      <Connect from="drive.b" to="shaft.a"/>
      <Connect from="shaft.b" to="load.a"/>)"));
    system.Run();
    EXPECT_TRUE(system.manager().islands().empty());
    const double twist = 4.0 / 20 * std::sin(20.0);
    EXPECT_NEAR(system.Read("shaft.torque"), 300 * twist, 300 * 300 * h * h);
    errors.push_back(std::abs(system.Read("drive.angle") - system.Read("load.angle") - twist));
  }
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2, 0.15);
}

}  // namespace
}  // namespace davit
