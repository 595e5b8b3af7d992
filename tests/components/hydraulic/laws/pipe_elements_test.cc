#include "components/hydraulic/laws/pipe_elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include <Eigen/Eigenvalues>

#include "components/hydraulic/laws/circle_area.h"
#include "components/hydraulic/laws/wall_compliance.h"
#include "tests/components/hydraulic/closed_forms.h"
#include "tests/components/hydraulic/lifting_data.h"

namespace davit {
namespace {

constexpr double kD = 0.049;
constexpr double kL = 15;

TEST(PipeElementsTest, WavesOfThePumpLine) {
  const double a = WaveSpeed(kBeta, kRho);
  EXPECT_NEAR(a, 1362.563486, 0.5e-6);
  EXPECT_NEAR(kL / a, 11.008661e-3, 0.5e-9);
  const double Zc = kRho * a / CircleArea(kD);
  EXPECT_NEAR(Zc, 6.227033e8, 50);
  EXPECT_NEAR(a / (4 * kL), 22.709391, 0.5e-6);
  EXPECT_NEAR(4 * kL / a, 44.034644e-3, 4 * 0.5e-9);  // printed as four times the rounded T
  const double I = PipeInertance(kRho, kL, CircleArea(kD));
  const double C = CircleArea(kD) * kL / kBeta;
  EXPECT_NEAR(std::sqrt(I / C), Zc, 1e-14 * Zc);
  EXPECT_NEAR(std::sqrt(I * C), kL / a, 1e-16);
}

TEST(PipeElementsTest, JoukowskyPressures) {
  const double a = WaveSpeed(kBeta, kRho);
  EXPECT_NEAR(kRho * a, 1174257.2, 0.05);  // of 1 m/s
  const double v = 479.52 / 6e4 / CircleArea(kD);
  EXPECT_NEAR(kRho * a * v, 4976645, 0.5);
}

TEST(PipeElementsTest, TransferMatrixOfALosslessLine) {
  struct Row {
    double f, cosine, sine, gain, Zc_sine, sine_per_Zc;
  };
  const double a = WaveSpeed(kBeta, kRho);
  const double T = kL / a, Zc = kRho * a / CircleArea(kD);
  for (const Row& row : {Row{1, .99760875, .06911432, 1.00239699, 4.303772e7, 1.109908e-10},
                         Row{5, .94078856, .33899393, 1.06293809, 2.110926e8, 5.443907e-10},
                         Row{10, .77016624, .63784322, 1.29842098, 3.971871e8, 1.024313e-9},
                         Row{20, .18631206, .98249062, 5.36733897, 6.118002e8, 1.577783e-9},
                         Row{22, .04904853, .99879640, 20.38796927, 6.219539e8, 1.603968e-9},
                         Row{30, -.48318371, .87551899, -2.06960618, 5.451886e8, 1.405997e-9},
                         Row{45, -.99958049, .02896293, -1.00041969, 1.803532e7, 4.651161e-11}}) {
    const double angle = 2 * std::numbers::pi * row.f * T;
    EXPECT_NEAR(std::cos(angle), row.cosine, 0.5e-8);
    EXPECT_NEAR(std::sin(angle), row.sine, 0.5e-8);
    EXPECT_NEAR(1 / std::cos(angle), row.gain, 0.5e-8);
    EXPECT_NEAR(Zc * std::sin(angle), row.Zc_sine, 0.5e-6 * row.Zc_sine);
    EXPECT_NEAR(std::sin(angle) / Zc, row.sine_per_Zc, 0.5e-6 * row.sine_per_Zc);
  }
}

/// J2(z)/J0(z) by downward recurrence of the quotients of neighbours.
std::complex<double> BesselQuotient(std::complex<double> z) {
  std::complex<double> quotient = 0, last = 0;  // J_n/J_(n-1)
  for (int n = 400; n >= 1; --n) {
    last = quotient;
    quotient = 1.0 / (2.0 * n / z - quotient);
  }
  return quotient * last;
}

/// What LineFriction approximates: unsteady laminar friction (Zielke), Gamma = j w T sqrt(-J0(z)/J2(z)), z =
/// j^1.5 r sqrt(w/nu); a closed end answers with 1/cosh(Gamma).
TEST(PipeElementsTest, UnsteadyLaminarFriction) {
  struct Row {
    double f, real, imaginary, gain, phase;
  };
  const std::complex<double> j(0, 1);
  const double T = kL / WaveSpeed(kBeta, kRho);
  for (const Row& row : {Row{1, .00512577, .07363885, 1.00270424, -.021666},
                         Row{5, .01067589, .35590588, 1.06678953, -.227375},
                         Row{10, .01484430, .70593060, 1.31379642, -.724954},
                         Row{20, .02074243, 1.40352965, 5.96035863, -7.002670},
                         Row{22.7, .02205892, 1.59160462, 32.97623727, -133.337658},
                         Row{45, .03081397, 3.14284273, .99952622, 179.997794}}) {
    SCOPED_TRACE(row.f);
    const double w = 2 * std::numbers::pi * row.f;
    const std::complex<double> z = std::pow(j, 1.5) * (kD / 2 * std::sqrt(w / 32e-6));
    const std::complex<double> gamma = j * w * T * std::sqrt(-1.0 / BesselQuotient(z));
    EXPECT_NEAR(gamma.real(), row.real, 0.5e-8);
    EXPECT_NEAR(gamma.imag(), row.imaginary, 0.5e-8);
    const std::complex<double> gain = 1.0 / std::cosh(gamma);
    EXPECT_NEAR(std::abs(gain), row.gain, 0.5e-8);
    EXPECT_NEAR(std::arg(gain) * 180 / std::numbers::pi, row.phase, 0.5e-6);
  }
}

/// Natural frequencies [Hz] of n cells, each with the inertance I and the capacitance C, from their matrix.
std::vector<double> CellFrequencies(int n, double I, double C) {
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n);  // q_k'' = (q_{k-1} - 2 q_k + q_{k+1})/(I C)
  for (int k = 0; k < n; ++k) {
    stiffness(k, k) = k == 0 ? 1 : 2;
    if (k > 0) stiffness(k, k - 1) = stiffness(k - 1, k) = -1;
  }
  const Eigen::VectorXd squares = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness).eigenvalues();
  std::vector<double> frequencies;
  for (const double square : squares) {
    frequencies.push_back(std::sqrt(square / (I * C)) / (2 * std::numbers::pi));
  }
  return frequencies;
}

