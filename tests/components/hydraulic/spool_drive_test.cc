// Forces on the spool of a directional control valve, its hysteresis, its limits of power and the control of
// its position.

#include "components/hydraulic/laws/spool_drive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "components/hydraulic/directional_control_valve.h"
#include "tests/support/component_harness.h"
#include "tests/support/test_system.h"

namespace davit {
namespace {

constexpr double kSpoolRho = 861.8;
const double kJetCosine = std::cos(69 * std::numbers::pi / 180);
constexpr double kSpoolMass = 0.5, kSpoolStroke = 5e-3, kSpoolViscous = 300;
constexpr double kFullSpring = 1000, kDryForce = 20;

class SpoolDriveTest : public testing::Test {
 protected:
  SpoolDriveTest() {
    harness.Set(valve, "spool_dynamics", "Forces");
    harness.Set(valve, "opening_law", "Linear");
    harness.Set(valve, "spool_type", "O");
  }
  void SetDrops(double inlet, double outlet) {
    t.c = 1e5;
    b.c = t.c + outlet;
    a.c = 50e5;
    p.c = a.c + inlet;
  }
  void MoveTo(double u, double seconds, double h = 2e-5) {
    harness.Set(valve, "spool", u);
    harness.Integrate(0, h, static_cast<std::size_t>(std::lround(seconds / h)));
  }
  double Read(std::string_view name) { return harness.Read(valve, name); }
  std::string_view Limit() {
    const auto& modes = valve.declarations().modes;
    ModeBase& mode =
        **std::ranges::find_if(modes, [](const ModeBase* one) { return one->label().name == "power_limit"; });
    return mode.options()[mode.Classify()];
  }
  /// The pressure difference at which the jets of both fully open edges push with the force F.
  static double DropOfJets(double F) {
    const double K = 500 / 6e4 / std::sqrt(5e5);
    return F / (2 * std::sqrt(2 * kSpoolRho) * K * kJetCosine);
  }

