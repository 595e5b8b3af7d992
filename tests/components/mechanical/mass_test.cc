#include "components/mechanical/mass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "components/hydraulic/cylinder.h"
#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

class MassTest : public testing::Test {
 protected:
  double Read(std::string_view name) { return harness.Read(mass, name); }

  ComponentHarness harness;
  Mass& mass = harness.Add<Mass>("load");
};

TEST_F(MassTest, SidesPushAgainstEachOther) {
  auto& a1 = harness.AttachTranslational(mass, "a");
  auto& a2 = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.Set(mass, "mass", 2);
  harness.Set(mass, "weight", 20);
  harness.Set(mass, "viscous_friction", 4);
  harness.SetStart(mass, "v", 0.5);
  EXPECT_FALSE(harness.Start().has_errors());
  a1.c = 100;
  a2.c = 30;
  b.c = 60;
  harness.Evaluate();
  EXPECT_DOUBLE_EQ(Read("force"), 100 + 30 - 60 - 20 - 2);
  EXPECT_DOUBLE_EQ(Read("acceleration"), 24);
  EXPECT_EQ(Read("v.ddt"), Read("acceleration"));
  EXPECT_EQ(Read("x.ddt"), 0.5);
}

TEST_F(MassTest, ImpedanceOfANeighbourResistsTheMotion) {
  auto& a = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.SetStart(mass, "v", 2);
  harness.Start();
  a.Zc = 3;
  b.Zc = 5;
  harness.Evaluate();
  EXPECT_EQ(Read("force"), -16);
}

TEST_F(MassTest, MotionCountsIntoTheNeighbours) {
  auto& a = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.Set(mass, "mass", 7);
  harness.SetStart(mass, "x", 0.3);
  harness.SetStart(mass, "v", -2);
  harness.Start();
  EXPECT_EQ(a.x, -0.3);
  EXPECT_EQ(a.v, 2);
  EXPECT_EQ(b.x, 0.3);
  EXPECT_EQ(b.v, -2);
  EXPECT_EQ(a.mass, 7);
  EXPECT_EQ(b.mass, 7);
}

TEST_F(MassTest, MovesTheMassesOfItsNeighboursAlong) {
  auto& a = harness.AttachTranslational(mass, "a");
  auto& b = harness.AttachTranslational(mass, "b");
  harness.Set(mass, "mass", 10000);
  a.added_mass = 500;
  harness.Start();
  a.c = 10500;
  harness.Evaluate();
  EXPECT_EQ(Read("acceleration"), 1);
  b.added_mass = 10500;
  harness.Evaluate();
  EXPECT_EQ(Read("acceleration"), 0.5);
}

TEST_F(MassTest, FallsFreely) {
  harness.Set(mass, "mass", 3);
  harness.Set(mass, "weight", 3 * 9.81);
  harness.Start();
  harness.Integrate(0, 0.01, 100);
  EXPECT_NEAR(Read("x"), -9.81 / 2, 1e-12);
  EXPECT_NEAR(Read("v"), -9.81, 1e-12);
}

TEST_F(MassTest, RestsOnAStopAndLeavesItWhenPulled) {
  auto& a = harness.AttachTranslational(mass, "a");
  harness.Set(mass, "weight", 10);
  harness.Set(mass, "x_min", -0.5);
  harness.Start();
  harness.Integrate(0, 0.01, 100);
  EXPECT_EQ(Read("x"), -0.5);
  EXPECT_EQ(Read("v"), 0);
  EXPECT_EQ(Read("acceleration"), 0);
  EXPECT_EQ(Read("force"), -10);
  a.c = 9;
  harness.Integrate(1, 0.01, 10);
  EXPECT_EQ(Read("x"), -0.5);
  a.c = 12;
  harness.Integrate(1.1, 0.01, 100);
  EXPECT_NEAR(Read("x"), -0.5 + 1, 1e-9);
}

TEST_F(MassTest, StopsAtTheUpperEndToo) {
  auto& a = harness.AttachTranslational(mass, "a");
  harness.Set(mass, "x_max", 0.25);
  harness.Start();
  a.c = 1;
  harness.Integrate(0, 0.01, 200);
  EXPECT_EQ(Read("x"), 0.25);
  EXPECT_EQ(Read("v"), 0);
}

