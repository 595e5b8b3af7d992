#include "session/duration_histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

namespace davit {
namespace {

using std::chrono::nanoseconds;

TEST(DurationHistogramTest, AnEmptyOneHasNoDuration) {
  const DurationHistogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.max(), nanoseconds(0));
  EXPECT_EQ(histogram.Quantile(0.5), nanoseconds(0));
}

/// Every duration that a clock can count has a bucket.
TEST(DurationHistogramTest, TakesTheLeastAndTheLargest) {
  DurationHistogram histogram;
  histogram.Add(nanoseconds::min());
  histogram.Add(nanoseconds(0));
  histogram.Add(nanoseconds::max());
  EXPECT_EQ(histogram.count(), 3U);
  EXPECT_EQ(histogram.Quantile(0.5), nanoseconds(0));
  EXPECT_EQ(histogram.Quantile(1), nanoseconds::max());
  EXPECT_EQ(histogram.max(), nanoseconds::max());
}

/// A quantile is that of the sorted durations, at most 1/32 above it, and not above the largest.
RC_GTEST_PROP(DurationHistogramTest, QuantilesAreThoseOfTheSortedDurations, ()) {
  const auto sizes = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 1'000'000'000)));
  const double share = *rc::gen::inRange(0, 1001) / 1000.0;
  DurationHistogram histogram;
  for (const std::int64_t size : sizes) histogram.Add(nanoseconds(size));
  std::vector<std::int64_t> sorted = sizes;
  std::ranges::sort(sorted);
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  const std::int64_t exact = sorted[rank > 0 ? rank - 1 : 0];
  const std::int64_t found = histogram.Quantile(share).count();
  RC_ASSERT(found >= exact);
  RC_ASSERT(found <= exact + exact / 32);
  RC_ASSERT(found <= sorted.back());
  RC_ASSERT(histogram.max().count() == sorted.back());
}

}  // namespace
}  // namespace davit
