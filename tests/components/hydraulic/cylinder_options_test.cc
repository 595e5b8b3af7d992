// Options of the cylinder beyond its levels: Coulomb friction, stops that change, jets of the ports that
// cavitate.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/hydraulic/cylinder.h"
#include "framework/mode.h"
#include "framework/run_log.h"
#include "tests/support/component_harness.h"
#include "tests/support/partials_law.h"
#include "tests/support/system_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kPistonArea = std::numbers::pi / 4 * 0.283 * 0.283;

class CylinderOptionsTest : public testing::Test {
 protected:
  void Move(double x, double v) {
    rod.x = -x;
    rod.v = -v;
    harness.Evaluate();
  }
  double Read(std::string_view name) { return harness.Read(cylinder, name); }
  std::string_view ModeOf(std::string_view name) {
    for (ModeBase* mode : cylinder.declarations().modes) {
      if (mode->label().name == name) return mode->options()[mode->Classify()];
    }
    return "";
  }

  ComponentHarness harness;
  Cylinder& cylinder = harness.Add<Cylinder>("cylinder");
  HydraulicBond& a = harness.AttachHydraulic(cylinder, "a");
  HydraulicBond& b = harness.AttachHydraulic(cylinder, "b");
  TranslationalBond& rod = harness.AttachTranslational(cylinder, "rod");
};

/// 5 % of the nominal force of 1.7612491 MN (280 bar on 283 mm) is 88062.455 N; tanh(1/2) of it at half of
/// the stick velocity.
TEST_F(CylinderOptionsTest, CoulombFrictionIsAShareOfTheNominalForce) {
  harness.Set(cylinder, "friction", "Coulomb");
  harness.Start();
  Move(1, 0);
  EXPECT_EQ(Read("force"), 0);
  Move(1, 0.005);
  EXPECT_NEAR(Read("force"), -40695.1713251, 1e-6);
  for (const double v : {0.5, 2.0}) {  // the same at all speeds
    Move(1, v);
    EXPECT_NEAR(Read("force"), -88062.4549117, 1e-6);
    Move(1, -v);
    EXPECT_NEAR(Read("force"), 88062.4549117, 1e-6);
  }
  a.c = 200e5;  // and at all loads
  Move(1, 0.5);
  EXPECT_NEAR(Read("force"), 200e5 * kPistonArea - 88062.4549117, 1e-5);
  harness.Set(cylinder, "friction_ratio", 0.1);
  harness.Set(cylinder, "nominal_pressure", 140e5);
  harness.Apply(cylinder);
  Move(1, 0.5);
  EXPECT_NEAR(Read("force"), 200e5 * kPistonArea - 88062.4549117, 1e-5);
}

TEST_F(CylinderOptionsTest, CoulombFrictionWritesItsPartials) {
  harness.Set(cylinder, "friction", "Coulomb");
  harness.Set(cylinder, "compressibility", "Constant");
  for (const double v : {0.0, 0.004, -0.02}) {
    harness.Start();
    a.c = 80e5;
    b.c = 30e5;
    rod.x = -0.7;
    rod.v = -v;
    EXPECT_THAT(WrongPartials(harness, cylinder), testing::IsEmpty()) << v;
  }
}

/// max_pressure*Ap = 350 bar*Ap = 2201561.37 N is the most that a constant stop bears: reached 1 mm deep at
/// rest, and at once by the damping.
TEST_F(CylinderOptionsTest, AConstantStopYieldsAtItsForce) {
  harness.Set(cylinder, "stops", "constant");
  harness.Start();
  const double most = 350e5 * kPistonArea;
  Move(2.0005, 0);
  EXPECT_NEAR(Read("force"), -most / 2, 1e-6 * most);
  for (const auto& [x, v] : {std::pair{2.001, 0.0}, {2.02, 0.0}, {2.02, -0.1}, {2.0001, 0.6}}) {
    Move(x, v);
    EXPECT_NEAR(Read("force"), -most, 1e-9 * most) << x << ' ' << v;
    Move(2 - x, -v);
    EXPECT_NEAR(Read("force"), most, 1e-9 * most) << x << ' ' << v;
  }
  Move(1, 3);
  EXPECT_EQ(Read("force"), 0);
}