TEST_F(MassTest, ReboundsWithTheRestitution) {
  harness.Set(mass, "x_min", 0);
  harness.Set(mass, "restitution", 0.5);
  harness.SetStart(mass, "x", 0.1);
  harness.SetStart(mass, "v", -2);
  harness.Start();
  harness.Integrate(0, 0.01, 20);
  EXPECT_EQ(Read("v"), 1);
  EXPECT_GT(Read("x"), 0);
}

TEST_F(MassTest, BouncesEndInRest) {
  harness.Set(mass, "weight", 9.81);
  harness.Set(mass, "x_min", 0);
  harness.Set(mass, "restitution", 0.5);
  harness.SetStart(mass, "x", 1);
  harness.Start();
  harness.Integrate(0, 0.01, 300);
  EXPECT_EQ(Read("x"), 0);
  EXPECT_EQ(Read("v"), 0);
}

TEST_F(MassTest, ObeysTheTravelOfItsNeighbours) {
  auto& a = harness.AttachTranslational(mass, "a");
  a.x_min = -0.2;  // into the neighbour at a: the mass may go up to +0.2
  harness.SetStart(mass, "v", 1);
  harness.Start();
  harness.Integrate(0, 0.01, 100);
  EXPECT_EQ(Read("x"), 0.2);
}

TEST_F(MassTest, TakesTheStartOfACylinder) {
  auto& cylinder = harness.Add<Cylinder>("cylinder");
  harness.Connect(cylinder, "rod", mass, "a");
  harness.SetStart(cylinder, "x", 1);
  EXPECT_FALSE(harness.Start().has_errors());
  EXPECT_EQ(Read("x"), 1);
  EXPECT_EQ(harness.Read(cylinder, "x"), 1);
  harness.SetStart(mass, "x", 1);
  EXPECT_FALSE(harness.Start().has_errors());
}

TEST_F(MassTest, ACylinderOnTheOtherSideCountsAgainstX) {
  auto& cylinder = harness.Add<Cylinder>("cylinder");
  harness.Connect(cylinder, "rod", mass, "b");
  harness.SetStart(cylinder, "x", 1);
  EXPECT_FALSE(harness.Start().has_errors());
  EXPECT_EQ(Read("x"), -1);
  EXPECT_EQ(harness.Read(cylinder, "x"), 1);
}

TEST_F(MassTest, RefusesAStartThatContradictsTheCylinder) {
  auto& cylinder = harness.Add<Cylinder>("cylinder");
  harness.Connect(cylinder, "rod", mass, "a");
  harness.SetStart(cylinder, "x", 1.25);
  harness.SetStart(mass, "x", 0.5);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  const Diagnostic& error = diagnostics.all()[0];
  EXPECT_EQ(error.path, "/load");
  for (const char* part : {"/cylinder", "0.5", "1.25"})
    EXPECT_NE(error.message().find(part), std::string::npos);
}

TEST_F(MassTest, RefusesTwoCylindersThatContradictEachOther) {
  auto& left = harness.Add<Cylinder>("left");
  auto& right = harness.Add<Cylinder>("right");
  harness.Connect(left, "rod", mass, "a");
  harness.Connect(right, "rod", mass, "b");
  harness.SetStart(left, "x", 1);
  harness.SetStart(right, "x", 1);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  for (const char* part : {"/left", "/right"}) {
    EXPECT_NE(diagnostics.all()[0].message().find(part), std::string::npos);
  }
}

TEST_F(MassTest, RefusesATravelWithoutRoomAndAStartOutside) {
  harness.Set(mass, "x_min", 1);
  EXPECT_EQ(harness.Start().error_count(), 1U);
  harness.Set(mass, "x_max", 0);
  EXPECT_EQ(harness.Start().error_count(), 1U);
  harness.Set(mass, "x_max", 2);
  harness.SetStart(mass, "x", 1.5);
  EXPECT_EQ(harness.Start().error_count(), 0U);
}

