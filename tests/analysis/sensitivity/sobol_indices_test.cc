#include "analysis/sensitivity/sobol_indices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace davit {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<double> ValuesOf(const std::vector<std::vector<double>>& points,
                             double (*function)(const std::vector<double>&)) {
  std::vector<double> values;
  values.reserve(points.size());
  for (const std::vector<double>& point : points) values.push_back(function(point));
  return values;
}

/// sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 on (-pi, pi)^3 (T. Ishigami, T. Homma, 1990).
double Ishigami(const std::vector<double>& u) {
  const auto x = [&](std::size_t i) { return kPi * (2 * u[i] - 1); };
  return std::sin(x(0)) + 7 * std::pow(std::sin(x(1)), 2) + 0.1 * std::pow(x(2), 4) * std::sin(x(0));
}

TEST(SobolIndicesTest, ThoseOfIshigamisFunctionAreTheAnalyticOnes) {
  const double b = 0.1, a = 7;
  const double of_1 = std::pow(1 + b * std::pow(kPi, 4) / 5, 2) / 2;
  const double of_2 = a * a / 8;
  const double of_13 = b * b * std::pow(kPi, 8) * 8 / 225;
  const double all = of_1 + of_2 + of_13;
  const SobolIndices indices = ComputeSobolIndices(ValuesOf(SobolDesign(8192, 3, 1), Ishigami), 3);
  // Random samples would have errors of about 1/sqrt(8192) = 0.011; those of a Sobol sequence are smaller.
  EXPECT_NEAR(indices.mean, a / 2, 0.01 * std::sqrt(all));
  EXPECT_NEAR(indices.variance, all, 0.011 * all);
  const double first[] = {of_1 / all, of_2 / all, 0};
  const double total[] = {(of_1 + of_13) / all, of_2 / all, of_13 / all};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(indices.first[i], first[i], 0.011) << i;
    EXPECT_NEAR(indices.total[i], total[i], 0.011) << i;
    EXPECT_LT(indices.first_error[i], 0.02) << i;
    EXPECT_LT(indices.total_error[i], 0.02) << i;
  }
}

TEST(SobolIndicesTest, OfASumEachInputHasItsOwnShareAndNoInteraction) {
  const auto sum = [](const std::vector<double>& u) { return u[0] + 2 * u[1]; };
  const SobolIndices indices = ComputeSobolIndices(ValuesOf(SobolDesign(4096, 2, 5), sum), 2);
  for (const auto* shares : {&indices.first, &indices.total}) {
    EXPECT_NEAR((*shares)[0], 0.2, 0.01);
    EXPECT_NEAR((*shares)[1], 0.8, 0.01);
  }
}

TEST(SobolIndicesTest, ErrorsCoverTheTrueIndices) {
  int inside = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto sum = [](const std::vector<double>& u) { return u[0] + 2 * u[1]; };
    const SobolIndices indices = ComputeSobolIndices(ValuesOf(SobolDesign(64, 2, seed), sum), 2);
    if (std::abs(indices.total[0] - 0.2) < 2 * indices.total_error[0]) ++inside;
  }
  EXPECT_GE(inside, 34);  // a normal error gives 38; blocks of a Sobol sequence are not independent
}

TEST(SobolIndicesTest, SamplesWithoutAValueAreLeftOut) {
  std::vector<double> values = ValuesOf(SobolDesign(1024, 3, 1), Ishigami);
  values[7] = std::numeric_limits<double>::quiet_NaN();
  const SobolIndices indices = ComputeSobolIndices(values, 3);
  EXPECT_EQ(indices.used, 1023U);
  EXPECT_TRUE(std::isfinite(indices.total[0]));
}

TEST(SobolIndicesTest, WithoutVarianceThereAreNone) {
  const SobolIndices indices = ComputeSobolIndices(std::vector<double>(40, 3.0), 2);
  EXPECT_EQ(indices.variance, 0);
  EXPECT_TRUE(std::isnan(indices.first[0]));
}

}  // namespace
}  // namespace davit
