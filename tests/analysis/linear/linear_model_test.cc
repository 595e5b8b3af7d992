#include "analysis/linear/linear_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <stdexcept>

#include "analysis/linear/frequency_response.h"
#include "analysis/linear/modes.h"
#include "analysis/linear/pair_analysis.h"

namespace davit {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

/// numerator/(s^n + ... ) with the coefficients of the denominator but its first, highest power first.
LinearModel Canonical(double gain, const std::vector<double>& denominator) {
  LinearModel model;
  const std::size_t n = denominator.size();
  for (std::size_t i = 0; i < n; ++i) model.states.push_back({.name = "x" + std::to_string(i + 1)});
  model.inputs = {{.name = "u"}};
  model.outputs = {{.name = "y"}};
  model.SetZero();
  const auto size = static_cast<Eigen::Index>(n);
  for (Eigen::Index i = 0; i + 1 < size; ++i) model.A(i, i + 1) = 1;
  for (Eigen::Index i = 0; i < size; ++i)
    model.A(size - 1, i) = -denominator[n - 1 - static_cast<std::size_t>(i)];
  model.B(size - 1, 0) = gain;
  model.C(0, 0) = 1;
  return model;
}

/// A closed line of delay T and impedance Z: pressure at the far end over the flow into the near end.
/// c_b(t) = c_a(t-T) + 2 Z q_a(t-T), c_a(t) = c_b(t-T).
LinearModel ClosedLine(double T, double Z) {
  LinearModel model;
  model.inputs = {{.name = "q"}};
  model.outputs = {{.name = "p_near"}, {.name = "p_far"}};
  model.delays = {{"line.a.c", T}, {"line.b.c", T}};
  model.SetZero();
  model.D_wave(0, 1) = 1;
  model.D_wave(1, 0) = 1;
  model.D_input(1, 0) = 2 * Z;
  model.D_delay(0, 0) = 1;
  model.D(0, 0) = Z;
  model.D_delay(1, 1) = 1;
  return model;
}

std::vector<std::complex<double>> ZerosOf(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                          const Eigen::RowVectorXd& c, double d) {
  return ComputeZeros(A, b, c, d, EigenvaluesOf(ComputeModes(A)));
}

StabilityMargins MarginsOf(const LinearModel& model) {
  return *AnalysedModel(model, model).Analyse({0, 0, ""}, false, true).margins;
}

TEST(LinearModelTest, ALineHasItsHyperbolicForm) {
  const double T = 0.011, Z = 3e8;
  const LinearModel line = ClosedLine(T, Z);
  for (const double f : {0.1, 1.0, 7.0, 20.0, 100.0, 333.3}) {
    const std::complex<double> s(0.3, 2 * std::numbers::pi * f);
    const Eigen::MatrixXcd G = TransferAt(line, s);
    EXPECT_LT(std::abs(G(0, 0) / (Z / std::tanh(s * T)) - 1.0), 1e-11) << f;
    EXPECT_LT(std::abs(G(1, 0) / (Z / std::sinh(s * T)) - 1.0), 1e-11) << f;
  }
}

TEST(LinearModelTest, PadeApproximantsAreRightToThePromisedPhase) {
  for (const auto& [order, angle] : {std::pair(1, 0.49), {2, 1.5}, {3, 2.8}, {4, 4.2}, {6, 7.3}}) {
    LinearModel delay;
    delay.inputs = {{.name = "u"}};
    delay.outputs = {{.name = "y"}};
    delay.delays = {{"w", 0.02}};
    delay.SetZero();
    delay.D_input(0, 0) = 1;
    delay.D_delay(0, 0) = 1;
    const LinearModel closed = CloseDelays(delay, order);
    ASSERT_EQ(closed.A.rows(), order);
    for (const double share : {0.1, 0.5, 1.0}) {
      const std::complex<double> s(0, share * angle / 0.02);
      const std::complex<double> G = TransferAt(closed, s)(0, 0);
      EXPECT_NEAR(std::abs(G), 1, 1e-12) << order;
      EXPECT_LT(std::abs(std::arg(G / std::exp(-s * 0.02))), 0.01) << order << ' ' << share;
    }
    for (const LinearMode& mode : ComputeModes(closed.A)) EXPECT_LT(mode.eigenvalue.real(), 0);
  }
}

TEST(LinearModelTest, PadeClosesLoopsOfWaves) {
  const LinearModel closed = CloseDelays(ClosedLine(0.01, 2), 6);
  for (const double omega : {1.0, 50.0, 120.0}) {
    const std::complex<double> s(0, omega);
    const std::complex<double> G = TransferAt(closed, s)(1, 0), exact = 2.0 / std::sinh(s * 0.01);
    EXPECT_LT(std::abs(G / exact - 1.0), 1e-6) << omega;
  }
  EXPECT_THROW(CloseDelays(ClosedLine(1, 1), 0), std::invalid_argument);
}

TEST(ModesTest, APairHasFrequencyDampingAndTimeConstant) {
  const double omega = 6, zeta = 0.05;
  const std::vector<LinearMode> modes = ComputeModes(Canonical(1, {2 * zeta * omega, omega * omega}).A);
  ASSERT_EQ(modes.size(), 1U);
  EXPECT_NEAR(modes[0].frequency(), omega / (2 * std::numbers::pi), 1e-14);
  EXPECT_NEAR(modes[0].damping(), zeta, 1e-14);
  EXPECT_NEAR(modes[0].time_constant(), 1 / (zeta * omega), 1e-12);
  EXPECT_NEAR(modes[0].states[0].participation, 0.5, 1e-12);
  EXPECT_EQ(EigenvaluesOf(modes).size(), 2U);
}

TEST(ModesTest, UnitsDoNotMatter) {
  // Pascals beside metres: p' = -1e12 v, v' = 4e-9 p - 0.4 v, and an integrator.
  Eigen::MatrixXd A(3, 3);
  A << 0, -1e12, 0, 4e-9, -0.4, 0, 0, 1, 0;
  const std::vector<LinearMode> modes = ComputeModes(A);
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_EQ(modes[0].eigenvalue, 0.0);
  EXPECT_NEAR(2 * std::numbers::pi * modes[1].frequency() / std::sqrt(4000.0), 1, 1e-14);
  EXPECT_NEAR(modes[1].damping() / (0.2 / std::sqrt(4000.0)), 1, 1e-12);
}

TEST(ModesTest, ZerosAreThoseOfTheNumerator) {
  // (s + 6)(s^2 + 2 s + 5)/((s + 1)(s + 2)(s + 3)(s + 4))
  LinearModel model = Canonical(1, {10, 35, 50, 24});
  model.C << 30, 17, 8, 1;
  const auto zeros = ZerosOf(model.A, model.B.col(0), model.C.row(0), 0);
  ASSERT_EQ(zeros.size(), 3U);
  EXPECT_LT(std::abs(zeros[0] - std::complex<double>(-1, 2)), 1e-10);
  EXPECT_LT(std::abs(zeros[1] - std::complex<double>(-1, -2)), 1e-10);
  EXPECT_LT(std::abs(zeros[2] + 6.0), 1e-10);
}

TEST(ModesTest, AModeThatTheInputDoesNotReachIsNoZero) {
  // 1/(s + 1) beside a lag that only the output sees.
  Eigen::MatrixXd A(2, 2);
  A << -1, 0, 0, -5;
  EXPECT_THAT(ZerosOf(A, Eigen::Vector2d(1, 0), Eigen::RowVector2d(1, 1), 0), IsEmpty());
  EXPECT_THAT(ZerosOf(A, Eigen::Vector2d(1, 1), Eigen::RowVector2d(1, 0), 0), IsEmpty());
  // 1/(s + 1) + 1/(s + 5) = (2 s + 6)/...
  const auto zeros = ZerosOf(A, Eigen::Vector2d(1, 1), Eigen::RowVector2d(1, 1), 0);
  ASSERT_EQ(zeros.size(), 1U);
  EXPECT_LT(std::abs(zeros[0] + 3.0), 1e-12);
}

TEST(ModesTest, ALagHasNoZerosAndADirectPathAsManyAsPoles) {
  const LinearModel lag = Canonical(7, {1e3, 2e6});
  EXPECT_THAT(ZerosOf(lag.A, lag.B.col(0), lag.C.row(0), 0), IsEmpty());
  // 1 + 1/(s + 1) = (s + 2)/(s + 1)
  const LinearModel lead = Canonical(1, {1});
  const auto zeros = ZerosOf(lead.A, lead.B.col(0), lead.C.row(0), 1);
  ASSERT_EQ(zeros.size(), 1U);
  EXPECT_LT(std::abs(zeros[0] + 2.0), 1e-12);
}

TEST(FrequencyResponseTest, MarginsAreThoseOfTheTextbook) {
  // 2/(s (s + 1)(s + 2)): -180 deg at sqrt 2 rad/s, where the gain is 2/6.
  const LinearModel loop = Canonical(2, {3, 2, 0});
  const StabilityMargins margins = MarginsOf(loop);
  ASSERT_TRUE(margins.gain && margins.phase);
  EXPECT_NEAR(*margins.gain, 3, 1e-9);
  EXPECT_NEAR(*margins.gain_frequency, std::sqrt(2) / (2 * std::numbers::pi), 1e-9);
  const double w = 2 * std::numbers::pi * *margins.phase_frequency;
  EXPECT_NEAR(2 / (w * std::hypot(w, 1) * std::hypot(w, 2)), 1, 1e-9);
  EXPECT_NEAR(*margins.phase,
              180 / std::numbers::pi * (std::numbers::pi / 2 - std::atan(w) - std::atan(w / 2)), 1e-9);
}

TEST(FrequencyResponseTest, ThePhaseOfADelayDoesNotJump) {
  const std::vector<double> f = LogarithmicSpace({0.1, 100}, 2000);
  const LinearModel line = ClosedLine(0.1, 1);
  std::vector<std::complex<double>> delay;
  for (const double x : f)
    delay.push_back(std::exp(std::complex<double>(0, -2 * std::numbers::pi * x * 0.1)));
  const std::vector<double> phase = ContinuousPhase(delay);
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_NEAR(phase[i], -36 * f[i], 1e-6);
}

TEST(FrequencyResponseTest, TheStepIsExactAtItsTimes) {
  const double omega = 6, zeta = 0.05;
  const StepResponse step =
      ComputeStep(Canonical(omega * omega, {2 * zeta * omega, omega * omega}), 0, 10, 501);
  ASSERT_EQ(step.time.size(), 501U);
  const double damped = omega * std::sqrt(1 - zeta * zeta);
  for (std::size_t i = 0; i < step.time.size(); ++i) {
    const double t = step.time[i];
    const double exact = 1 - std::exp(-zeta * omega * t) *
                                 (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
    EXPECT_NEAR(step.outputs[0][i], exact, 1e-11) << t;
  }
}

}  // namespace
}  // namespace davit
