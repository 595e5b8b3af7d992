#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace davit {

/// How often durations of each size have come, from 0 ns on, in buckets that are at most 1/32 of a duration
/// wide. Allocates nothing.
class DurationHistogram {
 public:
  using Duration = std::chrono::nanoseconds;

  /// A negative one counts as 0.
  void Add(Duration duration);
  std::uint64_t count() const { return count_; }
  Duration max() const { return Duration(static_cast<std::int64_t>(max_)); }
  /// What the share `share` (0 ... 1) of all durations does not exceed: the end of the bucket in which that
  /// is, at most max(). 0 where there are none.
  Duration Quantile(double share) const;

 private:
  static constexpr std::size_t kBuckets = 1888;  // for 63 bits

  std::array<std::uint64_t, kBuckets> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t max_ = 0;  ///< [ns]
};

}  // namespace davit
