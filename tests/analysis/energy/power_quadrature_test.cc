#include "simulator/energy/power_quadrature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace davit {
namespace {

using Powers = PowerQuadrature::Powers;

struct Quadrature {
  std::vector<double> energies = {};
  std::size_t looks = 0;  ///< inside the piece
};

/// Of powers that are functions of the time, over one piece.
Quadrature IntegralOf(const std::function<Powers(double)>& powers, double begin, double end,
                      PowerQuadrature::Scale scale = {}) {
  Quadrature result;
  PowerQuadrature().Integrate(
      begin, end, {powers(begin), powers(end)}, scale,
      [&](double t) {
        EXPECT_GT(t, begin);
        EXPECT_LT(t, end);
        ++result.looks;
        return powers(t);
      },
      [&](const Powers& at, double weight) {
        result.energies.resize(std::max(result.energies.size(), at.size()));
        for (std::size_t k = 0; k < at.size(); ++k) result.energies[k] += weight * at[k];
      });
  return result;
}

TEST(PowerQuadratureTest, IsExactUpToTheNinthPowerOfTime) {
  // With a tolerance that the difference of both formulas meets: two looks of one, three more of the other.
  for (int n = 2; n <= 9; ++n) {
    const Quadrature result =
        IntegralOf([n](double t) { return Powers{std::pow(t, n)}; }, 0, 1, {.least = 0.02});
    EXPECT_NEAR(result.energies[0], 1.0 / (n + 1), 4e-16) << n;
    EXPECT_EQ(result.looks, 5U) << n;
  }
  const Quadrature tenth =
      IntegralOf([](double t) { return Powers{std::pow(t, 10)}; }, 0, 1, {.least = 0.02});
  EXPECT_GT(std::abs(tenth.energies[0] - 1.0 / 11), 1e-7);
}

TEST(PowerQuadratureTest, TheFourPointsAreExactUpToTheFifth) {
  for (int n = 0; n <= 5; ++n) {
    const Quadrature result =
        IntegralOf([n](double t) { return Powers{std::pow(t, n)}; }, 0, 1, {.least = 1});
    EXPECT_NEAR(result.energies[0], 1.0 / (n + 1), 4e-16) << n;
    EXPECT_EQ(result.looks, 2U) << n;
  }
}

TEST(PowerQuadratureTest, APowerThatIsNearlyConstantTakesTwoLooks) {
  const Quadrature result =
      IntegralOf([](double t) { return Powers{1000 + 1e-6 * std::cos(t)}; }, 0, 0.01, {.size = 10});
  EXPECT_EQ(result.looks, 2U);
  EXPECT_NEAR(result.energies[0], 10 + 1e-6 * std::sin(0.01), 1e-14);
}

TEST(PowerQuadratureTest, EachPowerHasTheToleranceOfTheLargest) {
  // Bends at places that halving never meets, of powers large and small.
  const auto ramp = [](double size, double bend) {
    return [=](double t) { return size * std::max(0.0, t - bend); };
  };
  const auto large = ramp(1, 0.3141), small = ramp(1e-3, 0.7183);
  const Quadrature result = IntegralOf([&](double t) { return Powers{large(t), small(t)}; }, 0, 1);
  const double energy = std::pow(1 - 0.3141, 2) / 2;
  EXPECT_NEAR(result.energies[0], energy, PowerQuadrature::kTolerance * energy);
  EXPECT_NEAR(result.energies[1], 1e-3 * std::pow(1 - 0.7183, 2) / 2, PowerQuadrature::kTolerance * energy);
  // Each halving costs ten, and makes the error of a bend a quarter: 1e-8 takes about 13 of each.
  EXPECT_LT(result.looks, 300U);
}

TEST(PowerQuadratureTest, WhatIsLargeElsewhereSetsTheToleranceToo) {
  const auto bent = [](double t) { return Powers{std::max(0.0, t - 0.3141)}; };
  const double energy = std::pow(1 - 0.3141, 2) / 2;
  const Quadrature coarse = IntegralOf(bent, 0, 1, {.size = 1e4}),
                   least = IntegralOf(bent, 0, 1, {.least = 1e-4});
  EXPECT_NEAR(coarse.energies[0], energy, 1e4 * PowerQuadrature::kTolerance);
  EXPECT_NEAR(least.energies[0], energy, 1e-4);
  EXPECT_LT(coarse.looks, IntegralOf(bent, 0, 1).looks / 2);
  EXPECT_EQ(coarse.looks, least.looks);
}

TEST(PowerQuadratureTest, OppositePowersDoNotHideEachOthersErrors) {
  // They add up to zero at all times, as a wrong account and its opposite would.
  const auto bent = [](double t) { return std::max(0.0, t - 0.3141); };
  const Quadrature one = IntegralOf([&](double t) { return Powers{bent(t)}; }, 0, 1);
  const Quadrature two = IntegralOf([&](double t) { return Powers{bent(t), -bent(t)}; }, 0, 1);
  EXPECT_EQ(two.looks, one.looks);
  EXPECT_EQ(two.energies[0], one.energies[0]);
}

TEST(PowerQuadratureTest, NoiseAndJumpsEndAtTheMostHalvings) {
  const Quadrature noise = IntegralOf([](double t) { return Powers{std::sin(1e9 * t)}; }, 0, 1);
  EXPECT_EQ(noise.looks, 5 + 10 * PowerQuadrature::kMostHalvings);
  // A jump is narrowed down until rounding or the tolerance ends it.
  const Quadrature jump = IntegralOf([](double t) { return Powers{t < 0.3141 ? 0.0 : 1.0}; }, 0, 1);
  EXPECT_NEAR(jump.energies[0], 1 - 0.3141, 1e-7);
}

TEST(PowerQuadratureTest, APowerThatComesUpLaterIsZeroBefore) {
  const Quadrature result = IntegralOf(
      [](double t) {
        return t < 0.5 ? Powers{1} : Powers{1, t - 0.5};
      },
      0, 1);
  EXPECT_DOUBLE_EQ(result.energies[0], 1);
  EXPECT_NEAR(result.energies[1], 0.125, 1e-8);
}

}  // namespace
}  // namespace davit