TEST(PipeElementsTest, FrequenciesOfCells) {
  struct Row {
    int n;
    double first, error;
  };
  const double T = kL / WaveSpeed(kBeta, kRho);
  for (const Row& row : {Row{1, 14.457248, -36.3}, Row{2, 17.870141, -21.3}, Row{4, 20.083798, -11.6},
                         Row{8, 21.343144, -6.0}, Row{16, 22.012913, -3.1}, Row{32, 22.357840, -1.55}}) {
    const double f = LumpedPipeFrequency(static_cast<std::size_t>(row.n), 1, T);
    EXPECT_NEAR(f, row.first, 0.5e-6);
    EXPECT_NEAR(100 * (f * 4 * T - 1), row.error, row.n == 32 ? 0.005 : 0.05);
  }
  EXPECT_NEAR(LumpedPipeFrequency(2, 2, T), 46.784636, 0.5e-6);
  EXPECT_NEAR(LumpedPipeFrequency(4, 2, T), 57.828990, 0.5e-6);
  EXPECT_NEAR(LumpedPipeFrequency(8, 2, T), 63.302618, 0.5e-6);
  EXPECT_NEAR(LumpedPipeFrequency(16, 2, T), 65.839387, 0.5e-6);
  EXPECT_NEAR(LumpedPipeFrequency(32, 2, T), 67.021302, 0.5e-6);
}

/// Errata 52 and 53: inertance as well as capacitance are divided among the cells, and what flows in fills
/// them.
TEST(PipeElementsTest, CellsShareTheInertance) {
  const double I = PipeInertance(kRho, kL, CircleArea(kD));
  const double C = CircleArea(kD) * kL / kBeta;
  const double T = std::sqrt(I * C);
  for (const int n : {1, 2, 4, 8}) {
    const std::vector<double> frequencies = CellFrequencies(n, I / n, C / n);
    for (std::size_t k = 1; k <= frequencies.size(); ++k) {
      EXPECT_NEAR(LumpedPipeFrequency(static_cast<std::size_t>(n), k, T), frequencies[k - 1],
                  1e-12 * frequencies[k - 1]);
    }
  }
  struct Row {
    int n;
    double first;
  };
  for (const Row& row :
       {Row{2, 12.636098}, Row{4, 10.041899}, Row{8, 7.545941}, Row{16, 5.503228}, Row{32, 3.952345}}) {
    EXPECT_NEAR(CellFrequencies(row.n, I, C / row.n)[0], row.first, 0.5e-6) << "inertance of the whole pipe";
  }
}

TEST(PipeElementsTest, BoreCarriesTheFlow) {
  EXPECT_NEAR(BoreForFlow(479.52 / 6e4, 4.23812), 0.049, 1e-7);
  const double D = BoreForFlow(0.01, 5);
  EXPECT_DOUBLE_EQ(CircleArea(D) * 5, 0.01);
}

TEST(PipeElementsTest, WallsSlowWavesDown) {
  const auto speed = [](double c1) {
    return WaveSpeed(WithWall(kBeta, PipeWallCompliance(c1, kD, 4e-3, 207e9)), kRho);
  };
  EXPECT_NEAR(WithWall(kBeta, PipeWallCompliance(1, kD, 4e-3, 207e9)), 1.461606e9, 500);
  EXPECT_NEAR(speed(AnchoringFactor(PipeAnchoring::kExpansionJoints, 0.3)), 1302.303, 0.5e-3);
  EXPECT_NEAR(speed(AnchoringFactor(PipeAnchoring::kUpstream, 0.3)), 1310.834, 0.5e-3);
  EXPECT_NEAR(speed(AnchoringFactor(PipeAnchoring::kThroughout, 0.3)), 1307.402, 0.5e-3);
  EXPECT_NEAR(speed(1.25 - 0.3), 1305.128, 0.5e-3);  // Parmakian's older factor
  // As the thesis has it: 180e9 Pa, 1 mm, factor 5/4.
  const double thesis = WithWall(kBeta, PipeWallCompliance(1.25, kD, 1e-3, 180e9));
  EXPECT_NEAR(thesis, 1.035971e9, 500);
  EXPECT_NEAR(WaveSpeed(thesis, kRho), 1096.404, 0.5e-3);
}

}  // namespace
}  // namespace davit
