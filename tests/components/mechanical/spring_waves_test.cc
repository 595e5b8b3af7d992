#include "components/mechanical/spring_waves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "simulator/building_blocks/compensated_sum.h"

namespace davit {
namespace {

/// A spring whose ends the test moves; x follows v by the trapezoidal rule.
struct MovedSpring {
  MovedSpring(double rate, double damping, double filter, double step) : k(rate), h(step) {
    waves.Set(k, damping, filter, h, {});
    c = waves.Start(0, {});
  }
  /// The forces at the ends after a step that ends with the velocities `next`.
  SpringWaves::Ends Move(SpringWaves::Ends next) {
    c = waves.Advance(k * (x.a + x.b), v);
    x.a += h / 2 * (v.a + next.a);
    x.b += h / 2 * (v.b + next.b);
    v = next;
    return {c.a + waves.Zc() * v.a, c.b + waves.Zc() * v.b};
  }

  double k;
  double h;
  SpringWaves waves;
  SpringWaves::Ends c, v, x;
};

TEST(SpringWavesTest, StartWithTheForceAtBothEnds) {
  for (const double filter : {0.0, 0.1, 0.7}) {
    SpringWaves waves;
    waves.Set(200, 3, filter, 0.01, {});
    const SpringWaves::Ends c = waves.Start(50, {0.4, -0.1});
    EXPECT_NEAR(c.a + waves.Zc() * 0.4, 50 + 3 * (0.4 - 0.1), 1e-12);
    EXPECT_NEAR(c.b - waves.Zc() * 0.1, 50 + 3 * (0.4 - 0.1), 1e-12);
  }
}

TEST(SpringWavesTest, WithoutFilterAreThoseOfALosslessLine) {
  MovedSpring spring(300, 0, 0, 0.01);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const double Zc = 300 * 0.01;
  SpringWaves::Ends line;
  for (int i = 0; i < 1000; ++i) {
    const SpringWaves::Ends v = spring.v;
    line = {line.b + 2 * Zc * v.b, line.a + 2 * Zc * v.a};
    spring.Move({normal(random), normal(random)});
    EXPECT_NEAR(spring.c.a, line.a, 1e-11);
    EXPECT_NEAR(spring.c.b, line.b, 1e-11);
  }
}

TEST(SpringWavesTest, NeverGiveMoreEnergyThanTheyTook) {
  for (const double filter : {0.0, 0.1, 0.5, 0.9}) {
    for (const double damping : {0.0, 0.2, 20.0}) {
      for (unsigned seed = 1; seed <= 20; ++seed) {
        MovedSpring spring(300, damping, filter, 0.01);
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        // From white noise to slow motion; the ends together, against each other, or free of each other.
        const double memory = 1 - std::pow(0.1, seed % 4);
        const double together = seed % 3 == 0 ? 0 : (seed % 3 == 1 ? 0.98 : -0.98);
        building_blocks::CompensatedSum taken;
        SpringWaves::Ends v;
        double most = 0;
        for (int i = 0; i < 2000; ++i) {
          const double shared = normal(random);
          v.a = memory * v.a + (std::abs(together) * shared + (1 - std::abs(together)) * normal(random));
          v.b = memory * v.b + (together * shared + (1 - std::abs(together)) * normal(random));
          const SpringWaves::Ends F = spring.Move(v);
          taken += 0.01 * (F.a * v.a + F.b * v.b);
          most = std::max(most, taken.value());
          ASSERT_GE(taken.value(), -1e-9 * most)
              << "filter " << filter << " damping " << damping << " seed " << seed;
        }
      }
    }
  }
}

TEST(SpringWavesTest, FilterTakesNothingFromSlowMotion) {
  // A damper of Hopsan's filter would take k h al/(1 - al) v^2; here it is smaller by (1 - cos(omega h)).
  const double filter = 0.1;
  const double h = 0.01;
  for (const double angle : {0.02, 0.2, 1.0}) {  // omega h
    MovedSpring spring(300, 0, filter, h);
    const int steps = static_cast<int>(std::lround(200 * 2 * std::acos(-1.0) / angle));
    building_blocks::CompensatedSum taken, square;
    for (int i = 1; i <= 2 * steps; ++i) {
      const double v = std::sin(angle * i);
      const SpringWaves::Ends F = spring.Move({v, v});
      if (i <= steps) continue;
      taken += F.a * v;
      square += v * v;
    }
    const double expected = 300 * h * filter / (1 - filter) * (1 - std::cos(angle));
    EXPECT_NEAR(taken.value() / square.value(), expected, 0.01 * expected) << angle;
  }
}

TEST(SpringWavesTest, EndsMeetInUniformMotion) {
  // A spring carried along: no force, however it started.
  MovedSpring spring(300, 5, 0.1, 0.01);
  SpringWaves::Ends F;
  for (int i = 0; i < 200; ++i) F = spring.Move({2, -2});
  EXPECT_NEAR(F.a, 0, 1e-12);
  EXPECT_NEAR(F.b, 0, 1e-12);
}

TEST(SpringWavesTest, ANewStiffnessDoesNotPullTheEndsApart) {
  SpringWaves waves;
  const SpringWaves::Ends v{0.7, -0.6};
  waves.Set(300, 0, 0.1, 0.01, {});
  waves.Start(0, v);
  for (int i = 0; i < 200; ++i) waves.Advance(0, v);
  waves.Set(900, 0, 0.4, 0.01, v);
  const SpringWaves::Ends c = waves.Advance(0, v);
  EXPECT_NEAR(c.a + waves.Zc() * v.a, c.b + waves.Zc() * v.b, 1e-12);
}

}  // namespace
}  // namespace davit
