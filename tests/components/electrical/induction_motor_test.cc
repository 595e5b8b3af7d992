#include "components/electrical/induction_motor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "components/mechanical/inertia.h"
#include "components/mechanical/torque.h"
#include "tests/support/component_harness.h"

namespace davit::electrical {
namespace {

constexpr double kField = 50 * std::numbers::pi;  ///< of 50 Hz, with two pairs of poles [rad/s]
constexpr double kRated = 152.0, kPower = 15e3, kRatio = 2.5;

/// Its shaft is the test's.
class InductionMotorTest : public testing::Test {
 protected:
  InductionMotorTest() {
    harness.Set(motor, "rated_power", kPower);
    harness.Set(motor, "rated_speed", kRated);
    harness.Set(motor, "breakdown_ratio", kRatio);
  }
  /// Seen by the shaft while it turns at omega.
  double TorqueAt(double omega) {
    shaft.w = -omega;
    harness.Evaluate();
    return shaft.T();
  }
  /// The slip of the breakdown torque.
  static double BreakdownSlip() { return (kField - kRated) * (kRatio + std::sqrt(kRatio * kRatio - 1)); }

  ComponentHarness harness;
  InductionMotor& motor = harness.Add<InductionMotor>("motor");
  RotationalBond& shaft = harness.Attach<RotationalBond>(motor, "shaft");
};

TEST_F(InductionMotorTest, HasTheTorqueOfTheNamePlateAndItsMultipleAtTheBreakdown) {
  harness.Set(motor, "law", "Breakdown");
  harness.Start();
  const double T_n = kPower / kRated;
  EXPECT_NEAR(TorqueAt(kRated), T_n, 1e-9 * T_n);
  EXPECT_NEAR(TorqueAt(kField - BreakdownSlip()), kRatio * T_n, 1e-9 * T_n);
  for (const double off : {-1.0, 1.0}) EXPECT_LT(TorqueAt(kField - BreakdownSlip() + off), kRatio * T_n);
  EXPECT_NEAR(TorqueAt(kField), 0, 1e-9);
  EXPECT_NEAR(TorqueAt(2 * kField - kRated), -T_n, 1e-9 * T_n);  // a generator
}

TEST_F(InductionMotorTest, TheLinearLawIsTangentToTheOthersAtNoLoad) {
  harness.Set(motor, "law", "Linear");
  harness.Start();
  const double slope = TorqueAt(kField - 1e-3) / 1e-3;
  harness.Set(motor, "law", "Breakdown");
  harness.Start();
  EXPECT_NEAR(TorqueAt(kField - 1e-3) / 1e-3, slope, 1e-6 * slope);
}

TEST_F(InductionMotorTest, AboveTheRatedFrequencyTheFieldWeakens) {
  harness.Set(motor, "law", "Breakdown");
  harness.Set(motor, "frequency", 100);
  harness.Start();
  EXPECT_NEAR(TorqueAt(2 * kField - BreakdownSlip()), kRatio * kPower / kRated / 4, 1e-9);
}

TEST_F(InductionMotorTest, ANegativeFrequencyTurnsItBackwards) {
  harness.Set(motor, "law", "Breakdown");
  harness.Set(motor, "frequency", -50);
  harness.Start();
  EXPECT_NEAR(TorqueAt(-kRated), -kPower / kRated, 1e-9);
}

TEST_F(InductionMotorTest, AtConstantSlipTheFluxTurnsIntoItsPlace) {
  harness.Set(motor, "law", "Transient");
  harness.Start();
  const double s = 20;
  TorqueAt(kField - s);
  // psi = u + j v, psi' = -p (s_k + j s) psi + p s_k
  const std::complex<double> rate = -2.0 * std::complex<double>(BreakdownSlip(), s);
  const std::complex<double> steady = -2.0 * BreakdownSlip() / rate;
  const double t = 0.02;
  harness.Integrate(0, 1e-5, 2000);
  const std::complex<double> psi = steady + (1.0 - steady) * std::exp(rate * t);
  EXPECT_NEAR(harness.Read(motor, "flux_along"), psi.real(), 1e-9);
  EXPECT_NEAR(harness.Read(motor, "flux_across"), psi.imag(), 1e-9);
  harness.Integrate(0, 1e-4, 20000);
  const double torque = TorqueAt(kField - s);
  harness.Set(motor, "law", "Breakdown");
  harness.Start();
  EXPECT_NEAR(TorqueAt(kField - s), torque, 1e-9 * torque);
}

TEST_F(InductionMotorTest, PowerIsThatOfTheShaftAndOfTheLosses) {
  for (const char* law : {"Linear", "Breakdown", "Transient"}) {
    harness.Set(motor, "law", law);
    harness.Start();
    TorqueAt(kField - 10);
    harness.Integrate(0, 1e-4, 10000);
    const double T = harness.Read(motor, "torque");
    EXPECT_GT(T, 1);
    EXPECT_NEAR(harness.Read(motor, "power") - harness.Read(motor, "losses"), T * (kField - 10),
                1e-9 * T * kField)
        << law;
  }
}

TEST_F(InductionMotorTest, ASpeedAboveThatOfTheFieldIsAnError) {
  harness.Set(motor, "rated_speed", 160);
  EXPECT_THAT(ToText(harness.Start()),
              testing::HasSubstr("rated_speed: 160 rad/s is not below the 157.1 rad/s"));
}

}  // namespace
}  // namespace davit::electrical
