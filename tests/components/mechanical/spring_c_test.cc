#include "components/mechanical/spring_c.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "simulator/building_blocks/compensated_sum.h"
#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

/// A mass of 2 kg on a spring of 200 N/m (10 rad/s) at a wall, let go at x = 0.1 m.
std::string Oscillator(double h, double stop, double filter, const std::string& more = {}) {
  return SystemText("TimeStep='" + ToXml(h) + " s' StopTime='" + ToXml(stop) + " s'", "",
                    "<mechanical.Fixed name='wall'/>"
                    "<mechanical.Mass name='load' mass='2 kg'><Start x='0.1 m'/></mechanical.Mass>"
                    "<mechanical.SpringC name='spring' stiffness='200 N/m' filter='" +
                        ToXml(filter) +
                        "'/>"
                        "<Connect from='wall.port' to='spring.b'/><Connect from='load.b' to='spring.a'/>" +
                        more);
}

TEST(SpringCTest, WavesOfOneStepByHand) {
  ComponentHarness harness;
  auto& spring = harness.Add<SpringC>("spring");
  auto& a = harness.AttachTranslational(spring, "a");
  auto& b = harness.AttachTranslational(spring, "b");
  harness.Set(spring, "stiffness", 200);
  harness.Set(spring, "preload", 5);
  harness.Set(spring, "damping", 7);
  harness.Set(spring, "filter", 0.25);
  spring.set_simulator_time_step(0.03);
  a.x = 0.3;
  b.x = -0.1;
  harness.Start();
  spring.InitializeWaves();
  EXPECT_DOUBLE_EQ(a.Zc, 200 * 0.03 / 0.75 + 7);
  EXPECT_EQ(b.Zc, a.Zc);
  EXPECT_DOUBLE_EQ(a.F(), 200 * 0.2 + 5);
  EXPECT_DOUBLE_EQ(b.F(), a.F());
  EXPECT_DOUBLE_EQ(harness.Read(spring, "force"), a.F());
  a.v = 0.5;
  b.v = 0.25;
  spring.SimulateOneTimestep(0.03);
  const double m = 45 + 8.0 / 2 * 0.5 * 0.75;
  const double e = -6 * 0.25;
  EXPECT_DOUBLE_EQ(a.c, m + e + 7 * 0.25);
  EXPECT_DOUBLE_EQ(b.c, m - e + 7 * 0.5);
  spring.SimulateOneTimestep(0.06);
  EXPECT_DOUBLE_EQ(a.c, m + (-0.5 * e + e) + 7 * 0.25);
  EXPECT_DOUBLE_EQ(b.c, m - (-0.5 * e + e) + 7 * 0.5);
}

TEST(SpringCTest, MassSwingsWithSecondOrder) {
  for (const double filter : {0.0, 0.1, 0.5}) {
    std::vector<double> errors;
    for (const double h : {0.005, 0.0025, 0.00125}) {
      TestSystem system(Oscillator(h, 1, filter));
      system.Run();
      EXPECT_TRUE(system.manager().islands().empty());
      errors.push_back(std::abs(system.Read("load.x") - 0.1 * std::cos(10.0)));
    }
    for (std::size_t i = 1; i < errors.size(); ++i) {
      EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2, 0.15) << "filter " << filter;
    }
  }
}

TEST(SpringCTest, SwingsForeverWithoutFilter) {
  constexpr double kStep = 0.01;
  constexpr double kMass = 2;
  constexpr double kZc = 200 * kStep;
  TestSystem system(Oscillator(kStep, 1001, 0));
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  const Item v = system.Find("load.v");
  const Item c_a = system.Find("spring.a.c");
  const Item c_b = system.Find("spring.b.c");
  // The line holds the waves that left its ends, d = c + 2 Zc v. What mass and line have together changes by
  // h (F v)' - h/4 (F' + F)(v' + v) in a step, which is a difference too: H is kept exactly.
  const auto energy = [&] {
    const double d_a = c_a.Read() + 2 * kZc * v.Read();
    const double d_b = c_b.Read();
    const double F = c_a.Read() + kZc * v.Read();
    return kMass / 2 * v.Read() * v.Read() + kStep / (4 * kZc) * (d_a * d_a + d_b * d_b) -
           kStep / 2 * F * v.Read() + kStep * kStep / (8 * kMass) * F * F;
  };
  const double at_start = energy();
  const double kinetic_at_start = kMass / 2 * v.Read() * v.Read();
  building_blocks::CompensatedSum work;  // on the mass
  double most = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double F0 = -(c_a.Read() + kZc * v.Read());
    const double v0 = v.Read();
    manager.Step();
    work += kStep / 4 * (F0 - (c_a.Read() + kZc * v.Read())) * (v0 + v.Read());
    most = std::max(most, std::abs(energy() - at_start));
  }
  EXPECT_NEAR(at_start, 1.0, 0.01) << "k x^2/2";
  EXPECT_LE(most, 1e-12 * at_start);
  EXPECT_NEAR(kMass / 2 * v.Read() * v.Read() - kinetic_at_start, work.value(), 1e-12);
}