/// A force of 1.5 times that of the stop pushes M = 600 kg, 2 mm beyond the stop, on: half a stop force is
/// left, x'' = (F - most)/M.
TEST(CylinderStopsChangeTest, WhatIsStrongerThanAConstantStopPassesIt) {
  const double most = 1e5 * kPistonArea;
  TestSystem test(SystemText(
      "TimeStep='1 ms' StopTime='0.1 s'", "method='runge_kutta_dopri5' rtol='1e-9' atol='1e-9'",
      "<hydraulic.PressureSource name='pump' pressure='1.5 bar'/><hydraulic.Tank name='tank'/>"
      "<hydraulic.Cylinder name='cylinder' stops='constant' max_pressure='1 bar' rod_mass='100 kg'>"
      "<Start x='2.002 m'/></hydraulic.Cylinder><mechanical.Mass name='load' mass='500 kg'/>"
      "<Connect from='pump.port' to='cylinder.a'/><Connect from='cylinder.b' to='tank.port'/>"
      "<Connect from='cylinder.rod' to='load.a'/>"));
  test.Run();
  EXPECT_NEAR(test.Read("cylinder.v"), 0.5 * most / 600 * 0.1, 1e-9);
  EXPECT_NEAR(test.Read("cylinder.x"), 2.002 + 0.5 * most / 600 * 0.005, 1e-9);
}

/// A cylinder at constant pressure leans on its stop at 2 m, and its stops change.
std::string Leaning(const std::string& stops, const std::string& at) {
  return SystemText(
      "TimeStep='10 ms' StopTime='4 s'", "method='rosenbrock4' rtol='1e-8' atol='1e-10'",
      "<hydraulic.PressureSource name='pump' pressure='100 bar'/><hydraulic.Tank name='tank'/>"
      "<hydraulic.Cylinder name='cylinder' stops='" +
          stops +
          "'><Start x='1.99 m'/></hydraulic.Cylinder><mechanical.Mass name='load' mass='500 kg' "
          "viscous_friction='1e6 N.s/m'/><Connect from='pump.port' to='cylinder.a'/>"
          "<Connect from='cylinder.b' to='tank.port'/><Connect from='cylinder.rod' to='load.a'/>"
          "<Record signals='cylinder.x cylinder.v cylinder.stops'/>" +
          at);
}

/// 100 bar press an elastic stop in by 100/350 mm, and a rigid one not at all.
TEST(CylinderStopsChangeTest, StopsMayBecomeRigidAndElasticInARun) {
  const std::string changes =
      "<At time='1 s' set='cylinder.stops' value='rigid'/><At time='2 s' set='cylinder.stops' "
      "value='constant'/>"
      "<At time='3 s' set='cylinder.stops' value='elastic'/>";
  TestSystem test(Leaning("elastic", changes));
  const std::vector<TestRow> rows = test.RunAndRecord();
  const auto at = [&](double t) {
    return *std::find_if(rows.rbegin(), rows.rend(), [&](const TestRow& row) { return row.t <= t + 1e-9; });
  };
  const double pressed_in = 2 + 1e-3 * 100 / 350;
  EXPECT_NEAR(at(0.95).values[0], pressed_in, 1e-9);
  EXPECT_EQ(at(0.95).values[2], 0);
  EXPECT_NEAR(at(1.95).values[0], 2, 1e-9);
  EXPECT_EQ(at(1.95).values[1], 0);
  EXPECT_EQ(at(1.95).values[2], 1);
  EXPECT_NEAR(at(2.95).values[0], pressed_in, 1e-9);
  EXPECT_NEAR(at(3.95).values[0], pressed_in, 1e-9);
  EXPECT_EQ(test.Read("cylinder.chart.state.stops.elastic"), 1);
}

/// On the way to the stop nothing depends on it: the same bits until it is reached.
TEST(CylinderStopsChangeTest, BeforeTheStopAllAreTheSame) {
  std::vector<std::vector<TestRow>> runs;
  for (const char* stops : {"elastic", "constant"}) {
    TestSystem test(Leaning(stops, ""));
    runs.push_back(test.RunAndRecord());
  }
  const std::size_t n = std::min(runs[0].size(), runs[1].size());
  for (std::size_t i = 0; i < n && runs[0][i].values[0] < 2; ++i) {
    EXPECT_EQ(runs[0][i].values[0], runs[1][i].values[0]);
  }
}

/// A level replaces stops that the file gives, as all aspects.
TEST(CylinderStopsChangeTest, ALevelHasElasticStops) {
  TestSystem test(Leaning("rigid", "<At time='2 s' set='cylinder.level' value='Ideal'/>"));
  test.Run();
  EXPECT_EQ(test.Read("cylinder.stops"), 0);
  EXPECT_NEAR(test.Read("cylinder.x"), 2 + 1e-3 * 100 / 350, 1e-9);
}

