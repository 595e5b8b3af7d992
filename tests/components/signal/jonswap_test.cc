#include "components/signal/jonswap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "tests/support/component_harness.h"
#include "tests/support/special_values.h"

namespace davit {
namespace {

class JonswapTest : public testing::Test {
 protected:
  double At(double t, std::string_view name = "y") {
    harness.Evaluate(t);
    return harness.Read(wave, name);
  }
  ComponentHarness harness;
  Jonswap& wave = harness.Add<Jonswap>("wave");
};

TEST_F(JonswapTest, ARegularWaveIsACosine) {
  harness.Set(wave, "spectrum", "Regular");
  harness.Set(wave, "significant_height", 3);
  harness.Set(wave, "peak_period", 7);
  harness.Set(wave, "response", 0.5);
  harness.Set(wave, "phase", 0.4);
  harness.Start();
  const double w = 2 * kPi / 7;
  for (const double t : {0.0, 1.3, 100.0}) {
    EXPECT_NEAR(At(t), 0.5 * 1.5 * std::cos(w * t + 0.4), 1e-12);
    EXPECT_NEAR(At(t, "rate"), -0.5 * 1.5 * w * std::sin(w * t + 0.4), 1e-12);
    EXPECT_NEAR(At(t, "acceleration"), -0.5 * 1.5 * w * w * std::cos(w * t + 0.4), 1e-12);
  }
}

TEST_F(JonswapTest, RateAndAccelerationAreDerivatives) {
  harness.Start();
  constexpr double h = 1e-4;
  for (const double t : {0.0, 17.0, 500.0}) {
    // h^2/6 y''' and eps y/h: 1e-8 and 1e-12.
    EXPECT_NEAR(At(t, "rate"), (At(t + h) - At(t - h)) / (2 * h), 1e-7);
    EXPECT_NEAR(At(t, "acceleration"), (At(t + h, "rate") - At(t - h, "rate")) / (2 * h), 1e-7);
  }
}

TEST_F(JonswapTest, ItsStandardDeviationIsAQuarterOfTheSignificantHeight) {
  harness.Set(wave, "significant_height", 2);
  harness.Start();
  // Over 40,000 s the products of any two of 40 waves 0.07 rad/s apart on average have died away to 1 %.
  double sum = 0, squares = 0;
  constexpr int kCount = 200000;
  for (int i = 0; i < kCount; ++i) {
    const double y = At(0.2 * i);
    sum += y;
    squares += y * y;
  }
  EXPECT_NEAR(std::sqrt(squares / kCount), 0.5, 0.01 * 0.5);
  EXPECT_NEAR(sum / kCount, 0, 1e-3);
}

/// Energy of samples `step` [s] apart at the frequencies from low to high [rad/s], by their Fourier sums.
double BandEnergy(const std::vector<double>& samples, double step, double low, double high) {
  double energy = 0;
  const auto count = static_cast<double>(samples.size());
  const double dw = 2 * kPi / (count * step);
  for (double w = low; w < high; w += dw) {
    double c = 0, s = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double angle = w * step * static_cast<double>(i);
      c += samples[i] * std::cos(angle);
      s += samples[i] * std::sin(angle);
    }
    energy += 2 * (c * c + s * s) / (count * count);
  }
  return energy;
}

TEST_F(JonswapTest, HasTheEnergyOfTheSpectrumInEachBand) {
  harness.Set(wave, "components", "400");
  harness.Set(wave, "peak_period", 8);
  harness.Set(wave, "significant_height", 4);
  harness.Start();
  const double peak = 2 * kPi / 8;
  const auto shape = [peak](double w) {
    const double sigma = w < peak ? 0.07 : 0.09;
    return std::pow(w, -5) * std::exp(-1.25 * std::pow(peak / w, 4)) *
           std::pow(3.3, std::exp(-std::pow((w / peak - 1) / sigma, 2) / 2));
  };
  const auto integral = [&](double low, double high) {
    double sum = 0;
    const int n = 2000;
    for (int i = 0; i < n; ++i) sum += shape(low + (high - low) * (i + 0.5) / n);
    return sum * (high - low) / n;
  };
  const double scale = 1.0 / integral(0.5 * peak, 4 * peak);  // Hs^2/16 = 1
  constexpr double kStep = 0.5;
  std::vector<double> samples;
  for (int i = 0; i < 8000; ++i) samples.push_back(At(kStep * i));
  for (const auto& [low, high] : {std::pair(0.8, 1.2), std::pair(1.2, 1.8)}) {
    // Each band holds 46 waves or more at random places of their parts, and leaks 1 % at its borders.
    EXPECT_NEAR(
        BandEnergy(samples, kStep, low * peak, high * peak) / (scale * integral(low * peak, high * peak)), 1,
        0.05);
  }
}

TEST_F(JonswapTest, OneSeedIsOneSeaAndAnotherAnother) {
  auto& same = harness.Add<Jonswap>("same");
  auto& other = harness.Add<Jonswap>("other");
  harness.Set(other, "seed", "2");
  harness.Start();
  harness.Evaluate(33);
  EXPECT_EQ(harness.Read(wave, "y"), harness.Read(same, "y"));
  EXPECT_NE(harness.Read(wave, "y"), harness.Read(other, "y"));
}

}  // namespace
}  // namespace davit
