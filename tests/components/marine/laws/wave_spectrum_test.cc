#include "components/marine/laws/wave_spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace davit {
namespace {

using std::numbers::pi;

TEST(WaveSpectrumTest, ItsEnergyIsThatOfTheHeight) {
  for (const SpectrumKind kind :
       {SpectrumKind::kJonswap, SpectrumKind::kPiersonMoskowitz, SpectrumKind::kTorsethaugen}) {
    for (const double height : {0.5, 2.5, 9.0}) {
      for (const double period : {height < 1 ? 4.0 : 8.0, 12.0, 18.0}) {
        const WaveSpectrum spectrum(
            {.kind = kind, .height = height, .peak_period = period, .peakedness = 3.3});
        // Simpson's rule on both sides; where frequencies of two peaks differ, their tails are added.
        EXPECT_NEAR(spectrum.Moment(0), height * height / 16, 1e-2 * height * height / 16);
      }
    }
  }
}

TEST(WaveSpectrumTest, PiersonMoskowitzHasItsClosedForm) {
  const double Hs = 3, wp = 2 * pi / 9;
  const WaveSpectrum spectrum(
      {.kind = SpectrumKind::kPiersonMoskowitz, .height = Hs, .peak_period = 9, .peakedness = 1});
  for (const double w : {0.5 * wp, wp, 2 * wp, 4 * wp}) {
    const double S =
        5.0 / 16 * Hs * Hs * std::pow(wp, 4) * std::pow(w, -5) * std::exp(-1.25 * std::pow(wp / w, 4));
    EXPECT_NEAR(spectrum.Density(w), S, 2e-3 * S);  // 1e-3 of the energy is beyond 6 wp
  }
  // m_0/m_2 of the closed form, up to what the tail beyond 6 wp adds to m_2: 2.5 %.
  EXPECT_NEAR(2 * pi * std::sqrt(spectrum.Moment(0) / spectrum.Moment(2)) / 9, 0.7104, 0.025 * 0.7104);
}

TEST(WaveSpectrumTest, JonswapIsHighestAtItsPeak) {
  const WaveSpectrum spectrum(
      {.kind = SpectrumKind::kJonswap, .height = 2, .peak_period = 8, .peakedness = 3.3});
  const double wp = 2 * pi / 8;
  // 3.3 times as high as PiersonMoskowitz of the same A at the peak, and as high far from it.
  const WaveSpectrum flat({.kind = SpectrumKind::kJonswap, .height = 2, .peak_period = 8, .peakedness = 1});
  const double ratio = spectrum.Density(3 * wp) / flat.Density(3 * wp);
  EXPECT_NEAR(spectrum.Density(wp) / flat.Density(wp) / ratio, 3.3, 1e-9);
  EXPECT_LT(spectrum.Density(0.98 * wp), spectrum.Density(wp));
  EXPECT_LT(spectrum.Density(1.02 * wp), spectrum.Density(wp));
}

TEST(WaveSpectrumTest, TorsethaugenHasAWindSeaAndASwell) {
  // Hs = 4 m: a wind sea is fully developed at 6.6*4^(1/3) = 10.48 s. Shorter: the swell has 12.48 s.
  const WaveSpectrum wind({.kind = SpectrumKind::kTorsethaugen, .height = 4, .peak_period = 7});
  const auto is_peak = [](const WaveSpectrum& spectrum, double w) {
    return spectrum.Density(w) > spectrum.Density(0.85 * w) &&
           spectrum.Density(w) > spectrum.Density(1.15 * w);
  };
  EXPECT_TRUE(is_peak(wind, 2 * pi / 7));
  EXPECT_TRUE(is_peak(wind, 2 * pi / (6.6 * std::cbrt(4.0) + 2)));
  const WaveSpectrum swell({.kind = SpectrumKind::kTorsethaugen, .height = 4, .peak_period = 20});
  EXPECT_TRUE(is_peak(swell, 2 * pi / 20));
  const double e = (20 - 6.6 * std::cbrt(4.0)) / (25 - 6.6 * std::cbrt(4.0));
  const double share = 0.6 + 0.4 * std::exp(-e * e / 0.09);
  EXPECT_TRUE(is_peak(swell, 2 * pi / (6.6 * std::cbrt(4 * std::sqrt(1 - share * share)))));
}

TEST(WaveSpectrumTest, ATableIsLinear) {
  const WaveSpectrum spectrum({.kind = SpectrumKind::kTable, .points = {{0.5, 0}, {0.7, 2}, {1.1, 0}}});
  EXPECT_DOUBLE_EQ(spectrum.Density(0.6), 1);
  EXPECT_DOUBLE_EQ(spectrum.Density(0.9), 1);
  EXPECT_EQ(spectrum.Density(0.4), 0);
  EXPECT_EQ(spectrum.Density(1.2), 0);
  EXPECT_NEAR(spectrum.Moment(0), 0.6, 1e-6);  // area of the triangle
}

}  // namespace
}  // namespace davit
