#include "components/hydraulic/cylinder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kRoundedPistonArea = 0.0629017535;
constexpr double kRoundedRingArea = 0.0472872526;
constexpr double kStopStiffness = 2.2015614e9;
constexpr double kStopDamping = 4.445558e6;

class CylinderTest : public testing::Test {
 protected:
  /// The rod bond is positive into the cylinder, against extension.
  void Move(double x, double v) {
    rod.x = -x;
    rod.v = -v;
    harness.Evaluate();
  }
  double Read(std::string_view name) { return harness.Read(cylinder, name); }

  ComponentHarness harness;
  Cylinder& cylinder = harness.Add<Cylinder>("cylinder");
  HydraulicBond& a = harness.AttachHydraulic(cylinder, "a");
  HydraulicBond& b = harness.AttachHydraulic(cylinder, "b");
  TranslationalBond& rod = harness.AttachTranslational(cylinder, "rod");
};

TEST_F(CylinderTest, FlowsFollowTheVelocity) {
  EXPECT_FALSE(harness.Start().has_errors());
  Move(1, 0.1);
  EXPECT_NEAR(Read("q_a"), 0.1 * kRoundedPistonArea, 1e-11);
  EXPECT_NEAR(Read("q_b"), 0.1 * kRoundedRingArea, 1e-11);
  EXPECT_EQ(a.q, -Read("q_a"));
  EXPECT_EQ(b.q, Read("q_b"));
  Move(1, 0);
  EXPECT_EQ(Read("q_a"), 0);
  EXPECT_EQ(Read("q_b"), 0);
}

TEST_F(CylinderTest, ForceFollowsThePressures) {
  harness.Start();
  a.c = 280e5;
  Move(1, 0);
  EXPECT_NEAR(Read("force"), 1761249.1, 0.1);
  a.c = 1559574.9646;
  Move(1, 0);
  EXPECT_NEAR(rod.F(), 98100, 1e-3);
  EXPECT_EQ(rod.Zc, 0);
  b.c = 1e6;
  Move(1, 0);
  EXPECT_NEAR(Read("force"), 98100 - 1e6 * kRoundedRingArea, 1e-3);
  EXPECT_EQ(Read("p_a"), a.c);
  EXPECT_EQ(Read("p_b"), b.c);
}

TEST_F(CylinderTest, TurnsHydraulicPowerIntoMechanicalPower) {
  harness.Start();
  a.c = 123e5;
  b.c = 45e5;
  for (const double v : {-0.2, 0.05}) {
    Move(0.7, v);
    // Each product is the power into the C side, so the sum over all bonds is what the cylinder stores or
    // loses.
    const double into_oil = a.p() * a.q + b.p() * b.q;
    const double into_cylinder = rod.F() * rod.v;
    EXPECT_NEAR(into_oil, into_cylinder, 1e-9 * std::abs(into_oil));
  }
}

TEST_F(CylinderTest, StopsPushBackBeyondBothEnds) {
  harness.Start();
  Move(2.0005, 0.1);
  EXPECT_NEAR(Read("force"), -(kStopStiffness * 5e-4 + kStopDamping * 0.1), 10);
  Move(-0.0005, -0.1);
  EXPECT_NEAR(Read("force"), kStopStiffness * 5e-4 + kStopDamping * 0.1, 10);
}

TEST_F(CylinderTest, StopsDampOnlyTheWayIn) {
  harness.Start();
  Move(2.0005, -0.1);
  EXPECT_NEAR(Read("force"), -kStopStiffness * 5e-4, 10);
  Move(-0.0005, 0.1);
  EXPECT_NEAR(Read("force"), kStopStiffness * 5e-4, 10);
}

TEST_F(CylinderTest, StopsDoNothingInBetween) {
  harness.Start();
  for (const double x : {0.0, 1.0, 2.0}) {
    Move(x, 0.3);
    EXPECT_EQ(Read("force"), 0);
  }
}

TEST_F(CylinderTest, AStopDeflectsByItsDeflectionUnderTheMaximumPressure) {
  harness.Set(cylinder, "stop_deflection", 0.004);
  harness.Start();
  a.c = 350e5;
  Move(2.004, 0);
  EXPECT_NEAR(Read("force"), 0, 1e-3);
}

TEST_F(CylinderTest, OutputsCountInExtension) {
  harness.Start();
  Move(0.4, -0.2);
  EXPECT_EQ(Read("x"), 0.4);
  EXPECT_EQ(Read("v"), -0.2);
}

TEST_F(CylinderTest, TellsItsNeighbourTheRodMassAndTheStart) {
  harness.Set(cylinder, "rod_mass", 700);
  harness.Start();
  EXPECT_EQ(rod.added_mass, 700);
  EXPECT_TRUE(std::isnan(rod.x_start));
  harness.SetStart(cylinder, "x", 1.2);
  harness.Start();
  EXPECT_EQ(rod.x_start, -1.2);
  EXPECT_EQ(rod.x_start_owner, &cylinder);
}

