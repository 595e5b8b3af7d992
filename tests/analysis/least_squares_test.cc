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

const LeastSquaresOptions kOptions{.most_rounds = 100};

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
      FitLeastSquares(Residuals(Decay, Data(Decay, truth, 0, 1)), {0.9, 0.1}, kOptions);
  EXPECT_TRUE(result.is_converged);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(result.u[i], truth[i], 1e-7);
  EXPECT_TRUE(result.ambiguities.empty());
}

TEST(LeastSquaresTest, StandardErrorsOfALineAreThoseOfTheFormula) {
  // y = a + b t: var(b) = s^2 / sum (t - mean)^2, and the correlation of a and b is -mean / sqrt(mean of
  // t^2).
  const auto line = [](double t, const std::vector<double>& u) { return u[0] + u[1] * t; };
  const LeastSquaresResult result =
      FitLeastSquares(Residuals(line, Data(line, {0.5, 0.5}, 0.05, 3)), {0.2, 0.2}, kOptions);
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
        FitLeastSquares(Residuals(Decay, Data(Decay, truth, 0.02, seed)), {0.5, 0.5}, kOptions);
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
      Residuals(product, Data(product, {0.4, 0.5, 0.3, 0}, 0.01, 1)), {0.6, 0.6, 0.6, 0.6}, kOptions);
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
  const LeastSquaresResult result = FitLeastSquares(Residuals(line, data), {0.5, 0.5}, kOptions);
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
  EXPECT_TRUE(FitLeastSquares(fails, {0.5}, kOptions).u.empty());
}

/// The mean of data by a loss: where sum of r rho'((r/s)^2) = 0. With Huber's and scale s a share of the
/// values counts s, the others r, so it can be computed by bisection.
TEST(LeastSquaresTest, EachLossHasTheRootOfItsEquation) {
  const auto constant = [](double, const std::vector<double>& u) { return u[0]; };
  std::vector<double> data = Data(constant, {0.5}, 0.02, 5);
  data[7] = 0.9;
  data[8] = 3;
  constexpr double kScale = 0.03;
  const auto slope_of = [](Loss loss, double z) {
    switch (loss) {
      case Loss::kLinear: return 1.0;
      case Loss::kSoftL1: return 1 / std::sqrt(1 + z);
      case Loss::kHuber: return z <= 1 ? 1.0 : 1 / std::sqrt(z);
      case Loss::kCauchy: return 1 / (1 + z);
      case Loss::kArctan: return 1 / (1 + z * z);
    }
    return 0.0;
  };
  for (const Loss loss : {Loss::kLinear, Loss::kSoftL1, Loss::kHuber, Loss::kCauchy, Loss::kArctan}) {
    const LeastSquaresResult result =
        FitLeastSquares(Residuals(constant, data), {0.52}, {.loss = loss, .scale = kScale});
    EXPECT_TRUE(result.is_converged);
    const auto sum = [&](double mean) {
      double all = 0;
      for (const double x : data) {
        const double r = x - mean;
        all += r * slope_of(loss, r * r / (kScale * kScale));
      }
      return all;
    };
    double low = 0.4, high = 0.7;
    ASSERT_TRUE(sum(low) > 0 && sum(high) < 0);
    for (int i = 0; i < 60; ++i) (sum((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    // The gain of the last step was below 1e-10 of the sum: the distance is of the order of its root.
    EXPECT_NEAR(result.u[0], low, 2e-5 * kScale * std::sqrt(50.0)) << static_cast<int>(loss);
  }
}

TEST(LeastSquaresTest, OneOutlierMovesARobustFitByLessThanItsError) {
  const std::vector<double> truth{0.4, 0.7};
  const std::vector<double> good = Data(Decay, truth, 0.01, 2);
  std::vector<double> bad = good;
  bad[20] += 100;
  const LeastSquaresResult squares = FitLeastSquares(Residuals(Decay, bad), {0.5, 0.5}, kOptions);
  EXPECT_GT(std::abs(squares.u[0] - truth[0]) + std::abs(squares.u[1] - truth[1]), 0.3);
  for (const Loss loss : {Loss::kSoftL1, Loss::kHuber, Loss::kCauchy, Loss::kArctan}) {
    const LeastSquaresOptions options{.most_rounds = 200, .loss = loss};
    const LeastSquaresResult without = FitLeastSquares(Residuals(Decay, good), {0.5, 0.5}, options);
    const LeastSquaresResult with = FitLeastSquares(Residuals(Decay, bad), {0.5, 0.5}, options);
    EXPECT_TRUE(with.is_converged) << static_cast<int>(loss);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(with.u[i], without.u[i], without.errors[i]) << static_cast<int>(loss);
      EXPECT_NEAR(with.u[i], truth[i], 4 * with.errors[i]) << static_cast<int>(loss);
    }
  }
}

/// Of normal errors Huber's loss at 1.35 deviations is 95 % as efficient, so its errors are 1/sqrt(0.95) of
/// those of least squares, and they cover the truth as often.
TEST(LeastSquaresTest, RobustErrorsAreThoseOfTheEfficiency) {
  const std::vector<double> truth{0.4, 0.7};
  double ratio = 0;
  std::vector<int> hits(2, 0);
  constexpr int kSeeds = 100;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const ResidualFunction residuals = Residuals(Decay, Data(Decay, truth, 0.02, seed));
    const LeastSquaresResult squares = FitLeastSquares(residuals, {0.5, 0.5}, kOptions);
    const LeastSquaresResult huber =
        FitLeastSquares(residuals, {0.5, 0.5}, {.most_rounds = 200, .loss = Loss::kHuber});
    ratio += huber.errors[0] / squares.errors[0] / kSeeds;
    for (std::size_t i = 0; i < 2; ++i)
      hits[i] += std::abs(huber.u[i] - truth[i]) < 2 * huber.errors[i] ? 1 : 0;
  }
  EXPECT_NEAR(ratio, 1 / std::sqrt(0.95), 0.03);
  for (const int hit : hits) EXPECT_GE(hit, 88);
}

TEST(LeastSquaresTest, ARobustFitOfExactDataIsExact) {
  const std::vector<double> truth{0.4, 0.7};
  const LeastSquaresResult result = FitLeastSquares(Residuals(Decay, Data(Decay, truth, 0, 1)), {0.9, 0.1},
                                                    {.most_rounds = 200, .loss = Loss::kHuber});
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(result.u[i], truth[i], 1e-6);
}

}  // namespace
}  // namespace davit
