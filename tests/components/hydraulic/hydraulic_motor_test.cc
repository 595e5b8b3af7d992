#include "components/hydraulic/hydraulic_motor.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/displacement_machines.h"
#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/random_network.h"
#include "tests/support/component_harness.h"

namespace davit {
namespace {

class HydraulicMotorTest : public testing::Test {
 protected:
  /// Turns at omega, forwards.
  void Turn(double omega) {
    shaft.w = -omega;
    harness.Evaluate();
  }
  double Read(std::string_view name) { return harness.Read(motor, name); }

  ComponentHarness harness;
  HydraulicMotor& motor = harness.Add<HydraulicMotor>("motor");
  HydraulicBond& a = harness.AttachHydraulic(motor, "a");
  HydraulicBond& b = harness.AttachHydraulic(motor, "b");
  RotationalBond& shaft = harness.Attach<RotationalBond>(motor, "shaft");
};

TEST_F(HydraulicMotorTest, TurnsPressureIntoTorqueAndSpeedIntoFlow) {
  EXPECT_FALSE(harness.Start().has_errors());
  const double V = 5e-5 / (2 * std::numbers::pi);
  a.c = 201e5;
  b.c = 1e5;
  Turn(150);
  EXPECT_DOUBLE_EQ(Read("q"), 150 * V);
  EXPECT_DOUBLE_EQ(Read("torque"), 200e5 * V);
  EXPECT_EQ(Read("speed"), 150);
  EXPECT_EQ(Read("dp"), 200e5);
  EXPECT_EQ(shaft.Zc, 0);
}

TEST_F(HydraulicMotorTest, LosesLeakageAndFriction) {
  harness.Set(motor, "leakage", 1e-11);
  harness.Set(motor, "viscous_friction", 0.2);
  harness.Start();
  const double V = 5e-5 / (2 * std::numbers::pi);
  a.c = 200e5;
  Turn(100);
  EXPECT_NEAR(Read("q"), 100 * V + 2e-4, 1e-16);
  EXPECT_NEAR(Read("torque"), 200e5 * V - 20, 1e-11);
}

TEST_F(HydraulicMotorTest, GivesTheShaftThePowerThatItTakesFromCavitatingOilToo) {
  // A cavity behind either port, or both: c is far below what any oil bears.
  harness.Start();
  for (const double c_a : {-1e9, 20e5}) {
    for (const double c_b : {-1e9, 5e5}) {
      for (const double omega : {-200.0, -1.0, 1.0, 200.0}) {
        a.c = c_a;
        b.c = c_b;
        a.Zc = b.Zc = 1e9;
        a.p_min = b.p_min = -1e5;
        Turn(omega);
        EXPECT_GE(a.p(), -1e5);
        EXPECT_NEAR(Read("dp"), a.p() - b.p(), 1e-6);
        EXPECT_NEAR(Read("torque") * omega, (a.p() - b.p()) * Read("q"), 1e-8);
      }
    }
  }
}

TEST_F(HydraulicMotorTest, TheSettingTurnsItRound) {
  harness.Start();
  a.c = 200e5;
  Turn(100);
  const double q = Read("q");
  const double torque = Read("torque");
  harness.Set(motor, "displacement_setting", -0.5);
  Turn(100);
  EXPECT_DOUBLE_EQ(Read("q"), -q / 2);
  EXPECT_DOUBLE_EQ(Read("torque"), -torque / 2);
}

RC_GTEST_FIXTURE_PROP(HydraulicMotorTest, LawsAndWavesHoldTogether, ()) {
  const double displacement = RandomDecades(-6, -4);
  const double eps = *rc::gen::inRange(-10, 11) / 10.0;
  const double G = *rc::gen::inRange(0, 2) * RandomDecades(-14, -9);
  const double B = *rc::gen::inRange(0, 2) * RandomDecades(-3, 0);
  harness.Set(motor, "displacement", displacement);
  harness.Set(motor, "displacement_setting", eps);
  harness.Set(motor, "leakage", G);
  harness.Set(motor, "viscous_friction", B);
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  const double omega = *rc::gen::inRange(-300, 301);
  Turn(omega);
  const double V = eps * displacement;
  const double dp = a.p() - b.p();
  const double q = V * omega + G * dp;
  const double rounding = RoundingOf(a, b);
  RC_ASSERT(a.q == -b.q);
  RC_ASSERT(b.q == Read("q"));
  RC_ASSERT(std::abs(Read("dp") - dp) <= rounding);
  RC_ASSERT(std::abs(Read("q") - q) <= 1e-12 * std::abs(V * omega) + G * rounding);
  RC_ASSERT(std::abs(Read("torque") - (V * dp - B * omega)) <=
            1e-12 * std::abs(B * omega) +
                std::abs(V) * (rounding + 1e-14 * (a.Zc + b.Zc) * std::abs(V * omega)));
  RC_ASSERT(shaft.T() == Read("torque"));
}

TEST_F(HydraulicMotorTest, WithoutLossesKeepsThePower) {
  harness.Start();
  a = {{.c = 180e5, .Zc = 2e9}};
  b = {{.c = 5e5, .Zc = 1e9}};
  for (const double omega : {-200.0, -1.0, 0.0, 150.0}) {
    Turn(omega);
    const double taken = -(a.p() * a.q + b.p() * b.q);
    EXPECT_NEAR(Read("torque") * omega, taken, 1e-12 * std::abs(taken));
  }
}

TEST_F(HydraulicMotorTest, WithLossesNoneItsConstantsDoNotCount) {
  harness.Set(motor, "leakage", 1e-11);
  harness.Set(motor, "viscous_friction", 0.2);
  harness.Set(motor, "losses", "None");
  harness.Start();
  a.c = 200e5;
  Turn(100);
  EXPECT_DOUBLE_EQ(Read("q"), 100 * 5e-5 / (2 * std::numbers::pi));
  EXPECT_EQ(shaft.Zc, 0);
}

TEST_F(HydraulicMotorTest, MeasuredMotorsLoseWhatTheTablesSay) {
  for (const Level level : {Level::kStandard, Level::kAdvanced}) {
    for (const MotorData& data : kAxialPistonMotors) {
      motor.SetLevel(level);
      harness.Set(motor, "displacement", data.V());
      harness.Set(motor, "flow_loss_pressure", data.Gp);
      harness.Set(motor, "flow_loss_speed", data.Gn);
      harness.Set(motor, "torque_loss", data.cc);
      harness.Set(motor, "torque_loss_pressure", data.cp);
      harness.Set(motor, "torque_loss_speed", data.cn);
      harness.Start();
      const double omega = 1500 * 2 * std::numbers::pi / 60;
      a.c = 250e5;
      Turn(omega);
      const MachinePoint point = MotorAt(data, omega, 250e5);
      EXPECT_NEAR(Read("q"), point.q, 1e-12 * point.q);
      EXPECT_NEAR(Read("torque"), point.T, 1e-12 * point.T);
      EXPECT_NEAR(Read("torque") * omega / (250e5 * Read("q")), point.Total(), 1e-12);
    }
  }
}

/// Erratum 47: losses take power in every quadrant.
RC_GTEST_FIXTURE_PROP(HydraulicMotorTest, MeasuredLossesTakePowerBetweenAnyWaves, ()) {
  motor.SetLevel(Level::kStandard);
  harness.Set(motor, "displacement_setting", *rc::gen::inRange(-10, 11) / 10.0);
  harness.Start();
  a = RandomNeighbour();
  b = RandomNeighbour();
  const double omega = *rc::gen::inRange(-300, 301);
  Turn(omega);
  const double V = 5e-5 / (2 * std::numbers::pi);
  const double dp = a.p() - b.p();
  const double rounding = RoundingOf(a, b) + 1e-12 * std::abs(dp);
  const double power_in = dp * Read("q"), power_out = Read("torque") * omega;
  RC_ASSERT(a.q == -b.q);
  const double slack = rounding * (std::abs(Read("q")) + V * std::abs(omega)) +
                       1e-12 * (std::abs(power_in) + std::abs(power_out));
  RC_ASSERT(power_in - power_out >= -slack);
  RC_ASSERT(std::abs(shaft.T() - Read("torque")) == 0);
  // The same pressures without impedances give the same.
  const double q = Read("q"), torque = Read("torque");
  a = {{.c = a.p()}};
  b = {{.c = b.p()}};
  Turn(omega);
  const double slope = 1.2798e-12 + 1e-5 * (5.9098e-8 * std::abs(omega) + 1.2798e-12 * std::abs(dp));
  RC_ASSERT(std::abs(Read("q") - q) <= 1e-12 * std::abs(q) + 2 * slope * rounding);
  RC_ASSERT(std::abs(Read("torque") - torque) <=
            1e-10 * std::abs(torque) + 2 * (V + 5.6e-7) * rounding + 1e-9);
}

}  // namespace
}  // namespace davit