  ComponentHarness harness;
  DirectionalControlValve& valve = harness.Add<DirectionalControlValve>("valve");
  HydraulicBond& p = harness.AttachHydraulic(valve, "p");
  HydraulicBond& a = harness.AttachHydraulic(valve, "a");
  HydraulicBond& b = harness.AttachHydraulic(valve, "b");
  HydraulicBond& t = harness.AttachHydraulic(valve, "t");
};

/// F_max z = F_s x + g (x - db)/(1 - db); the jets carry away the momentum rho q v cos(theta).
TEST_F(SpoolDriveTest, ForcesBalanceAtRest) {
  harness.Set(valve, "flow_forces", "Static");
  harness.Start();
  SetDrops(80e5, 49e5);
  MoveTo(0.6, 0.3);
  const double K = 500 / 6e4 / std::sqrt(5e5), db = 0.05;
  const double g = std::sqrt(2 * kSpoolRho) * K * kJetCosine * (80e5 + 49e5);
  const double x = (kFullSpring * 0.6 + g * db / (1 - db)) / (kFullSpring + g / (1 - db));
  EXPECT_NEAR(Read("spool_x"), x, 1e-9);
  EXPECT_NEAR(Read("actuator_force"), Read("spring_force") + Read("flow_force"), 1e-6);
  const double momentum =
      kSpoolRho * kJetCosine *
      (Read("q_pa") * std::sqrt(2 * 80e5 / kSpoolRho) + Read("q_bt") * std::sqrt(2 * 49e5 / kSpoolRho));
  // The flow is (d/dp)^2/4 = 1e-6 below the square root.
  EXPECT_NEAR(Read("flow_force"), momentum, 2e-6 * momentum);
}

TEST_F(SpoolDriveTest, WithoutFlowTheSpoolFollowsItsInput) {
  harness.Start();
  SetDrops(0, 0);
  for (const double u : {0.3, -0.7, 0.0}) {
    MoveTo(u, 0.3);
    EXPECT_NEAR(Read("spool_x"), u, 1e-9);
  }
}

TEST_F(SpoolDriveTest, TheFlowClosesTheEdgesWhicheverWayItGoes) {
  harness.Set(valve, "flow_forces", "Static");
  for (const double x : {0.5, -0.5}) {
    for (const double sign : {1.0, -1.0}) {
      harness.SetStart(valve, "spool_x", x);
      harness.Start();
      for (HydraulicBond* bond : {&p, &t}) bond->c = 0;
      for (HydraulicBond* bond : {&a, &b}) bond->c = sign * 40e5;
      harness.Evaluate();
      EXPECT_GT(Read("flow_force") * x, 0);
    }
  }
}

/// rho L dq/dt of both edges, with the spool at its speed.
TEST_F(SpoolDriveTest, TheDynamicForceAcceleratesTheOil) {
  harness.Set(valve, "damping_length", 0.03);
  const auto flows_at = [&](double x, const char* forces, double& force) {
    harness.Set(valve, "flow_forces", forces);
    harness.SetStart(valve, "spool_x", x);
    harness.SetStart(valve, "spool_v", 7);
    harness.Start();
    SetDrops(100e5, 60e5);
    harness.Evaluate();
    force = Read("flow_force");
    return Read("q_pa") + Read("q_bt");
  };
  for (const char* law : {"Linear", "Nonlinear", "Round", "Seat"}) {
    harness.Set(valve, "opening_law", law);
    double with = 0, without = 0, unused = 0;
    const double dx = 1e-5;
    const double dq = (flows_at(0.5 + dx, "None", unused) - flows_at(0.5 - dx, "None", unused)) / (2 * dx);
    flows_at(0.5, "Dynamic", with);
    flows_at(0.5, "Static", without);
    const double inertia = kSpoolRho * 0.03 * dq * 7;
    // 1e-5: of the difference quotients, and (d/dp)^2/4 of the flow.
    EXPECT_NEAR(with - without, inertia, 1e-5 * inertia) << law;
  }
}

/// The jets of the open valve need what the actuator has beyond the spring: F_max - F_s = 2 sqrt(2 rho) K dp
/// cos(theta), by hand q = (F_max - F_s)/(cos(theta) sqrt(8 rho dp)).
TEST_F(SpoolDriveTest, GivesWayAtTheStaticPowerLimit) {
  harness.Set(valve, "flow_forces", "Static");
  harness.Set(valve, "full_spring_force", 500);
  const double dp = DropOfJets(500);
  for (const double share : {0.998, 1.002}) {
    harness.SetStart(valve, "spool_x", 1);
    harness.Start();
    SetDrops(share * dp, share * dp);
    MoveTo(1, 0.3);
    EXPECT_EQ(Read("spool_x") >= 1, share < 1);
    EXPECT_EQ(Limit(), share < 1 ? "Within" : "StaticExceeded");
    const double q_limit = 500 / (kJetCosine * std::sqrt(8 * kSpoolRho * share * dp));
    EXPECT_EQ(Read("q_pa") < q_limit, share < 1) << Read("q_pa") << ' ' << q_limit;
  }
}

/// Dry friction holds a spool that is there, beyond what the actuator can, and keeps one that is not there.
TEST_F(SpoolDriveTest, FrictionPartsTheStaticFromTheDynamicPowerLimit) {
  harness.Set(valve, "flow_forces", "Static");
  harness.Set(valve, "spool_friction", "Coulomb");
  harness.Set(valve, "full_spring_force", 500);
  const auto end_of = [&](double start, double jets) {
    harness.SetStart(valve, "spool_x", start);
    harness.Start();
    SetDrops(DropOfJets(jets), DropOfJets(jets));
    MoveTo(1, 0.5, 1e-5);
    return Read("spool_x");
  };
  // The bristles and the stop deflect by some thousandths of the stroke.
  EXPECT_GT(end_of(1, 500 + kDryForce - 2), 0.997);
  EXPECT_EQ(Limit(), "DynamicExceeded");
  EXPECT_LT(end_of(1, 500 + kDryForce + 30), 0.98);
  EXPECT_EQ(Limit(), "StaticExceeded");
  EXPECT_GT(end_of(0, 500 - kDryForce - 2), 0.997);
  EXPECT_EQ(Limit(), "Within");
  EXPECT_LT(end_of(0, 500 - kDryForce + 10), 0.997);
  EXPECT_EQ(Limit(), "DynamicExceeded");
}

/// The other power limit: the spring must bring the spool back against what holds it.
TEST_F(SpoolDriveTest, ASpringReturnsTheSpoolWhereItsPreloadIsAboveTheFriction) {
  harness.Set(valve, "spool_friction", "Coulomb");
  harness.Set(valve, "positions", "2");
  for (const double preload : {0.0, 50.0}) {
    harness.Set(valve, "spring_preload", preload);
    harness.SetStart(valve, "spool_x", 1);
    harness.Start();
    SetDrops(0, 0);
    const double rate = 0.5, h = 1e-5;
    const int steps = static_cast<int>(std::lround(1 / (rate * h)));
    for (int i = steps; i >= 0; --i) MoveTo(static_cast<double>(i) / steps, h, h);
    MoveTo(0, 0.05, h);
    // The bristles give way by a thousandth; momentum carries it by rate/w at most, w^2 = F_s/(m X).
    const double carried = rate * std::sqrt(kSpoolMass * kSpoolStroke / kFullSpring);
    if (preload > 0) {
      EXPECT_LT(Read("spool_x"), 1e-3);
      EXPECT_EQ(Limit(), "Within");
    } else {
      EXPECT_NEAR(Read("spool_x"), kDryForce / kFullSpring, 1e-3 + carried);
      EXPECT_EQ(Limit(), "DynamicExceeded");
    }
  }
}

/// The width between the branches of a slow triangle, at half of its height.
class SpoolHysteresisTest : public SpoolDriveTest {
 protected:
  double WidthAt(double rate) {
    double up = 0, down = 0;
    const double h = 1e-5;
    const auto quarter = static_cast<int>(std::lround(0.4 / (rate * h)));
    for (int i = 0; i <= 4 * quarter; ++i) {
      const double u = i <= 2 * quarter ? 0.4 * i / quarter : 0.4 * (4 * quarter - i) / quarter;
      harness.Set(valve, "spool", u);
      harness.Integrate(0, h, 1);
      if (i == quarter) up = Read("spool_x");
      if (i == 3 * quarter) down = Read("spool_x");
    }
    return down - up;
  }
};

/// Behind the play the input lags by rate/hysteresis_rate more.
TEST_F(SpoolHysteresisTest, ThePlayHasItsWidth) {
  harness.Set(valve, "spool_dynamics", "None");
  harness.Set(valve, "hysteresis", "Play");
  harness.Set(valve, "hysteresis_width", 0.06);
  harness.Start();
  const double rate = 2;
  EXPECT_NEAR(WidthAt(rate), 0.06 + 2 * rate / 1000, 2 * rate * 1e-5);
  // And it stays where the input stops.
  const double x = Read("spool_x");
  harness.Set(valve, "spool", 0.05);
  harness.Integrate(0, 1e-5, 1000);
  EXPECT_NEAR(Read("spool_x"), std::max(x, 0.05 - 0.03), 1e-4);
}

/// Steady motion needs F_C + c X v more on the way out and less on the way back.
TEST_F(SpoolHysteresisTest, DryFrictionMakesAHysteresis) {
  harness.Set(valve, "spool_friction", "Coulomb");
  harness.Start();
  SetDrops(0, 0);
  const double rate = 1;
  const double width = 2 * (kDryForce + kSpoolViscous * kSpoolStroke * rate) / kFullSpring;
  EXPECT_NEAR(WidthAt(rate), width, 1e-4 * width + 2 * rate * 1e-5);
}

/// LuGre with one level of dry friction is passive: from relaxed bristles no energy comes back that was not
/// put in; of a whole oscillation some is lost.
TEST_F(SpoolDriveTest, FrictionTakesEnergyOnly) {
  harness.Set(valve, "spool_friction", "Coulomb");
  harness.Start();
  SetDrops(0, 0);
  double lost = 0;
  const double h = 1e-5;
  for (int i = 0; i < 20'000; ++i) {
    harness.Set(valve, "spool", 0.5 * std::sin(2 * std::numbers::pi * 20 * i * h));
    const double power = Read("spool_friction_force") * kSpoolStroke * Read("spool_v");
    harness.Integrate(0, h, 1);
    const double next = Read("spool_friction_force") * kSpoolStroke * Read("spool_v");
    lost += (power + next) / 2 * h;
    ASSERT_GE(lost, -1e-9) << i;
  }
  // Four oscillations of +-X/2 at least: 4 F_C X/2 each.
  EXPECT_GT(lost, 4 * 4 * kDryForce * kSpoolStroke / 2 * 0.9);
}

TEST_F(SpoolDriveTest, TheLoopLeavesAnErrorWithoutItsIntegralPartOnly) {
  harness.Set(valve, "spool_control", "PositionLoop");
  harness.Set(valve, "flow_forces", "Static");
  for (const double reset_time : {0.0, 0.02}) {
    harness.Set(valve, "position_reset_time", reset_time);
    harness.Start();
    SetDrops(10e5, 10e5);
    MoveTo(0.5, 1);
    const double error = 0.5 - Read("spool_x");
    const double load = Read("spring_force") + Read("flow_force");
    EXPECT_GT(load, 500);
    EXPECT_NEAR(error, reset_time > 0 ? 0 : load / 5000, 1e-9);
    EXPECT_NEAR(Read("actuator_force"), load, 1e-5);
  }
}

/// m X x'' + (c X + K T_d) x' + (F_s + K) x = K z: the loop is sqrt(1 + K/F_s) times as fast as the spring.
TEST_F(SpoolDriveTest, TheLoopHasTheBandwidthOfItsGain) {
  const double K = 5000, T_d = 1e-3;
  harness.Set(valve, "spool_control", "PositionLoop");
  harness.Start();
  SetDrops(0, 0);
  harness.Set(valve, "spool", 0.02);
  harness.Evaluate();
  const double inertia = kSpoolMass * kSpoolStroke;
  const double w = std::sqrt((kFullSpring + K) / inertia);
  const double z = (kSpoolViscous * kSpoolStroke + K * T_d) / (2 * std::sqrt((kFullSpring + K) * inertia));
  const double wd = w * std::sqrt(1 - z * z);
  const double end = 0.02 * K / (K + kFullSpring);
  const double h = 1e-6;
  for (int i = 1; i <= 5; ++i) {
    harness.Integrate(0, h, 500);
    const double time = 500 * i * h;
    const double exact =
        end * (1 - std::exp(-z * w * time) * (std::cos(wd * time) + z * w / wd * std::sin(wd * time)));
    EXPECT_NEAR(Read("spool_x"), exact, 1e-9 * end) << time;
  }
}

/// The integral part does not go on while the actuator is at its limit.
TEST_F(SpoolDriveTest, ALimitedActuatorDoesNotWindUp) {
  harness.Set(valve, "spool_control", "PositionLoop");
  harness.Set(valve, "position_reset_time", 0.01);
  harness.Set(valve, "full_spring_force", 2000);  // more than the actuator has
  harness.Start();
  SetDrops(0, 0);
  MoveTo(1, 2);
  EXPECT_NEAR(Read("actuator_force"), 1000, 1e-9);
  EXPECT_NEAR(Read("spool_x"), 0.5, 1e-6);
  MoveTo(0.25, 0.2);
  EXPECT_NEAR(Read("spool_x"), 0.25, 1e-4);
}

TEST_F(SpoolDriveTest, MirroredInputsMirrorTheMotion) {
  harness.Set(valve, "flow_forces", "Dynamic");
  harness.Set(valve, "spool_friction", "Coulomb");
  harness.Set(valve, "spring_preload", 100);
  harness.Start();
  SetDrops(30e5, 20e5);
  MoveTo(0.8, 0.01);
  const double x = Read("spool_x"), v = Read("spool_v");
  harness.Start();
  std::swap(a.c, b.c);
  MoveTo(-0.8, 0.01);
  EXPECT_EQ(Read("spool_x"), -x);
  EXPECT_EQ(Read("spool_v"), -v);
}

TEST_F(SpoolDriveTest, TellsWhatHasNoEffect) {
  harness.Set(valve, "spool_dynamics", "SecondOrder");
  harness.Set(valve, "spool_control", "PositionLoop");
  EXPECT_THAT(ToText(harness.Start().all().at(0)), testing::HasSubstr("spool_dynamics=\"Forces\""));
}

std::string SpoolSystem(const std::string& method, const std::string& attributes,
                        const std::string& commands) {
  return SystemText("TimeStep=\"10 ms\" StopTime=\"1\"",
                    "method=\"" + method + "\" rtol=\"1e-7\" atol=\"1e-9\"",
                    R"(<signal.Sine name="operator" frequency="2" amplitude="0.9"/>
                       <hydraulic.DirectionalControlValve name="valve" level="Advanced" )" +
                        attributes + R"(/>
                       <hydraulic.Volume name="supply"><Start p="200 bar"/></hydraulic.Volume>
                       <hydraulic.Volume name="line_a"><Start p="100 bar"/></hydraulic.Volume>
                       <hydraulic.Volume name="line_b"><Start p="20 bar"/></hydraulic.Volume>
                       <hydraulic.Volume name="sump"><Start p="1 bar"/></hydraulic.Volume>
                       <Connect from="valve.p" to="supply.port"/>
                       <Connect from="valve.a" to="line_a.port"/>
                       <Connect from="valve.b" to="line_b.port"/>
                       <Connect from="valve.t" to="sump.port"/>
                       <Route from="operator.y" to="valve.spool"/>
                       <Record signals="valve.spool_x" interval="10 ms"/>)" +
                        commands);
}

