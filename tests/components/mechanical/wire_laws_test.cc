#include "components/mechanical/wire_laws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace davit {
namespace {

using std::numbers::pi;

TEST(DrumSpiral, EachLayerAddsItsHeightAndTheLengthOfItsMeanTurn) {
  const double radius = 0.6, height = 0.03;
  const int turns = 25;
  const DrumSpiral drum{radius, DrumSpiral::Growth(height, turns)};
  for (const int layers : {-3, -1, 0, 1, 5}) {  // wound in
    const double angle = -2 * pi * turns * layers;
    EXPECT_NEAR(drum.RadiusAt(angle), radius + layers * height, 1e-14);
    EXPECT_NEAR(drum.PaidOut(angle), angle * (radius + layers * height / 2), 1e-11) << layers;
  }
}

TEST(DrumSpiral, TheRadiusIsTheRateOfWhatIsPaidOutAlsoAtTheCore) {
  const DrumSpiral drum{0.5, 1e-3};
  const double core = 0.9 * 0.5 / 1e-3, d = 0.5;
  for (const double angle : {-300.0, 0.0, 200.0, core - 1, core, core + 1, 2 * core}) {
    const double slope = (drum.PaidOut(angle + d) - drum.PaidOut(angle - d)) / (2 * d);
    // The central difference of a parabola is exact; at the core it spans the kink.
    const double kink = std::abs(angle - core) < d ? 1e-3 * d / 4 : 0;
    EXPECT_NEAR(slope, drum.RadiusAt(angle), kink + 1e-12) << angle;
    EXPECT_GE(drum.RadiusAt(angle), 0.05);
  }
}

TEST(DrumSpiral, WithoutGrowthItIsADrumOfOneRadiusToTheBit) {
  for (const double angle : {-1234.5, -0.1, 0.0, 7e5}) {
    EXPECT_EQ((DrumSpiral{0.37, 0}.RadiusAt(angle)), 0.37);
    EXPECT_EQ((DrumSpiral{0.37, 0}.PaidOut(angle)), 0.37 * angle);
  }
}

TEST(Tackle, NSheavesMultiplyLikeTurnsOfACapstan) {
  for (const int n : {0, 1, 2, 7}) {
    const Tackle tackle{.falls = 1, .sheaves = n, .efficiency = 0.96};
    EXPECT_NEAR(tackle.DrumShare(-1), std::pow(0.96, -n), 1e-13);
    EXPECT_NEAR(tackle.DrumShare(1), std::pow(0.96, n), 1e-13);
  }
}

TEST(Tackle, FallsShareTheLoadInAGeometricRow) {
  const double e = 0.97;
  for (const int n : {2, 3, 8}) {
    const Tackle tackle{.falls = n, .sheaves = 2, .efficiency = e};
    // Hauled in, T_1 = 1 and T_n = e^(n - 1), in all (1 - e^n)/(1 - e); paid out with 1/e in place of e.
    EXPECT_NEAR(tackle.DrumShare(-1), n * (1 - e) / (1 - std::pow(e, n)) / (e * e), 1e-13) << n;
    EXPECT_NEAR(tackle.DrumShare(1), n * (1 - 1 / e) / (1 - std::pow(e, -n)) * e * e, 1e-13) << n;
  }
}

TEST(Tackle, FrictionTakesPowerInBothDirectionsAndFadesThroughZero) {
  const Tackle tackle{.falls = 4, .sheaves = 3, .efficiency = 0.95, .stick_velocity = 0.02};
  EXPECT_EQ(tackle.DrumShare(0), 1);
  double before = tackle.DrumShare(-0.2001);
  for (int i = -2000; i <= 2000; ++i) {
    const double rate = 1e-4 * i, share = tackle.DrumShare(rate);
    EXPECT_GE((1 - share) * rate, 0) << rate;
    EXPECT_LE(share, before) << rate;
    // |d ln share| <= (sheaves + falls - 1)*|ln efficiency|*d rate/stick_velocity
    EXPECT_LT(std::log(before / share), 6 * -std::log(0.95) * 1e-4 / 0.02 * 1.001) << rate;
    before = share;
  }
}

TEST(Tackle, WithoutFrictionTheDrumHoldsTheMean) {
  for (const int falls : {1, 3})
    for (const double rate : {-1.0, 0.0, 2.0})
      EXPECT_EQ((Tackle{.falls = falls, .sheaves = 4}.DrumShare(rate)), 1);
}

}  // namespace
}  // namespace davit
