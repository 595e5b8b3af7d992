#include "session/duration_histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace davit {
namespace {

// Below 64 ns a bucket has one nanosecond; from there on each octave has 32 of equal width.
constexpr int kBits = 6;
constexpr std::size_t kPerOctave = 1U << (kBits - 1);

std::size_t BucketOf(std::uint64_t ns) {
  const int shift = std::max(static_cast<int>(std::bit_width(ns)) - kBits, 0);
  return kPerOctave * static_cast<std::size_t>(shift) + static_cast<std::size_t>(ns >> shift);
}

/// The largest duration in the bucket.
std::uint64_t EndOf(std::size_t bucket) {
  const std::size_t shift = bucket < 2 * kPerOctave ? 0 : bucket / kPerOctave - 1;
  return ((std::uint64_t{bucket - kPerOctave * shift} + 1) << shift) - 1;
}

}  // namespace

void DurationHistogram::Add(Duration duration) {
  const auto ns = static_cast<std::uint64_t>(std::max(duration, Duration::zero()).count());
  ++counts_[BucketOf(ns)];
  ++count_;
  max_ = std::max(max_, ns);
}

DurationHistogram::Duration DurationHistogram::Quantile(double share) const {
  const double wanted = std::ceil(share * static_cast<double>(count_));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen > 0 && static_cast<double>(seen) >= wanted)
      return std::min(max(), Duration(static_cast<std::int64_t>(EndOf(i))));
  }
  return max();
}

}  // namespace davit
