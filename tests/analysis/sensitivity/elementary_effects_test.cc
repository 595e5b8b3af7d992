#include "analysis/sensitivity/elementary_effects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace davit {
namespace {

template <class Function>
std::vector<double> EffectValues(const std::vector<std::vector<double>>& points, Function function) {
  std::vector<double> values;
  for (const std::vector<double>& point : points) values.push_back(function(point));
  return values;
}

/// sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 on (-pi, pi)^3 (T. Ishigami, T. Homma, 1990).
double IshigamiAt(const std::vector<double>& u) {
  const auto x = [&](std::size_t i) { return std::numbers::pi * (2 * u[i] - 1); };
  return std::sin(x(0)) + 7 * std::pow(std::sin(x(1)), 2) + 0.1 * std::pow(x(2), 4) * std::sin(x(0));
}

TEST(ElementaryEffectsTest, ATrajectoryChangesEachCoordinateOnceByTwoThirds) {
  constexpr std::size_t kInputs = 5, kTrajectories = 40;
  const auto points = MorrisDesign(kTrajectories, kInputs, 3);
  ASSERT_EQ(points.size(), kTrajectories * (kInputs + 1));
  for (std::size_t t = 0; t < kTrajectories; ++t) {
    std::vector<int> changes(kInputs, 0);
    for (std::size_t k = 1; k <= kInputs; ++k) {
      for (std::size_t i = 0; i < kInputs; ++i) {
        const double before = points[t * (kInputs + 1) + k - 1][i], after = points[t * (kInputs + 1) + k][i];
        EXPECT_TRUE(after >= 0 && after <= 1);
        if (after == before) continue;
        EXPECT_NEAR(std::abs(after - before), 2.0 / 3, 1e-15);
        ++changes[i];
      }
    }
    EXPECT_EQ(changes, std::vector<int>(kInputs, 1));
  }
  EXPECT_EQ(MorrisDesign(3, 2, 7), MorrisDesign(3, 2, 7));
  EXPECT_NE(MorrisDesign(3, 2, 7), MorrisDesign(3, 2, 8));
}

TEST(ElementaryEffectsTest, OfALinearFunctionTheyAreItsCoefficients) {
  const auto linear = [](const std::vector<double>& u) { return 4 - 3 * u[0] + 0.5 * u[1] + 100 * u[2]; };
  const auto points = MorrisDesign(10, 4, 1);
  const ElementaryEffects effects = ComputeElementaryEffects(points, EffectValues(points, linear));
  const double coefficients[] = {-3, 0.5, 100, 0};
  EXPECT_EQ(effects.used, 10U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(effects.mu[i], coefficients[i], 1e-12) << i;  // rounding of values up to 100
    EXPECT_NEAR(effects.mu_star[i], std::abs(coefficients[i]), 1e-12) << i;
    EXPECT_NEAR(effects.sigma[i], 0, 1e-12) << i;
  }
}

/// All effects of the grid are known: their moments are what a sample has within its errors.
TEST(ElementaryEffectsTest, OfIshigamisFunctionTheyAreThoseOfTheWholeGrid) {
  constexpr std::size_t kTrajectories = 4000;
  const auto points = MorrisDesign(kTrajectories, 3, 1);
  const ElementaryEffects effects = ComputeElementaryEffects(points, EffectValues(points, IshigamiAt));
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<double> all;
    for (int n = 0; n < 64; ++n) {
      const int levels[] = {n % 4, n / 4 % 4, n / 16};
      if (levels[i] > 1) continue;  // the other end of a step
      std::vector<double> low, high;
      for (const int level : levels) low.push_back(level / 3.0);
      high = low;
      high[i] += 2.0 / 3;
      all.push_back((IshigamiAt(high) - IshigamiAt(low)) * 1.5);
    }
    double mean = 0, size = 0, square = 0;
    for (const double x : all) {
      mean += x / static_cast<double>(all.size());
      size += std::abs(x) / static_cast<double>(all.size());
      square += x * x / static_cast<double>(all.size());
    }
    EXPECT_NEAR(effects.mu_star[i], size, 4 * effects.mu_star_error[i] + 1e-9) << i;
    const double sigma = std::sqrt(square - mean * mean);
    EXPECT_NEAR(effects.mu[i], mean, 4 * sigma / std::sqrt(kTrajectories)) << i;
    EXPECT_NEAR(effects.sigma[i] / sigma, 1, 4 / std::sqrt(2.0 * kTrajectories)) << i;
  }
}

TEST(ElementaryEffectsTest, TrajectoriesWithoutAValueAreLeftOut) {
  const auto points = MorrisDesign(10, 3, 1);
  std::vector<double> values = EffectValues(points, IshigamiAt);
  values[5] = std::numeric_limits<double>::quiet_NaN();
  const ElementaryEffects effects = ComputeElementaryEffects(points, values);
  EXPECT_EQ(effects.used, 9U);
  EXPECT_TRUE(std::ranges::all_of(effects.mu_star, [](double x) { return std::isfinite(x); }));
}

}  // namespace
}  // namespace davit