TEST_F(MassTest, DryFrictionFadesAtTheStickVelocity) {
  harness.Set(mass, "kinetic_friction", 8);
  harness.Set(mass, "static_friction", 100);
  harness.Set(mass, "stick_velocity", 0.01);
  for (const double v : {0.0, 0.002, 0.01, 1.0, -0.002, -1.0}) {
    harness.SetStart(mass, "v", v);
    harness.Start();
    EXPECT_DOUBLE_EQ(Read("force"), -8 * std::tanh(v / 0.01)) << v;
  }
}

TEST_F(MassTest, SlidesToAHaltAgainstDryFriction) {
  harness.Set(mass, "mass", 2);
  harness.Set(mass, "kinetic_friction", 8);
  harness.SetStart(mass, "v", 1);
  harness.Start();
  harness.Integrate(0, 1e-4, 5000);
  // x = m v^2/(2 F); the regularised law gives it to about v_stick^2
  EXPECT_NEAR(Read("x"), 2.0 / 16, 1e-6);
  EXPECT_NEAR(Read("v"), 0, 1e-6);
}

// ---- fixed steps -----------------------------------------------------------------------------------

/// A mass of 1 kg that 1 N presses against its stop at 0, and that a force of t N pulls away from it:
/// x'' = t - 1 from t = 1 on.
std::string PulledFromItsStop(bool is_low, const std::string& method, const std::string& stop = "") {
  return SystemText("TimeStep='0.1' StopTime='3'", "method='" + method + "' rtol='1e-9' atol='1e-9'",
                    std::string("<signal.Ramp name='ramp' to='3' duration='3'/>"
                                "<mechanical.Force name='pull'/><mechanical.Mass name='m' ") +
                        (is_low ? "weight='1' x_min='0' " : "weight='-1' x_max='0' ") + stop +
                        " located_stops='true'/><Route from='ramp.y' to='pull.force'/>"
                        "<Connect from='pull.port' to='m." +
                        (is_low ? "a" : "b") + "'/><Record signals='m.x m.v'/>");
}

TEST(MassWithLocatedStopsTest, RestsToTheBitUntilTheForcePointsAway) {
  for (const char* method : {"runge_kutta_dopri5", "runge_kutta4", "rosenbrock4", "rodas5p", "ida", "auto"}) {
    for (const bool is_low : {true, false}) {
      TestSystem test(PulledFromItsStop(is_low, method));
      for (const TestRow& row : test.RunAndRecord()) {
        const double s = std::max(0.0, row.t - 1) * (is_low ? 1 : -1);
        EXPECT_NEAR(row.values[0], s * s * s / 6, 1e-7) << method << row.t;
        if (row.t > 1) continue;
        EXPECT_EQ(row.values[0], 0) << method << row.t;
        EXPECT_EQ(row.values[1], 0) << method << row.t;
      }
      EXPECT_EQ(test.manager().statistics().events, 1U) << method;
    }
  }
}

TEST(MassWithLocatedStopsTest, AnImpactLeavesTheShareOfEnergyOfItsRestitution) {
  // Falls 0.5 m, rises to e^2 of that; with e = 0 it rests at once.
  for (const double e : {0.0, 0.5, 1.0}) {
    TestSystem test(SystemText("TimeStep='10 ms' StopTime='0.6'", "rtol='1e-9' atol='1e-9'",
                               "<mechanical.Mass name='m' mass='2' weight='20' x_min='0' restitution='" +
                                   ToXml(e) + "' located_stops='true'><Start x='0.5'/></mechanical.Mass>"));
    test.Run();
    const double x = test.Read("m.x"), v = test.Read("m.v");
    EXPECT_NEAR(v * v / 2 + 10 * x, e * e * 5, 1e-7) << e;
    if (e == 0) {
      EXPECT_EQ(test.Read("m.acceleration"), 0);
    }
  }
}

TEST(MassWithLocatedStopsTest, WhatPutsItElsewhereEndsItsRest) {
  TestSystem test(SystemText("TimeStep='10 ms' StopTime='2'", "rtol='1e-9' atol='1e-9'",
                             "<mechanical.Mass name='m' weight='10' x_min='0' located_stops='true'/>"
                             "<At time='1 s' set='m.x' value='1'/>"));
  test.manager().Initialize();
  test.manager().RunUntil(1);
  EXPECT_EQ(test.Read("m.x"), 0);
  test.manager().RunUntil(1.2);
  EXPECT_NEAR(test.Read("m.x"), 1 - 10 * 0.2 * 0.2 / 2, 1e-8);
  test.manager().RunUntil(2);
  EXPECT_EQ(test.Read("m.x"), 0);
}

