#include "results/decimation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace davit {
namespace {

using testing::ElementsAre;

struct Samples {
  std::vector<double> time;
  std::vector<double> values;
};

Samples MakeWave(std::size_t count) {
  Samples samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.time.push_back(1e-3 * static_cast<double>(i));
    samples.values.push_back(std::sin(0.37 * static_cast<double>(i)));
  }
  return samples;
}

TEST(DecimationTest, AFewRowsAllStay) {
  EXPECT_THAT(Decimate(std::vector{0.0, 1.0, 1.0, 2.0}, std::vector{5.0, 5.0, 5.0, 5.0}, 1),
              ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(Decimate({}, {}, 1).empty());
}

TEST(DecimationTest, KeepsEndsAndPeaksOfEachBinInOrder) {
  Samples samples = MakeWave(100000);
  samples.values[54321] = 100;
  samples.values[54323] = -100;
  const std::vector<std::size_t> rows = Decimate(samples.time, samples.values, 50);
  EXPECT_LE(rows.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
  EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end());
  EXPECT_EQ(rows.front(), 0U);
  EXPECT_EQ(rows.back(), 99999U);
  EXPECT_TRUE(std::ranges::binary_search(rows, 54321U));
  EXPECT_TRUE(std::ranges::binary_search(rows, 54323U));
}

TEST(DecimationTest, BothSidesOfAJumpStay) {
  Samples samples = MakeWave(10000);
  for (std::size_t i = 0; i < samples.time.size(); ++i) samples.values[i] = i < 5000 ? 0 : 1;
  samples.time[5000] = samples.time[4999];
  const std::vector<std::size_t> rows = Decimate(samples.time, samples.values, 7);
  EXPECT_TRUE(std::ranges::binary_search(rows, 5000U));
  const auto last_before = std::ranges::find_if(rows, [](std::size_t row) { return row >= 5000; }) - 1;
  EXPECT_NEAR(samples.time[*last_before], samples.time[5000], 10.0 / 7);
}

TEST(DecimationTest, AGapStays) {
  Samples samples = MakeWave(10000);
  samples.values[1234] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::ranges::binary_search(Decimate(samples.time, samples.values, 10), 1234U));
  std::ranges::fill(samples.values, std::numeric_limits<double>::quiet_NaN());
  EXPECT_LE(Decimate(samples.time, samples.values, 10).size(), 30U);
}

TEST(DecimationTest, OneInstantIsOneBin) {
  EXPECT_THAT(Decimate(std::vector<double>(10, 1.0), std::vector{0., 1., 2., 9., 2., 1., -5., 0., 0., 0.}, 2),
              ElementsAre(0, 3, 6, 9));
}

}  // namespace
}  // namespace davit
