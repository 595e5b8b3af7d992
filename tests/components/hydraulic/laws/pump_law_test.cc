#include "components/hydraulic/laws/pump_law.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "components/hydraulic/laws/displacement_machines.h"
#include "tests/support/random_values.h"
#include "tests/support/special_values.h"

namespace davit {
namespace {

const double kVp = AxialPistonDisplacement(0.000675, 8, 0.05);

/// Erratum 43: 1776 is a speed in rpm.
TEST(PumpLawTest, PumpOfTheCrane) {
  EXPECT_NEAR(kVp, 4.297183463e-5, 0.5e-14);
  EXPECT_NEAR(kVp * 2 * kPi, 270e-6, 1e-15);
  const double omega = 1776 * 2 * kPi / 60;
  EXPECT_NEAR(omega, 185.982285, 0.5e-6);
  EXPECT_NEAR(kVp * omega * std::tan(kPi / 4) * 6e4, 479.52, 0.005);
  EXPECT_NEAR(kVp * 1776 * 6e4, 4579.08, 0.005);
  EXPECT_NEAR(kVp * 300e5, 1289.155, 0.5e-3);
}

/// Errata 44 and 50: the regression is for the displacement per revolution.
TEST(PumpLawTest, LeakageIsThatOfADisplacementPerRevolution) {
  EXPECT_NEAR(UsualLeakage(2 * kPi * kVp), 2.04e-11, 1e-16);
  EXPECT_NEAR(8e-8 * kVp - 1.2e-12, 2.2377e-12, 0.5e-16);  // as coded
  EXPECT_EQ(UsualLeakage(10e-6), 0) << "a leak must not make flow";
}

/// Erratum 45: both paths together are G.
TEST(PumpLawTest, LeakagePathsAddUp) {
  for (const double ratio : {0.0, 2.0, 6.0}) {
    const LeakageSplit split = SplitLeakage(2.04e-11, ratio);
    EXPECT_DOUBLE_EQ(split.inlet + split.drain, 2.04e-11);
    EXPECT_DOUBLE_EQ(split.inlet, ratio * split.drain);
  }
}

TEST(PumpLawTest, CompensatorTakesTheAngleBack) {
  EXPECT_EQ(CompensatedAngle(kPi / 4, 300e5, 10e5, 0), kPi / 4);
  EXPECT_EQ(CompensatedAngle(kPi / 4, 300e5, 10e5, 290e5), kPi / 4);
  EXPECT_DOUBLE_EQ(CompensatedAngle(kPi / 4, 300e5, 10e5, 295e5), kPi / 8);
  EXPECT_EQ(CompensatedAngle(kPi / 4, 300e5, 10e5, 310e5), 0);
}

/// Erratum 48: flow goes with the tangent.
TEST(PumpLawTest, HalfTheAngleIsLessThanHalfTheFlow) {
  EXPECT_NEAR(std::tan(kPi / 8) / std::tan(kPi / 4), 0.41, 0.005);
}

/// Erratum 47: friction never drives.
RC_GTEST_PROP(PumpLawTest, TorqueLossTakesPowerInAllQuadrants, ()) {
  const PumpData& pump = kAxialPistonPumps[*rc::gen::inRange<std::size_t>(0, kAxialPistonPumps.size())];
  const double dp = RandomDecades(0, 8) * (*rc::gen::inRange(0, 2) * 2 - 1);
  const double omega = RandomDecades(-3, 3);
  const double loss = pump.torque_loss().At(dp, omega);
  RC_ASSERT(loss >= 0);
  RC_ASSERT(pump.torque_loss().At(-dp, omega) == loss);
  RC_ASSERT(pump.torque_loss().At(dp, -omega) == -loss);
}

TEST(PumpLawTest, TorqueLossIsNotNegative) {
  const TorqueLoss loss{.cc = 5.0966, .cp = 5.4058e-7, .cn = -1.3992e-2};
  EXPECT_NEAR(loss.cc + loss.cn * 1776, -19.75, 0.005);  // as coded, with 1776 rad/s
  EXPECT_EQ(loss.At(0, 1776), 0);
}

RC_GTEST_PROP(PumpLawTest, FlowLossIsOddInThePressureAndTakesPower, ()) {
  const MotorData& motor = kAxialPistonMotors[*rc::gen::inRange<std::size_t>(0, kAxialPistonMotors.size())];
  const double dp = RandomDecades(0, 8), omega = RandomDecades(-3, 3);
  const double loss = motor.flow_loss().At(dp, omega);
  RC_ASSERT(loss > 0);
  RC_ASSERT(motor.flow_loss().At(-dp, omega) == -loss);
  RC_ASSERT(motor.flow_loss().At(0, omega) == 0);
}

TEST(PumpLawTest, SmoothSign) {
  EXPECT_EQ(SmoothSign(3, 1), 1);
  EXPECT_EQ(SmoothSign(-3, 1), -1);
  EXPECT_EQ(SmoothSign(0.25, 1), 0.25);
}

/// Errata 11 and 49: the law is for absolute pressure, and only the flow vanishes.
TEST(PumpLawTest, StarvedInletFillsLess) {
  const double p_atm = 1e5, p_vapour = 100;
  EXPECT_EQ(InletFilling(1e5, p_atm, p_vapour), 1);
  EXPECT_EQ(InletFilling(30e5, p_atm, p_vapour), 1);
  EXPECT_DOUBLE_EQ(InletFilling(0.5e5, p_atm, p_vapour), 0.75);
  EXPECT_DOUBLE_EQ(InletFilling(0.1e5, p_atm, p_vapour), 0.19);
  EXPECT_EQ(InletFilling(100, p_atm, p_vapour), 0);
  EXPECT_EQ(InletFilling(-1e5, p_atm, p_vapour), 0);
}

RC_GTEST_PROP(PumpLawTest, InletFillingIsContinuousAndGrows, ()) {
  const double P = RandomDecades(0, 6), p_vapour = 100;
  const double f = InletFilling(P, 1e5, p_vapour), more = InletFilling(P * (1 + 1e-9), 1e5, p_vapour);
  RC_ASSERT(more >= f);
  RC_ASSERT(more - f <= 1e-8);
}

RC_GTEST_PROP(PumpLawTest, LawsAreNoNanForAnyFiniteInput, ()) {
  const double p = AnyFinite();
  RC_ASSERT(!std::isnan(InletFilling(p, 1e5, 100)));
  RC_ASSERT(!std::isnan(InletFilling(p, 1e5, 0)));
  RC_ASSERT(!std::isnan(CompensatedAngle(kPi / 4, 300e5, 10e5, p)));
  const TorqueLoss torque{.cc = 5, .cp = 5e-7, .cn = -1e-2};
  RC_ASSERT(!std::isnan(torque.At(p, AnyFinite())));
  const FlowLoss flow{.Gp = 1e-12, .Gn = 3e-8};
  RC_ASSERT(!std::isnan(flow.At(AnyFinite(), p)));
}

}  // namespace
}  // namespace davit