/// 0.61 A sqrt(2 (P1 - Pv)/rho) is the most, into the chamber and out of it.
TEST_F(CylinderOptionsTest, TheJetOfAPortCavitates) {
  harness.Set(cylinder, "compressibility", "Constant");
  harness.Set(cylinder, "port_cavitation", "Nurick");
  harness.SetStart(cylinder, "p_a", 0);
  harness.SetStart(cylinder, "p_b", 50e5);
  harness.Start();
  a.c = 100e5;
  b.c = 0;
  Move(1, 0);
  const double A = std::numbers::pi / 4 * 0.01 * 0.01;
  EXPECT_NEAR(Read("q_a"), 0.61 * A * std::sqrt(2 * (100e5 + 1e5 - 100) / 861.8), 1e-12);
  EXPECT_NEAR(Read("q_b"), 0.61 * A * std::sqrt(2 * (50e5 + 1e5 - 100) / 861.8), 1e-12);
  EXPECT_EQ(ModeOf("port_a_regime"), "Cavitating");
  EXPECT_EQ(ModeOf("port_b_regime"), "Cavitating");
  harness.Set(cylinder, "port_cavitation", "None");
  harness.Start();
  Move(1, 0);
  EXPECT_NEAR(Read("q_a"), A * std::sqrt(2 * 100e5 / 861.8), 1e-7);
  EXPECT_EQ(ModeOf("port_a_regime"), "Turbulent");
}

/// a q = b q^2 at Re = K1 Cd^2 = 32*0.611^2 of the opening whose K with Cd = 0.611 is that of the port.
// Law: near a stop the share of the port that is open to oil which leaves falls linearly; oil flows in as
// without a cushion, and so does oil of the other chamber.
TEST_F(CylinderOptionsTest, ACushionThrottlesTheOilThatLeaves) {
  harness.Set(cylinder, "compressibility", "Constant");
  harness.Set(cylinder, "cushion_length", 0.04);
  harness.Set(cylinder, "cushion_opening", 0.1);
  harness.SetStart(cylinder, "p_a", 100e5);
  harness.SetStart(cylinder, "p_b", 100e5);
  harness.Start();
  const auto flows = [&](const char* option, double distance, double p_line) {
    harness.Set(cylinder, "cushion", option);
    a.c = b.c = p_line;
    Move(distance, 0);  // out of A
    const double q_a = Read("q_a"), other = Read("q_b");
    Move(2 - distance, 0);  // out of B
    return std::array{q_a, -Read("q_b"), other, Read("q_a")};
  };
  for (const double distance : {0.1, 0.04, 0.03, 0.01, 0.0, -0.001}) {
    const double share = 0.1 + 0.9 * std::clamp(distance / 0.04, 0.0, 1.0);
    const auto open = flows("None", distance, 20e5), throttled = flows("Throttle", distance, 20e5);
    EXPECT_LT(throttled[0], 0);
    EXPECT_NEAR(throttled[0], share * open[0], 1e-12 * -open[0]) << distance;
    EXPECT_NEAR(throttled[1], share * open[1], 1e-12 * -open[1]) << distance;
    EXPECT_EQ(throttled[2], open[2]) << distance;
    EXPECT_EQ(throttled[3], open[3]) << distance;
    EXPECT_EQ(flows("Throttle", distance, 150e5), flows("None", distance, 150e5)) << distance;
  }
}

