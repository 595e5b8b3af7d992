#include "analysis/spectrum/spectrum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <numbers>
#include <random>

#include "analysis/spectrum/even_samples.h"
#include "analysis/spectrum/fourier_transform.h"
#include "analysis/spectrum/window.h"

namespace davit {
namespace {

using testing::ElementsAre;

constexpr double kTurn = 2 * std::numbers::pi;

/// Uniform in -1 .. 1, variance 1/3; the same on every machine.
std::vector<double> Noise(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<double> noise(count);
  for (double& value : noise) value = 2.0 * static_cast<double>(random()) / 4294967295.0 - 1;
  return noise;
}

double Decibels(double ratio) { return 20 * std::log10(ratio); }

TEST(FourierTransformTest, IsTheSumThatDefinesIt) {
  for (const std::size_t n : {1, 2, 3, 8, 30, 37, 101, 254}) {
    const std::vector<double> x = Noise(n, 1);
    const auto X = FourierTransform(std::span<const double>(x));
    ASSERT_EQ(X.size(), n / 2 + 1);
    for (std::size_t k = 0; k < X.size(); ++k) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < n; ++i)
        sum += x[i] * std::polar(1.0, -kTurn * static_cast<double>(i * k % n) / static_cast<double>(n));
      EXPECT_LT(std::abs(X[k] - sum), 1e-12 * static_cast<double>(n)) << n << ' ' << k;
    }
  }
}

TEST(WindowTest, BandwidthsAreThoseOfTheTextbook) {
  // F. J. Harris 1978, table 1; flat top: 3.77.
  for (const auto& [window, bandwidth] : {std::pair(SpectrumWindow::kRectangular, 1.0),
                                          {SpectrumWindow::kHann, 1.5},
                                          {SpectrumWindow::kHamming, 1.3628},
                                          {SpectrumWindow::kBlackman, 1.7268},
                                          {SpectrumWindow::kFlatTop, 3.7702}}) {
    EXPECT_NEAR(NoiseBandwidth(WindowWeights(window, 1024)), bandwidth, 5e-4);
  }
}

TEST(SpectrumTest, ASineOnALineHasItsAmplitudeWithEveryWindow) {
  const std::size_t n = 1000;
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = 0.7 + 3 * std::sin(kTurn * 50 * static_cast<double>(i) / n + 0.4) +
           0.02 * std::cos(kTurn * 200 * static_cast<double>(i) / n);
  for (int w = 0; w < 5; ++w) {
    const auto a = AmplitudeSpectrum(x, static_cast<SpectrumWindow>(w));
    ASSERT_EQ(a.size(), 501U);
    EXPECT_NEAR(a[0], 0.7, 1e-12) << w;
    EXPECT_NEAR(a[50], 3, 1e-9) << w;
    EXPECT_NEAR(a[200], 0.02, 1e-9) << w;
    EXPECT_LT(a[120], 1e-9) << w;
  }
  EXPECT_NEAR(SpectrumFrequencies(n, 1e-3)[50], 50, 1e-12);
}

TEST(SpectrumTest, HalfWayBetweenLinesTheWindowLosesWhatTheTextbookSays) {
  const std::size_t n = 4096;
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(kTurn * 600.5 * static_cast<double>(i) / n);
  for (const auto& [window, loss] : {std::pair(SpectrumWindow::kRectangular, 3.92),
                                     {SpectrumWindow::kHann, 1.42},
                                     {SpectrumWindow::kHamming, 1.75},
                                     {SpectrumWindow::kBlackman, 1.10},
                                     {SpectrumWindow::kFlatTop, 0.01}}) {
    EXPECT_NEAR(-Decibels(AmplitudeSpectrum(x, window)[600]), loss, 0.006);
  }
}

