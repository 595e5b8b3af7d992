#include "analysis/study/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/study/distribution.h"
#include "analysis/study/portable_random.h"

namespace davit {
namespace {

TEST(SamplingTest, NumbersAreThoseThatArePublished) {
  // SplitMix64 with seed 1234567: the reference values of Vigna's splitmix64.c as used by several
  // implementations.
  constexpr std::uint64_t kFirst = 6457827717110365317U;
  PortableRandom random(1234567);
  EXPECT_EQ(random.Uniform(), (static_cast<double>(kFirst >> 11) + 0.5) * 0x1p-53);
}

TEST(SamplingTest, ContinuesWhereItWasLeft) {
  PortableRandom one(7);
  for (int i = 0; i < 10; ++i) one.Normal();
  PortableRandom other(7);
  other.set_taken(one.taken());
  EXPECT_EQ(one.Uniform(), other.Uniform());
}

TEST(SamplingTest, LatinHypercubeHasOneSampleInEachSlice) {
  constexpr std::size_t kCount = 50, kDimensions = 4;
  const std::vector<double> points = SampleUnitCube(Sampling::kLatinHypercube, kCount, kDimensions, 3);
  for (std::size_t d = 0; d < kDimensions; ++d) {
    std::vector<bool> has(kCount, false);
    for (std::size_t i = 0; i < kCount; ++i)
      has[static_cast<std::size_t>(points[i * kDimensions + d] * kCount)] = true;
    EXPECT_TRUE(std::ranges::all_of(has, [](bool x) { return x; })) << d;
  }
}

TEST(SamplingTest, SobolHasTheSameShareInEachEighth) {
  // 2^k points of a (t, 2)-sequence with t = 0: each dyadic slice of one axis has its share; a shift of the
  // circle moves at most one point over an edge.
  constexpr std::size_t kCount = 64;
  const std::vector<double> points = SampleUnitCube(Sampling::kSobol, kCount, 2, 5);
  for (std::size_t d = 0; d < 2; ++d) {
    std::vector<int> counts(8, 0);
    for (std::size_t i = 0; i < kCount; ++i) ++counts[static_cast<std::size_t>(points[i * 2 + d] * 8)];
    for (const int count : counts) EXPECT_NEAR(count, 8, 1);
  }
}

TEST(SamplingTest, SobolMeansConvergeFasterThanRandomOnes) {
  const auto error = [](Sampling sampling) {
    constexpr std::size_t kCount = 4096;
    const std::vector<double> points = SampleUnitCube(sampling, kCount, 3, 11);
    double sum = 0;
    for (std::size_t i = 0; i < kCount; ++i) sum += points[3 * i] * points[3 * i + 1] * points[3 * i + 2];
    return std::abs(sum / kCount - 0.125);
  };
  EXPECT_LT(error(Sampling::kSobol), 1e-3);  // standard deviation of the random mean: 0.11 / 64 = 1.7e-3
}

TEST(SamplingTest, SeedsDiffer) {
  for (const Sampling sampling : {Sampling::kLatinHypercube, Sampling::kSobol, Sampling::kRandom}) {
    EXPECT_EQ(SampleUnitCube(sampling, 10, 3, 1), SampleUnitCube(sampling, 10, 3, 1));
    EXPECT_NE(SampleUnitCube(sampling, 10, 3, 1), SampleUnitCube(sampling, 10, 3, 2));
  }
}

TEST(SamplingTest, WholeNumbersAreEquallyOften) {
  PortableRandom random(1);
  std::vector<int> counts(5, 0);
  constexpr int kCount = 50'000;
  for (int i = 0; i < kCount; ++i) ++counts[random.Below(5)];
  for (const int count : counts) EXPECT_NEAR(count, kCount / 5, 5 * std::sqrt(kCount * 0.2 * 0.8));
}

TEST(DistributionTest, LogarithmAndExponentialAreThoseOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 7.3) {
    EXPECT_NEAR(PortableLog(x), std::log(x), 1e-14 * std::max(1.0, std::abs(std::log(x)))) << x;
  }
  for (double x = -600; x < 600; x += 3.7) EXPECT_NEAR(PortableExp(x) / std::exp(x), 1, 2e-13) << x;
}

TEST(DistributionTest, NormalQuantileInvertsTheErrorFunction) {
  for (const double p : {1e-12, 1e-6, 0.01, 0.07, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999}) {
    const double back = 0.5 * std::erfc(-NormalQuantile(p) / std::sqrt(2.0));
    EXPECT_NEAR(back / p, 1, 1e-13) << p;
  }
}

TEST(DistributionTest, MomentsAreThoseAskedFor) {
  // The midpoint rule over the quantiles. Error of the mean below that of the cut tails.
  const auto moments = [](std::string_view name, std::vector<double> a) {
    Fault fault;
    const auto distribution = Distribution::Make(name, a, &fault);
    constexpr int kCount = 200'000;
    double sum = 0, squares = 0;
    for (int i = 0; i < kCount; ++i) {
      const double x = distribution->Quantile((i + 0.5) / kCount);
      sum += x / kCount;
      squares += x * x / kCount;
    }
    return std::pair(sum, std::sqrt(squares - sum * sum));
  };
  const auto near = [](std::pair<double, double> have, double mean, double deviation) {
    EXPECT_NEAR(have.first / mean, 1, 1e-4);
    EXPECT_NEAR(have.second / deviation, 1, 1e-3);
  };
  near(moments("uniform", {2, 8}), 5, 6 / std::sqrt(12.0));
  near(moments("normal", {10, 2}), 10, 2);
  near(moments("lognormal", {10, 2}), 10, 2);
  near(moments("triangular", {1, 2, 6}), 3, std::sqrt((1 + 4 + 36 - 2 - 6 - 12) / 18.0));
}

TEST(DistributionTest, WrongOnesAreRefused) {
  const auto fault = [](std::string_view name, std::vector<double> a) {
    Fault found;
    EXPECT_FALSE(Distribution::Make(name, a, &found));
    return found.ToText();
  };
  EXPECT_EQ(fault("norml", {1, 2}), "no distribution is named 'norml'; did you mean 'normal'?");
  EXPECT_EQ(fault("normal", {1}), "normal takes 2 numbers, not 1; write normal(mean, standard deviation)");
  EXPECT_NE(fault("normal", {1, 0}), "");
  EXPECT_NE(fault("uniform", {2, 1}), "");
  EXPECT_NE(fault("triangular", {1, 0, 2}), "");
  EXPECT_NE(fault("lognormal", {-1, 1}), "");
}

}  // namespace
}  // namespace davit