/// A mass between two waves that the test makes up.
class MassWithFixedStepsTest : public MassTest {
 protected:
  void Start() {
    mass.set_simulator_time_step(h);
    mass.ChooseSolver(SolverType::kTlm);
    ASSERT_FALSE(harness.Start().has_errors());
  }
  void Step(int steps = 1) {
    for (int i = 0; i < steps; ++i) mass.SimulateOneTimestep(++n * h);
  }

  double h = 0.01;
  int n = 0;
  TranslationalBond& a = harness.AttachTranslational(mass, "a");
  TranslationalBond& b = harness.AttachTranslational(mass, "b");
};

TEST_F(MassWithFixedStepsTest, OneStepByHand) {
  harness.Set(mass, "mass", 4);
  harness.Set(mass, "weight", 3);
  harness.Set(mass, "viscous_friction", 5);
  harness.SetStart(mass, "x", 0.25);
  harness.SetStart(mass, "v", 2);
  a.c = 20;
  a.Zc = 7;
  b.c = 4;
  b.Zc = 1;
  b.added_mass = 6;
  Start();
  const double F0 = 20 - 4 - 3 - (5 + 7 + 1) * 2;
  EXPECT_DOUBLE_EQ(Read("force"), F0);
  a.c = 120;
  a.Zc = 9;
  Step();
  const double v1 = (10 * 2 + 0.005 * (F0 + 120 - 4 - 3)) / (10 + 0.005 * (5 + 9 + 1));
  EXPECT_DOUBLE_EQ(Read("v"), v1);
  EXPECT_DOUBLE_EQ(Read("x"), 0.25 + 0.005 * (2 + v1));
  EXPECT_DOUBLE_EQ(Read("force"), 120 - 4 - 3 - 15 * v1);
  EXPECT_DOUBLE_EQ(Read("acceleration"), Read("force") / 10);
  EXPECT_EQ(Read("x.ddt"), Read("v"));
  EXPECT_EQ(Read("v.ddt"), Read("acceleration"));
  EXPECT_EQ(a.x, -Read("x"));
  EXPECT_EQ(a.v, -Read("v"));
  EXPECT_EQ(b.x, Read("x"));
  EXPECT_EQ(b.v, Read("v"));
}

TEST_F(MassWithFixedStepsTest, AreThoseOfTheTrapezoidalRuleOfAllModels) {
  Mass& other = harness.Add<Mass>("other");
  TranslationalBond& other_a = harness.AttachTranslational(other, "a");
  TranslationalBond& other_b = harness.AttachTranslational(other, "b");
  for (Mass* each : {&mass, &other}) {
    harness.Set(*each, "mass", 3);
    harness.Set(*each, "weight", 30);
    harness.Set(*each, "viscous_friction", 2);
    harness.SetStart(*each, "v", 0.5);
    each->set_simulator_time_step(h);
    each->ChooseSolver(SolverType::kTlm);
    each->PrepareTimestep();
  }
  Start();
  for (int i = 1; i <= 200; ++i) {
    other_a.c = a.c = 40 + 30 * std::sin(0.3 * i);
    other_b.c = b.c = 10 * std::cos(i);
    other_a.Zc = a.Zc = 50 + 40 * std::sin(0.1 * i);
    other_b.Zc = b.Zc = 20;
    Step();
    other.DynamicSimComponent::SimulateOneTimestep(i * h);
    for (const char* name : {"x", "v", "acceleration", "force"}) {
      EXPECT_NEAR(Read(name), harness.Read(other, name), 1e-12 * (1 + std::abs(Read(name)))) << name << i;
    }
    EXPECT_NEAR(a.x, other_a.x, 1e-12);
    EXPECT_NEAR(b.v, other_b.v, 1e-12);
  }
}