/// All at once, with an explicit and an implicit method; each keeps to its tolerance times some hundred
/// steps.
TEST(SpoolDriveSystemTest, MethodsAgree) {
  const std::string all =
      "spool_dynamics=\"Forces\" spool_friction=\"Coulomb\" spool_control=\"PositionLoop\" "
      "position_reset_time=\"0.05\" hysteresis=\"Play\" hysteresis_width=\"0.02\"";
  std::vector<double> ends;
  for (const char* method : {"runge_kutta_dopri5", "rosenbrock4"}) {
    TestSystem test(SpoolSystem(method, all, ""));
    test.manager().Initialize();
    while (!test.manager().is_finished()) test.manager().Step();
    ends.push_back(test.Read("valve.spool_x"));
  }
  EXPECT_NEAR(ends[0], ends[1], 1e-4);
}

/// A switch takes over the position: from None at the input, between the others where the spool is.
TEST(SpoolDriveSystemTest, SwitchesKeepThePosition) {
  TestSystem test(SpoolSystem("rosenbrock4", "",
                              "<At time=\"0.1\" set=\"valve.hysteresis\" value=\"Play\"/>"
                              "<At time=\"0.2\" set=\"valve.spool_dynamics\" value=\"Forces\"/>"
                              "<At time=\"0.3\" set=\"valve.spool_friction\" value=\"Coulomb\"/>"
                              "<At time=\"0.4\" set=\"valve.spool_control\" value=\"PositionLoop\"/>"
                              "<At time=\"0.5\" set=\"valve.spool_dynamics\" value=\"SecondOrder\"/>"
                              "<At time=\"0.6\" set=\"valve.spool_dynamics\" value=\"Forces\"/>"
                              "<At time=\"0.7\" set=\"valve.edge_cavitation\" value=\"Nurick\"/>"
                              "<At time=\"0.8\" set=\"valve.opening_law\" value=\"Seat\"/>"));
  test.manager().Initialize();
  double before = test.Read("valve.spool_x");
  while (!test.manager().is_finished()) {
    test.manager().Step();
    const double now = test.Read("valve.spool_x");
    // In 10 ms the input moves by 0.113, and a spool that hurries after it by less than twice that.
    EXPECT_LT(std::abs(now - before), 0.23) << test.manager().time();
    before = now;
  }
}

}  // namespace
}  // namespace davit
