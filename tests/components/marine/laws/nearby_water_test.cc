#include "components/marine/laws/nearby_water.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "app/heap/allocation_counter.h"

namespace davit {
namespace {

WaveField Sea(double depth) {
  std::vector<Wave> waves{{0.8, 0.7, 0, 0.4, 0.3}, {0.3, 1.9, 0, 2.5, 1.0}, {0.2, 0.3, 0, -1.0, -2.0}};
  for (Wave& wave : waves) wave.number = WaveNumber(wave.frequency, depth);
  return {waves, depth};
}

struct Asked {
  double t = 0;
  Eigen::Vector3d place;
};

/// Near each other for some time, then far away: also above the mean level and below the bed.
std::vector<Asked> Path(double depth) {
  std::mt19937 random(2);  // NOLINT(cert-msc51-cpp): the same path each time
  std::uniform_real_distribution<double> share(-1, 1);
  std::vector<Asked> path;
  for (int i = 0; i < 2000; ++i) {
    if (i % 100 == 0)
      path.push_back({500 + 500 * share(random),
                      {100 * share(random), 100 * share(random), depth * (0.6 * share(random) - 0.5)}});
    Asked next = path.back();
    next.t += 0.1 * share(random);
    for (int k = 0; k < 3; ++k) next.place[k] += 0.2 * share(random);
    path.push_back(next);
  }
  return path;
}

TEST(NearbyWaterTest, ItIsTheWaterOfTheWaves) {
  for (const double depth : {12.0, 900.0}) {
    const WaveField field = Sea(depth);
    NearbyWater water(field);
    for (const auto& [t, place] : Path(depth)) {
      const WaterMotion expected = field.At(t, place);
      EXPECT_NEAR(water.Elevation(t, place.x(), place.y()), expected.elevation, 1e-12);
      const WaterMotion motion = water.At(t, place);
      EXPECT_NEAR((motion.velocity - expected.velocity).norm(), 0, 1e-12);
      EXPECT_NEAR((motion.acceleration - expected.acceleration).norm(), 0, 1e-12);
    }
  }
}

TEST(NearbyWaterTest, WhatWasAskedBeforeChangesNoBit) {
  const WaveField field = Sea(40);
  NearbyWater water(field);
  for (const auto& [t, place] : Path(40)) {
    NearbyWater alone(field);
    const WaterMotion expected = alone.At(t, place), motion = water.At(t, place);
    EXPECT_EQ(motion.elevation, expected.elevation);
    EXPECT_EQ(motion.velocity, expected.velocity);
    EXPECT_EQ(motion.acceleration, expected.acceleration);
  }
}

TEST(NearbyWaterTest, AnEvaluationTakesNothingFromTheHeap) {
  if (!AllocationCounter::is_counting()) GTEST_SKIP() << "a sanitizer has the heap";
  NearbyWater water(Sea(40));
  const std::vector<Asked> path = Path(40);
  const AllocationCounter counter;
  for (const auto& [t, place] : path) water.At(t, place);
  EXPECT_EQ(counter.count(), 0U);
}

TEST(NearbyWaterTest, CalmWaterRests) {
  NearbyWater water(WaveField({}, 50));
  EXPECT_EQ(water.At(3, {1, 2, -2}).velocity.norm(), 0);
  EXPECT_EQ(water.Elevation(3, 1, 2), 0);
}

}  // namespace
}  // namespace davit