TEST_F(MassWithFixedStepsTest, FallIsExactOfSecondOrder) {
  harness.Set(mass, "weight", 9.81);
  Start();
  Step(100);
  EXPECT_NEAR(Read("v"), -9.81, 1e-12);
  EXPECT_NEAR(Read("x"), -9.81 / 2, 1e-12);
}

TEST_F(MassWithFixedStepsTest, AgreeWithTheEquationsOfMotionForSmallSteps) {
  // m v' = -Z v:  v = v0 exp(-Z t/m)
  harness.Set(mass, "mass", 2);
  harness.SetStart(mass, "v", 1);
  std::vector<double> errors;
  for (const int steps : {10, 20, 40, 80}) {
    h = 1.0 / steps;
    a.Zc = 3;
    n = 0;
    Start();
    Step(steps);
    errors.push_back(std::abs(Read("v") - std::exp(-1.5)));
  }
  for (std::size_t i = 1; i < errors.size(); ++i) EXPECT_NEAR(std::log2(errors[i - 1] / errors[i]), 2, 0.05);
}

TEST_F(MassWithFixedStepsTest, StickUntilTheForceIsAboveTheStaticFriction) {
  harness.Set(mass, "static_friction", 10);
  harness.Set(mass, "kinetic_friction", 6);
  harness.SetStart(mass, "x", 0.5);
  Start();
  for (const double c : {0.0, 9.9, 10.0, -10.0}) {
    a.c = c;
    Step(3);
    EXPECT_EQ(Read("v"), 0) << c;
    EXPECT_EQ(Read("x"), 0.5) << c;
    EXPECT_EQ(Read("acceleration"), 0) << c;
  }
  a.c = -10.5;
  Step();
  EXPECT_LT(Read("v"), 0);
  const double v = Read("v");
  Step();
  EXPECT_NEAR(Read("v") - v, -(10.5 - 6) * h, 1e-15) << "once it slides only the kinetic friction resists";
  a.c = -7;  // less than static_friction: it slides on
  Step();
  const double v2 = Read("v");
  Step();
  EXPECT_NEAR(Read("v") - v2, -(7 - 6) * h, 1e-15);
}

TEST_F(MassWithFixedStepsTest, SlideToAHaltAndStayThere) {
  harness.Set(mass, "mass", 2);
  harness.Set(mass, "kinetic_friction", 8);
  for (const double direction : {1.0, -1.0}) {
    harness.SetStart(mass, "v", direction);
    a.c = 0;
    Start();
    double last = std::abs(Read("v"));
    for (int i = 0; i < 24; ++i) {  // v/(F/m) = 0.25 s
      Step();
      EXPECT_NEAR(last - std::abs(Read("v")), 8.0 / 2 * h, 1e-14);
      last = std::abs(Read("v"));
    }
    Step(2);
    EXPECT_EQ(Read("v"), 0);
    EXPECT_NEAR(Read("x"), direction * 2.0 / 16, h * h * 4);
    const double x = Read("x");
    a.c = direction * 7.9;
    Step(20);
    EXPECT_EQ(Read("x"), x);
    a.c = direction * -7.9;
    Step(20);
    EXPECT_EQ(Read("x"), x);
  }
}

TEST_F(MassWithFixedStepsTest, StartSlidingAtOnceWhereTheStartForceIsLarge) {
  harness.Set(mass, "kinetic_friction", 4);
  a.c = 10;
  Start();
  EXPECT_EQ(Read("force"), 6);
  Step(10);
  EXPECT_NEAR(Read("v"), 6 * 0.1, 1e-14);
  EXPECT_NEAR(Read("x"), 6 * 0.1 * 0.1 / 2, 1e-14);
}

TEST_F(MassWithFixedStepsTest, EndAtTheStopsAndLeaveThem) {
  harness.Set(mass, "x_min", -0.1);
  harness.Set(mass, "x_max", 0.2);
  Start();
  for (const double sign : {1.0, -1.0, 1.0}) {
    const double limit = sign > 0 ? 0.2 : -0.1;
    a.c = 5 * sign;
    for (int i = 0; i < 200; ++i) {
      Step();
      ASSERT_LE(Read("x"), 0.2);
      ASSERT_GE(Read("x"), -0.1);
    }
    EXPECT_EQ(Read("x"), limit);
    EXPECT_EQ(b.x, limit);
    EXPECT_EQ(b.v, 0);
    EXPECT_EQ(Read("v"), 0);
    EXPECT_EQ(Read("acceleration"), 0);
    EXPECT_EQ(Read("force"), 5 * sign) << "what the stop bears";
  }
}