TEST(SpringCTest, AFilterTakesEnergySlowly) {
  // The damper of a plain filter, k h al/(1 - al) = 0.22 N s/m, would leave exp(-0.11*100) = 1e-5 of it.
  TestSystem system(Oscillator(0.01, 100, 0.1));
  system.Run();
  const double energy = 100 * std::pow(system.Read("load.x"), 2) + std::pow(system.Read("load.v"), 2);
  EXPECT_LT(energy, 1);
  EXPECT_GT(energy, 0.9);
}

TEST(SpringCTest, RestsWhereTheForcesAreEven) {
  // weight = k x + preload, to rounding, whatever the filter and the step.
  for (const double h : {0.02, 0.003}) {
    TestSystem system(SystemText("TimeStep='" + ToXml(h) + " s' StopTime='60 s'", "", R"(
      <mechanical.Fixed name="floor" position="20 mm"/>
      <mechanical.Mass name="load" mass="2 kg" weight="30 N"><Start x="-0.3 m"/></mechanical.Mass>
      <mechanical.SpringC name="spring" stiffness="200 N/m" preload="4 N" damping="20 N.s/m"/>
      <Connect from="floor.port" to="spring.a"/>
      <Connect from="spring.b" to="load.a"/>)"));
    system.Run();
    EXPECT_NEAR(system.Read("load.x"), 0.02 - (30.0 - 4) / 200, 1e-14);
    EXPECT_NEAR(system.Read("load.v"), 0, 1e-14);
    EXPECT_NEAR(system.Read("spring.force"), 30, 1e-11);
  }
}

TEST(SpringCTest, StartsInBalance) {
  TestSystem system(SystemText("TimeStep='1 ms' StopTime='0.1 s'", "", R"(
    <mechanical.Fixed name="floor"/>
    <mechanical.Mass name="load" weight="30 N"><Start x="-0.15 m"/></mechanical.Mass>
    <mechanical.SpringC name="spring" stiffness="200 N/m"/>
    <Connect from="floor.port" to="spring.a"/>
    <Connect from="spring.b" to="load.a"/>)"));
  system.manager().Initialize();
  EXPECT_DOUBLE_EQ(system.Read("spring.force"), 30);
  EXPECT_NEAR(system.Read("load.acceleration"), 0, 1e-14);
  system.manager().RunUntil(0.1);
  EXPECT_NEAR(system.Read("load.x"), -0.15, 1e-15);
}

TEST(SpringCTest, ChainOfMassesSwingsAsWithIdealSprings) {
  // Three masses and two springs between free ends, in both kinds; the centre of mass stays.
  const auto chain = [](const char* spring, double h) {
    std::string text;
    for (int i = 1; i <= 3; ++i) {
      text += "<mechanical.Mass name='m" + std::to_string(i) + "' mass='" + std::to_string(i) + " kg'>" +
              (i == 1 ? "<Start x='0.1 m'/>" : "") + "</mechanical.Mass>";
    }
    for (int i = 1; i <= 2; ++i) {
      const std::string n = std::to_string(i);
      text += "<mechanical." + std::string(spring) + " name='s" + n +
              "' stiffness='100 N/m'/><Connect from='m" + n + ".b' to='s" + n + ".a'/><Connect from='s" + n +
              ".b' to='m" + std::to_string(i + 1) + ".a'/>";
    }
    return SystemText("TimeStep='" + ToXml(h) + " s' StopTime='2 s'",
                      "method='runge_kutta_dopri5' rtol='1e-11' atol='1e-13'", text);
  };
  TestSystem exact(chain("Spring", 0.01));
  exact.Run();
  std::vector<double> errors;
  for (const double h : {0.01, 0.005, 0.0025}) {
    TestSystem system(chain("SpringC", h));
    system.Run();
    errors.push_back(0);
    for (const char* x : {"m1.x", "m2.x", "m3.x"}) {
      errors.back() = std::max(errors.back(), std::abs(system.Read(x) - exact.Read(x)));
    }
  }
  EXPECT_LT(errors.back(), 3e-4);
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2, 0.15);
}

TEST(SpringCTest, StandsBesideAnIsland) {
  // One spring of each kind: 100 + 100 N/m on 2 kg.
  std::vector<double> errors;
  for (const double h : {0.01, 0.005, 0.0025}) {
    TestSystem system(
        SystemText("TimeStep='" + ToXml(h) + " s' StopTime='1 s'", "rtol='1e-10' atol='1e-12'", R"(
      <mechanical.Fixed name="wall"/>
      <mechanical.Mass name="load" mass="2 kg"><Start x="0.1 m"/></mechanical.Mass>
      <mechanical.SpringC name="wave" stiffness="100 N/m" filter="0"/>
      <mechanical.Spring name="ideal" stiffness="100 N/m"/>
      <Connect from="wall.port" to="wave.a"/><Connect from="wave.b" to="load.a"/>
      <Connect from="wall.port" to="ideal.a"/><Connect from="ideal.b" to="load.a"/>)"));
    system.Run();
    EXPECT_EQ(system.manager().islands().size(), 1U);
    errors.push_back(std::abs(system.Read("load.x") - 0.1 * std::cos(10.0)));
  }
  EXPECT_LT(errors.back(), 1e-3);
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_GT(std::log2(errors[i - 1] / errors[i]), 0.85);
}

TEST(SpringCTest, StickSlipHasTheStrokeOfTheBook) {
  // A mass drawn over a rough floor by a slowly moving spring jumps by 2 (F_static - F_kinetic)/k.
  TestSystem system(SystemText("TimeStep='1 ms' StopTime='100 s'", "", R"(
    <mechanical.VelocitySource name="pull" velocity="1 mm/s"/>
    <mechanical.SpringC name="spring" stiffness="1000 N/m" filter="0"/>
    <mechanical.Mass name="load" mass="1 kg" static_friction="10 N" kinetic_friction="6 N"/>
    <Connect from="pull.port" to="spring.a"/>
    <Connect from="spring.b" to="load.a"/>)"));
  SimulatorManager& manager = system.manager();
  manager.Initialize();
  const Item x = system.Find("load.x");
  const Item v = system.Find("load.v");
  std::vector<double> jumps;
  double rest = 0;
  bool is_sliding = false;
  while (!manager.is_finished()) {
    manager.Step();
    if (is_sliding && v.Read() == 0) {
      jumps.push_back(x.Read() - rest);
      rest = x.Read();
    }
    is_sliding = v.Read() != 0;
  }
  ASSERT_GE(jumps.size(), 10U);
  EXPECT_LE(jumps.size(), 13U);
  for (const double jump : jumps) EXPECT_NEAR(jump, 2 * (10.0 - 6) / 1000, 2e-4);
}

TEST(SpringCTest, RunsAreEqualBitForBitAndTakeNothingFromTheHeap) {
  TestSystem system(
      Oscillator(0.01, 10, 0.1, "<Record signals='load.x load.v spring.force' interval='10 ms'/>"));
  const std::vector<TestRow> first = system.RunAndRecord();
  EXPECT_EQ(system.RunAndRecord(), first);
  TestSystem silent(Oscillator(0.01, 10, 0.1));
  silent.manager().Initialize();
  const AllocationCounter counter;
  for (int i = 0; i < 1000; ++i) silent.manager().Step();
  EXPECT_EQ(counter.count(), 0U);
}

TEST(SpringCTest, ANewRateActsWithoutABumpOfTheMotion) {
  TestSystem system(Oscillator(0.001, 1, 0.1, "<At time='0.3 s' set='spring.stiffness' value='400 N/m'/>"));
  system.manager().Initialize();
  system.manager().RunUntil(0.3);
  const double x = system.Read("load.x");
  const double v = system.Read("load.v");
  system.manager().Step();
  EXPECT_NEAR(system.Read("load.x"), x + 0.001 * v, 1e-4 * 0.1);
  EXPECT_NEAR(system.Read("load.acceleration"), -400 * x / 2, 0.3);
}

}  // namespace
}  // namespace davit
