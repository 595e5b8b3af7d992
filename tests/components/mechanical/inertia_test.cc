#include "components/mechanical/inertia.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/component_harness.h"

namespace davit {
namespace {

class InertiaTest : public testing::Test {
 protected:
  double Read(std::string_view name) { return harness.Read(inertia, name); }
  void StartFixedSteps(double h) {
    inertia.set_simulator_time_step(h);
    inertia.ChooseSolver(SolverType::kTlm);
    harness.Start();
  }

  ComponentHarness harness;
  Inertia& inertia = harness.Add<Inertia>("rotor");
  RotationalBond& a = harness.Attach<RotationalBond>(inertia, "a");
  RotationalBond& b = harness.Attach<RotationalBond>(inertia, "b");
};

TEST_F(InertiaTest, TurnsUnderTheTorquesOfBothSides) {
  harness.Set(inertia, "inertia", 3);
  harness.Set(inertia, "viscous_friction", 2);
  harness.SetStart(inertia, "w", 4);
  a.c = 50;
  a.Zc = 1;
  a.added_inertia = 0.5;
  b.c = 20;
  b.Zc = 0.5;
  b.added_inertia = 1.5;
  harness.Start();
  EXPECT_DOUBLE_EQ(Read("torque"), 50 - 20 - (2 + 1 + 0.5) * 4);
  EXPECT_DOUBLE_EQ(Read("acceleration"), Read("torque") / 5);
  EXPECT_EQ(Read("w.ddt"), Read("acceleration"));
  EXPECT_EQ(Read("angle.ddt"), 4);
}

TEST_F(InertiaTest, MotionCountsIntoTheNeighbours) {
  harness.Set(inertia, "inertia", 7);
  harness.SetStart(inertia, "angle", 0.3);
  harness.SetStart(inertia, "w", -2);
  harness.Start();
  EXPECT_EQ(a.angle, -0.3);
  EXPECT_EQ(a.w, 2);
  EXPECT_EQ(b.angle, 0.3);
  EXPECT_EQ(b.w, -2);
  EXPECT_EQ(a.inertia, 7);
  EXPECT_EQ(b.inertia, 7);
}

TEST_F(InertiaTest, RunsDownExponentially) {
  harness.Set(inertia, "inertia", 4);
  harness.Set(inertia, "viscous_friction", 2);
  harness.SetStart(inertia, "w", 10);
  harness.Start();
  harness.Integrate(0, 0.01, 100);
  EXPECT_NEAR(Read("w"), 10 * std::exp(-0.5), 1e-10);
  EXPECT_NEAR(Read("angle"), 10 * 2 * (1 - std::exp(-0.5)), 1e-10);
}

TEST_F(InertiaTest, OneFixedStepByHand) {
  harness.Set(inertia, "inertia", 4);
  harness.Set(inertia, "viscous_friction", 5);
  harness.SetStart(inertia, "w", 2);
  a.c = 20;
  a.Zc = 7;
  StartFixedSteps(0.1);
  const double T0 = 20 - 12 * 2;
  a.c = 60;
  b.Zc = 3;
  inertia.SimulateOneTimestep(0.1);
  const double w1 = (4 * 2 + 0.05 * (T0 + 60)) / (4 + 0.05 * 15);
  EXPECT_DOUBLE_EQ(Read("w"), w1);
  EXPECT_DOUBLE_EQ(Read("angle"), 0.05 * (2 + w1));
  EXPECT_DOUBLE_EQ(Read("torque"), 60 - 15 * w1);
  EXPECT_EQ(b.w, w1);
  EXPECT_EQ(a.angle, -Read("angle"));
}

TEST_F(InertiaTest, FixedStepsAreThoseOfTheTrapezoidalRuleOfAllModels) {
  Inertia& other = harness.Add<Inertia>("other");
  RotationalBond& other_a = harness.Attach<RotationalBond>(other, "a");
  for (Inertia* each : {&inertia, &other}) {
    harness.Set(*each, "inertia", 0.2);
    harness.Set(*each, "viscous_friction", 0.5);
    harness.SetStart(*each, "w", 3);
  }
  other.set_simulator_time_step(0.01);
  other.PrepareTimestep();
  StartFixedSteps(0.01);
  for (int i = 1; i <= 200; ++i) {
    other_a.c = a.c = 4 * std::sin(0.3 * i);
    other_a.Zc = a.Zc = 5 + 4 * std::cos(0.1 * i);
    inertia.SimulateOneTimestep(i * 0.01);
    other.DynamicSimComponent::SimulateOneTimestep(i * 0.01);
    for (const char* name : {"angle", "w", "acceleration", "torque"}) {
      EXPECT_NEAR(Read(name), harness.Read(other, name), 1e-12 * (1 + std::abs(Read(name)))) << name << i;
    }
  }
}

TEST_F(InertiaTest, SticksSlidesAndStopsUnderDryFriction) {
  harness.Set(inertia, "inertia", 2);
  harness.Set(inertia, "static_friction", 10);
  harness.Set(inertia, "kinetic_friction", 8);
  StartFixedSteps(0.01);
  const auto step = [&](int steps) {
    for (int i = 0; i < steps; ++i) inertia.SimulateOneTimestep(0);
  };
  a.c = 10;
  step(10);
  EXPECT_EQ(Read("angle"), 0);
  a.c = 12;
  step(1);
  const double w = Read("w");
  EXPECT_GT(w, 0);
  step(100);
  EXPECT_NEAR(Read("w") - w, (12.0 - 8) / 2, 1e-12);
  a.c = 0;
  step(100);
  EXPECT_EQ(Read("w"), 0);
  EXPECT_EQ(Read("acceleration"), 0);
}

TEST_F(InertiaTest, DryFrictionIsSmoothForSolvers) {
  harness.Set(inertia, "kinetic_friction", 8);
  harness.SetStart(inertia, "w", -0.01);
  harness.Start();
  EXPECT_DOUBLE_EQ(Read("torque"), 8 * std::tanh(1.0));
}

}  // namespace
}  // namespace davit