/// The program of Hopsan's tutorial for a mass: a filter 1/(m s + R) by the bilinear transform, an integrator
/// by the trapezoidal rule, both restarted at a limit.
struct TutorialMass {
  double h, m, x_min, x_max;
  double x, v, u;  ///< the last step, with u = c1 - c2

  void Step(double u_new, double R) {
    const double v_new = ((2 * m - h * R) * v + h * (u_new + u)) / (2 * m + h * R);
    x += h / 2 * (v + v_new);
    v = v_new;
    u = u_new;
    if (x < x_min || x > x_max) {
      x = x < x_min ? x_min : x_max;
      v = 0;
    }
  }
};

TEST_F(MassWithFixedStepsTest, AreThoseOfTheTutorialBetweenItsLimits) {
  const double m = 100, B = 10, Zc1 = 300, Zc2 = 150;
  harness.Set(mass, "mass", m);
  harness.Set(mass, "viscous_friction", B);
  harness.Set(mass, "x_min", 0);
  harness.Set(mass, "x_max", 0.6);
  harness.SetStart(mass, "x", 0.3);
  a.Zc = Zc1;
  b.Zc = Zc2;
  Start();
  TutorialMass tutorial{h, m, 0, 0.6, 0.3, 0, 0};
  // A mass that leaves a stop is a little faster than in the tutorial, which counts the force that pressed it
  // on for another half step.
  double v_apart = 0, x_apart = 0;
  int landings = 0, departures = 0;
  for (int i = 1; i <= 2000; ++i) {
    a.c = 900 * std::sin(0.01 * i);
    b.c = 40 * std::cos(0.023 * i);
    const double u_before = tutorial.u;
    const bool was_stopped = Read("v") == 0 && i > 1;
    Step();
    tutorial.Step(a.c - b.c, B + Zc1 + Zc2);
    const bool is_stopped = Read("v") == 0;
    if (is_stopped) {
      landings += was_stopped ? 0 : 1;
      v_apart = x_apart = 0;
    } else if (was_stopped) {
      ++departures;
      v_apart = h * std::abs(u_before) / (2 * m);
      x_apart = h * v_apart;
    }
    ASSERT_NEAR(Read("v"), tutorial.v, v_apart + 1e-12) << i;
    ASSERT_NEAR(Read("x"), tutorial.x, x_apart + 1e-12) << i;
    x_apart += h * v_apart;
  }
  EXPECT_GE(landings, 5);
  EXPECT_GE(departures, 5);
}

TEST_F(MassWithFixedStepsTest, ReboundWithTheRestitution) {
  harness.Set(mass, "x_max", 0.1);
  harness.Set(mass, "restitution", 0.5);
  harness.SetStart(mass, "v", 2);
  Start();
  Step(20);
  EXPECT_EQ(Read("v"), -1);
  EXPECT_EQ(b.v, -1);
  EXPECT_LT(Read("x"), 0.1);
}

TEST_F(MassWithFixedStepsTest, BouncesEndInRest) {
  harness.Set(mass, "weight", 9.81);
  harness.Set(mass, "x_min", 0);
  harness.Set(mass, "restitution", 0.5);
  harness.SetStart(mass, "x", 1);
  Start();
  Step(300);
  EXPECT_EQ(Read("x"), 0);
  EXPECT_EQ(Read("v"), 0);
}

TEST_F(MassWithFixedStepsTest, KeepPlaceAndSpeedWhenParametersChange) {
  harness.SetStart(mass, "v", 1);
  Start();
  Step(10);
  const double x = Read("x");
  harness.Set(mass, "mass", 5);
  harness.Set(mass, "viscous_friction", 100);
  harness.Apply(mass);
  EXPECT_EQ(Read("x"), x);
  EXPECT_EQ(Read("v"), 1);
  EXPECT_EQ(a.mass, 5);
}

}  // namespace
}  // namespace davit
