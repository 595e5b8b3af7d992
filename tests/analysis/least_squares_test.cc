#include "analysis/study/least_squares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "analysis/study/portable_random.h"

namespace davit {
namespace {

using testing::ElementsAre;
using Points = std::vector<std::vector<double>>;

/// Residuals of a model y(t, u) at 50 times against data.
template <class Model>
ResidualFunction Residuals(Model model, std::vector<double> data) {
  return [model, data](const Points& points) {
    std::vector<std::vector<double>> all;
    for (const std::vector<double>& u : points) {
      std::vector<double>& r = all.emplace_back();
      for (std::size_t i = 0; i < data.size(); ++i)
        r.push_back(model(0.1 * static_cast<double>(i), u) - data[i]);
    }
    return all;
  };
}

template <class Model>
std::vector<double> Data(Model model, const std::vector<double>& u, double noise, std::uint64_t seed) {
  PortableRandom random(seed);
  std::vector<double> data;
  for (int i = 0; i < 50; ++i) data.push_back(model(0.1 * i, u) + noise * random.Normal());
  return data;
}

double Decay(double t, const std::vector<double>& u) { return 2 * u[0] * std::exp(-u[1] * t); }

TEST(LeastSquaresTest, FindsExactParameters) {
  const std::vector<double> truth{0.4, 0.7};
  const LeastSquaresResult result =
      FitLeastSquares(Residuals(Decay, Data(Decay, truth, 0, 1)), {0.9, 0.1}, 100);
  EXPECT_TRUE(result.is_converged);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(result.u[i], truth[i], 1e-7);
  EXPECT_TRUE(result.ambiguities.empty());
}

TEST(LeastSquaresTest, StandardErrorsOfALineAreThoseOfTheFormula) {
  // y = a + b t: var(b) = s^2 / sum (t - mean)^2, and the correlation of a and b is -mean / sqrt(mean of
  // t^2).
  const auto line = [](double t, const std::vector<double>& u) { return u[0] + u[1] * t; };
  const LeastSquaresResult result =
      FitLeastSquares(Residuals(line, Data(line, {0.5, 0.5}, 0.05, 3)), {0.2, 0.2}, 100);
  double mean = 0, squares = 0;
  for (int i = 0; i < 50; ++i) {
    mean += 0.1 * i / 50;
    squares += 0.01 * i * i / 50;
  }
  const double s = std::sqrt(result.sum_of_squares / 48);
  EXPECT_NEAR(result.errors[1] / (s / std::sqrt(50 * (squares - mean * mean))), 1, 1e-6);
  EXPECT_NEAR(result.correlation[1], -mean / std::sqrt(squares), 1e-6);
}

TEST(LeastSquaresTest, TruthIsWithinTwoStandardErrorsNinetyFiveTimesOfAHundred) {
  const std::vector<double> truth{0.4, 0.7};
  std::vector<int> hits(2, 0);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const LeastSquaresResult result =
        FitLeastSquares(Residuals(Decay, Data(Decay, truth, 0.02, seed)), {0.5, 0.5}, 100);
    for (std::size_t i = 0; i < 2; ++i)
      hits[i] += std::abs(result.u[i] - truth[i]) < 2 * result.errors[i] ? 1 : 0;
  }
  for (const int hit : hits) EXPECT_GE(hit, 90);
}

TEST(LeastSquaresTest, WhatCannotBeToldApartIsNamed) {
  // Only the product of the first two matters; the last has no influence.
  const auto product = [](double t, const std::vector<double>& u) {
    return u[0] * u[1] * std::exp(-t) + u[2] * t;
  };
  const LeastSquaresResult result = FitLeastSquares(
      Residuals(product, Data(product, {0.4, 0.5, 0.3, 0}, 0.01, 1)), {0.6, 0.6, 0.6, 0.6}, 100);
  std::vector<std::vector<std::size_t>> sets;
  for (const Ambiguity& ambiguity : result.ambiguities) sets.push_back(ambiguity.unknowns);
  EXPECT_THAT(sets, testing::UnorderedElementsAre(ElementsAre(0, 1), ElementsAre(3)));
  EXPECT_TRUE(std::isnan(result.errors[0]) && std::isnan(result.errors[1]) && std::isnan(result.errors[3]));
  EXPECT_NEAR(result.u[0] * result.u[1], 0.2, 0.02);
  EXPECT_NEAR(result.u[2], 0.3, 3 * result.errors[2]);
}

TEST(LeastSquaresTest, StaysWithinBounds) {
  const auto line = [](double t, const std::vector<double>& u) { return u[0] + u[1] * t; };
  const std::vector<double> data =
      Data([](double t, const std::vector<double>&) { return 2 + 0.5 * t; }, {}, 0, 1);
  const LeastSquaresResult result = FitLeastSquares(Residuals(line, data), {0.5, 0.5}, 100);
  EXPECT_EQ(result.u[0], 1);
  // With a held at 1: b = sum t (y - 1) / sum t^2.
  double top = 0, bottom = 0;
  for (int i = 0; i < 50; ++i) {
    top += 0.1 * i * (1 + 0.05 * i);
    bottom += 0.01 * i * i;
  }
  EXPECT_NEAR(result.u[1], top / bottom, 1e-6);
}

TEST(LeastSquaresTest, AStartThatFailsHasNoResult) {
  const ResidualFunction fails = [](const Points& points) {
    return std::vector<std::vector<double>>(points.size());
  };
  EXPECT_TRUE(FitLeastSquares(fails, {0.5}, 10).u.empty());
}

}  // namespace
}  // namespace davit
