#include "components/hydraulic/laws/oil_compression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace davit {
namespace {

constexpr double kBeta = 1.6e9;

/// Each law, with and without a wall.
std::vector<OilCompression> Laws() {
  std::vector<OilCompression> laws;
  for (const double wall : {0.0, 1e-10}) {
    for (const auto& [gas, share, n] :
         {std::tuple(OilGas::kNone, 0.0, 1.4), std::tuple(OilGas::kMixture, 0.02, 1.4),
          std::tuple(OilGas::kMixture, 1e-5, 1.0), std::tuple(OilGas::kFreeAir, 0.05, 1.4),
          std::tuple(OilGas::kFreeAir, 1e-4, 1.0), std::tuple(OilGas::kConstant, 0.005, 1.4)}) {
      laws.emplace_back(OilCompressionData{
          .wall_compliance = wall, .gas = gas, .gas_share = share, .polytropic_exponent = n});
    }
  }
  return laws;
}

const std::vector<double> kGaugePressures{-0.999e5, -0.99e5, -0.5e5, -1,    0,     1,
                                          1e4,      1e5,     10e5,   100e5, 350e5, 2e8};

TEST(OilCompressionTest, PressureIsTheInverseOfCompression) {
  for (const OilCompression& law : Laws()) {
    for (const double p : kGaugePressures) {
      // C has the rounding of 1, at which the logarithm of the mixture is taken.
      const double tolerance = 1e-11 * std::max(1e5, std::abs(p)) + 4e-16 * law.BulkModulus(p);
      EXPECT_NEAR(law.Pressure(law.Compression(p)), p, tolerance);
    }
    EXPECT_EQ(law.Pressure(law.Compression(law.vapour_pressure()) - 1e-3), law.vapour_pressure());
    EXPECT_EQ(law.Pressure(-1e9), law.vapour_pressure());
  }
}

TEST(OilCompressionTest, BulkModulusIsTheSlopeOfPressureOverCompression) {
  for (const OilCompression& law : Laws()) {
    for (const double p : kGaugePressures) {
      if (p <= -0.99e5) continue;
      const double h = 1e-4 * (p + 1e5);
      const double slope = (law.Compression(p + h) - law.Compression(p - h)) / (2 * h);
      // The error of a central difference: h^2/6 of the third derivative, of P^(-1/n) some 10 h^2/P^2.
      EXPECT_NEAR(slope * law.BulkModulus(p), 1, 1e-6) << p;
    }
  }
}

TEST(OilCompressionTest, EnergyIsTheIntegralOfThePressure) {
  for (const OilCompression& law : Laws()) {
    for (const double p : {-0.9e5, 1e5, 300e5}) {
      // Midpoint rule over ln P; its error falls with the square of the step.
      constexpr int kParts = 20'000;
      const double y0 = std::log(1e5), y1 = std::log(p + 1e5);
      double sum = 0;
      for (int i = 0; i < kParts; ++i) {
        const double P = std::exp(y0 + (y1 - y0) * (i + 0.5) / kParts);
        sum += (P - 1e5) / law.BulkModulus(P - 1e5) * P * (y1 - y0) / kParts;
      }
      EXPECT_NEAR(law.Energy(p) / sum, 1, 1e-6) << p;
    }
  }
}

TEST(OilCompressionTest, WithoutGasItIsLinear) {
  const OilCompression law(OilCompressionData{});
  EXPECT_EQ(law.BulkModulus(300e5), kBeta);
  EXPECT_EQ(law.Compression(300e5), 300e5 / kBeta);
  EXPECT_EQ(law.vapour_pressure(), -0.999e5);
  // Of no air no gas is left.
  EXPECT_FALSE(OilCompression({.gas = OilGas::kMixture, .gas_share = 0}).has_gas());
}

}  // namespace
}  // namespace davit