TEST(SpectrumTest, TheIntegralOfTheDensityIsTheVariance) {
  const double dt = 2e-3;
  const std::vector<double> x = Noise(1 << 16, 3);
  const CrossSpectrum s = EstimateSpectrum(x, x, dt, {.segment = 512});
  EXPECT_EQ(s.stretches, 255U);
  double variance = 0;
  for (const double d : s.of_u) variance += d / (512 * dt);
  EXPECT_NEAR(variance, 1.0 / 3, 0.005);
  // White: 2 dt sigma^2 on every line, with a scatter of 1/sqrt(stretches) at most.
  for (std::size_t k = 2; k < 255; ++k) EXPECT_NEAR(s.of_u[k] / (2 * dt / 3), 1, 6 / std::sqrt(255.0)) << k;
}

TEST(SpectrumTest, ASineHasItsPowerInItsLines) {
  const double dt = 1e-3, amplitude = 4;
  std::vector<double> x(8192);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = amplitude * std::sin(kTurn * 40 * static_cast<double>(i) * dt);
  for (const SpectrumWindow window : {SpectrumWindow::kHann, SpectrumWindow::kFlatTop}) {
    const CrossSpectrum s = EstimateSpectrum(x, x, dt, {.segment = 1000, .window = window});
    double power = 0;
    for (std::size_t k = 34; k <= 46; ++k) power += s.of_u[k] / (1000 * dt);
    EXPECT_NEAR(power / (amplitude * amplitude / 2), 1, 1e-6);
  }
}

TEST(SpectrumTest, AFilterHasItsTransferFunctionAndCoherence) {
  // y_n = a y_(n-1) + (1 - a) u_n:  H = (1 - a)/(1 - a exp(-i omega dt))
  const double dt = 1e-3, a = 0.8;
  const std::vector<double> u = Noise(1 << 17, 5), noise = Noise(1 << 17, 6);
  std::vector<double> y(u.size()), noisy(u.size());
  double last = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    last = a * last + (1 - a) * u[i];
    y[i] = last;
    noisy[i] = last + 0.5 * noise[i];
  }
  const CrossSpectrum s = EstimateSpectrum(u, y, dt, {.segment = 1024});
  const CrossSpectrum with_noise = EstimateSpectrum(u, noisy, dt, {.segment = 1024});
  const auto H = s.Transfer();
  const auto coherence = s.Coherence(), lower = with_noise.Coherence();
  for (const std::size_t k : {5, 20, 100, 300, 500}) {
    const std::complex<double> exact = (1 - a) / (1.0 - a * std::polar(1.0, -kTurn * s.frequencies[k] * dt));
    EXPECT_LT(std::abs(H[k] / exact - 1.0), 0.02) << k;
    EXPECT_GT(coherence[k], 0.999) << k;
    const double share = std::norm(exact) / (std::norm(exact) + 0.25);
    EXPECT_NEAR(lower[k], share, 0.12) << k;
  }
}

TEST(EvenSamplesTest, EvenPointsAreTakenAsTheyAre) {
  std::vector<double> t, x;
  for (int i = 0; i <= 100; ++i) {
    t.push_back(i * 0.01);
    x.push_back(i);
  }
  t.insert(t.begin() + 30, t[30]);  // an event: both sides at one time
  x.insert(x.begin() + 30, -7);
  const std::vector<double>* columns[] = {&x};
  const EvenSamples samples = MakeEvenSamples(t, columns, 0.2, 0.8);
  EXPECT_FALSE(samples.is_resampled);
  EXPECT_NEAR(samples.dt, 0.01, 1e-15);
  ASSERT_EQ(samples.size(), 61U);
  EXPECT_EQ(samples.columns[0][0], 20);
  EXPECT_EQ(samples.columns[0][10], 30);
}

TEST(EvenSamplesTest, UnevenPointsAreInterpolated) {
  std::vector<double> t, x;
  for (double s = 0; s<1; s += s> 0.5 ? 0.013 : 0.01) {
    t.push_back(s);
    x.push_back(3 * s + 1);
  }
  const std::vector<double>* columns[] = {&x};
  const EvenSamples samples = MakeEvenSamples(t, columns, 0, 1);
  EXPECT_TRUE(samples.is_resampled);
  EXPECT_EQ(samples.given, t.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    EXPECT_NEAR(samples.columns[0][i], 3 * (samples.begin + static_cast<double>(i) * samples.dt) + 1, 1e-12);
}

}  // namespace
}  // namespace davit