TEST_F(CylinderTest, RigidStopsAreLimitsOfTheTravelOfItsNeighbour) {
  harness.Set(cylinder, "stops", "rigid");
  harness.Set(cylinder, "stop_restitution", 0.25);
  rod.keeps_travel = true;
  EXPECT_FALSE(harness.Start().has_errors());
  EXPECT_EQ(rod.x_min, -2);
  EXPECT_EQ(rod.x_max, 0);
  EXPECT_EQ(rod.restitution, 0.25);
  EXPECT_TRUE(rod.wants_located_stops);
  Move(2.0005, 0.1);
  EXPECT_EQ(Read("force"), 0);
}

TEST_F(CylinderTest, RefusesRigidStopsWhereNothingKeepsThem) {
  harness.Set(cylinder, "stops", "rigid");
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(
      diagnostics.all()[0].message(),
      "its stops are rigid, but the component at its rod does not stop at the ends of a travel; connect "
      "the rod to a mechanical.Mass, or take stops=\"elastic\"");
}

/// Constant pressure pushes M = 500 kg and the rod of 100 kg from x = 1.5 m to the stop at 2 m; the force is
/// F = 1e5 Pa*Ap - weight.
std::string PushedToTheStop(const std::string& weight) {
  return SystemText(
      "TimeStep='50 ms' StopTime='4 s'", "method='runge_kutta_dopri5' rtol='1e-9' atol='1e-9'",
      "<hydraulic.PressureSource name='pump' pressure='1 bar'/><hydraulic.Tank name='tank'/>"
      "<hydraulic.Cylinder name='cylinder' stops='rigid' stop_restitution='0.5' rod_mass='100 kg'>"
      "<Start x='1.5 m'/></hydraulic.Cylinder><mechanical.Mass name='load' mass='500 kg' weight='" +
          weight +
          "'/><Connect from='pump.port' to='cylinder.a'/><Connect from='cylinder.b' to='tank.port'/>"
          "<Connect from='cylinder.rod' to='load.a'/><Record signals='cylinder.x cylinder.v'/>");
}

TEST(CylinderStopsTest, ImpactsAreLocatedAndTheRodRestsAtTheStop) {
  TestSystem test(PushedToTheStop("0 N"));
  const std::vector<TestRow> rows = test.RunAndRecord();
  std::vector<double> times;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].t == rows[i - 1].t) times.push_back(rows[i].t);
    EXPECT_LE(rows[i].values[0], 2 + 1e-9);
  }
  // x'' = F/M: s = 0.5 m takes t1 = sqrt(2 s M/F); each rebound takes 2 t1 0.5^n. All end at 3 t1.
  const double t1 = std::sqrt(2 * 0.5 * 600 / (1e5 * kRoundedPistonArea));
  double exact = t1;
  ASSERT_GT(times.size(), 12U);
  for (int n = 0; n < 12; ++n) {
    EXPECT_NEAR(times[static_cast<std::size_t>(n)], exact, 1e-6 * exact) << n;
    exact += 2 * t1 * std::pow(0.5, n + 1);
  }
  EXPECT_NEAR(times.back(), 3 * t1, 1e-6);
  EXPECT_NEAR(test.Read("cylinder.x"), 2, 1e-12);
  EXPECT_EQ(test.Read("cylinder.v"), 0);
  EXPECT_EQ(test.Read("cylinder.q_a"), 0);
}

TEST(CylinderStopsTest, TheRodRestsAtTheLowerStopToo) {
  TestSystem test(PushedToTheStop("20 kN"));
  test.Run();
  EXPECT_NEAR(test.Read("cylinder.x"), 0, 1e-12);
  EXPECT_EQ(test.Read("cylinder.v"), 0);
}

/// Touching, piston and rod let 2.5 times as much oil pass as concentric ones (Merritt, 1967).
TEST_F(CylinderTest, SealsLeakMoreWhereTheyAreEccentric) {
  harness.Set(cylinder, "compressibility", "Constant");
  harness.Set(cylinder, "leakage", "Gap");
  for (const double e : {0.0, 0.5, 1.0}) {
    harness.Set(cylinder, "seal_eccentricity", e);
    harness.SetStart(cylinder, "p_a", 200e5);
    harness.SetStart(cylinder, "p_b", 50e5);
    harness.Start();
    a.c = 200e5;
    b.c = 50e5;
    Move(1, 0);
    const double per_land = std::numbers::pi * 1e-15 / (12 * 861.8 * 32e-6) * (1 + 1.5 * e * e);
    const double q_li = per_land * 0.283 / 0.2 * 150e5, q_le = per_land * 0.141 / 0.1 * 50e5;
    const double rate_a = -1.6e9 * q_li / (1e-3 + kRoundedPistonArea);
    const double rate_b = 1.6e9 * (q_li - q_le) / (1e-3 + kRoundedRingArea);
    EXPECT_NEAR(Read("pressure_a.ddt"), rate_a, 1e-8 * -rate_a) << e;
    EXPECT_NEAR(Read("pressure_b.ddt"), rate_b, 1e-8 * rate_b) << e;
  }
}

TEST_F(CylinderTest, RefusesARodThatDoesNotFit) {
  harness.Set(cylinder, "rod", 0.283);
  const Diagnostics diagnostics = harness.Start();
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.all()[0].path, "/cylinder");
}

}  // namespace
}  // namespace davit