// Law: pushed back with a constant force F against an open line, the piston has p_a = F/Ap, and the way that
// is left to the stop falls as an exponential: (x + s)' = -(x + s)/T with s = o L/(1 - o) and
// T = Ap L/((1 - o) K sqrt(p_a)). Without a cushion it has the speed K sqrt(p_a)/Ap up to the stop.
TEST(CylinderCushionTest, TheWayToTheStopFallsAsAnExponential) {
  constexpr double kForce = 60e3, kBore = 0.1, kPort = 0.01, kL = 0.04, kO = 0.05;
  SystemHarness system(R"(<System name="cushion" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="1 ms" StopTime="2 s"><Integration method="rodas5p" rtol="1e-9" atol="1e-11"/></SimulatorManager>
  <hydraulic.Cylinder name="cylinder" compressibility="Constant" cushion="Throttle" cushion_length="40 mm"
      cushion_opening="0.05" bore="100 mm" rod="50 mm" stroke="0.5 m" rod_mass="0 kg" dead_volume="0.01 l"
      bulk_modulus="160 GPa" port_a_diameter="10 mm" port_b_diameter="50 mm" density="861.8 kg/m3">
    <Start x="0.1 m" p_a="76.394 bar"/></hydraulic.Cylinder>
  <mechanical.Mass name="load" mass="1 kg"/>
  <mechanical.Force name="push" force="60 kN"/>
  <hydraulic.Tank name="tank_a"/><hydraulic.Tank name="tank_b"/>
  <Connect from="cylinder.a" to="tank_a.port"/><Connect from="cylinder.b" to="tank_b.port"/>
  <Connect from="cylinder.rod" to="load.a"/><Connect from="push.port" to="load.b"/>
</System>)");
  const double area = std::numbers::pi / 4 * kBore * kBore, p = kForce / area;
  const double K = std::numbers::pi / 4 * kPort * kPort * std::sqrt(2 / 861.8);
  const double T = area * kL / ((1 - kO) * K * std::sqrt(p)), s = kO * kL / (1 - kO);
  double t = 0.01;
  system.RunTo(t);
  ASSERT_GT(system.Read("cylinder.x"), 0.04);
  while (system.Read("cylinder.x") > 0.03) system.RunTo(t += 1e-3);
  const double x_0 = system.Read("cylinder.x");
  for (const double after : {0.01, 0.02, 0.04}) {
    system.RunTo(t + after);
    const double x = (x_0 + s) * std::exp(-after / T) - s;
    ASSERT_GT(x, 0);
    // The ring side opposes with at most a hundredth of the pressure: its port is 25 times as large.
    EXPECT_NEAR(system.Read("cylinder.x"), x, 0.005 * (x_0 - x)) << after;
  }
}

TEST_F(CylinderOptionsTest, ThePortsShowTheirRegime) {
  harness.Set(cylinder, "compressibility", "Constant");
  harness.Set(cylinder, "ports", "LaminarTurbulent");
  harness.SetStart(cylinder, "p_a", 0);
  harness.Start();
  const double diameter = 0.01 / std::sqrt(0.611);
  const double q_limit = 32 * 0.611 * 0.611 * std::numbers::pi / 4 * diameter * 32e-6;
  bool was_laminar = false, was_turbulent = false;
  for (double p = 1e-3; p < 1e6; p *= 1.2) {
    a.c = p;
    Move(1, 0);
    const bool is_turbulent = Read("q_a") >= q_limit;
    EXPECT_EQ(ModeOf("port_a_regime"), is_turbulent ? "Turbulent" : "Laminar") << p;
    (is_turbulent ? was_turbulent : was_laminar) = true;
  }
  EXPECT_TRUE(was_laminar && was_turbulent);
}

/// Laminar loss is proportional to 1/Dh: a slot of 1 to 10, of the area of the round port, has Dh = 4 A/S of
/// its sides, bends at a flow larger by D/Dh and lets that much less through far below it.
TEST_F(CylinderOptionsTest, APortThatIsNotRoundHasItsHydraulicDiameter) {
  harness.Set(cylinder, "compressibility", "Constant");
  harness.Set(cylinder, "ports", "LaminarTurbulent");
  harness.SetStart(cylinder, "p_a", 0);
  constexpr double D = 0.01;
  const double side = std::sqrt(std::numbers::pi / 4 / 10) * D;  // of a slot side x 10 side
  const double Dh = 4 * 10 * side * side / (2 * (side + 10 * side));
  const auto flow_at = [&](double p, double hydraulic_diameter) {
    harness.Set(cylinder, "port_a_hydraulic_diameter", hydraulic_diameter);
    harness.Start();
    a.c = p;
    Move(1, 0);
    return Read("q_a");
  };
  // q = dp/a*(1 - dp/(4 p_bend) + ...): the share of the turbulent part is below dp/p_bend.
  const double p_bend = 0.02;
  const double dp = 1e-8;
  EXPECT_NEAR(flow_at(dp, Dh) / flow_at(dp, 0), Dh / D, 2 * dp / p_bend);
  EXPECT_EQ(flow_at(1.0, 0), flow_at(1.0, D));
  EXPECT_EQ(flow_at(1.0, 0), flow_at(1.0, 2 * D)) << "no shape has more than the round one";
  EXPECT_LT(flow_at(1.0, Dh), flow_at(1.0, D));
}

}  // namespace
}  // namespace davit
