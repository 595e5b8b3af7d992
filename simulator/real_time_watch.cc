#include "simulator/real_time_watch.h"

#include <algorithm>

namespace davit {

RealTimeWatch::Finding RealTimeWatch::Report(bool is_missed, double fs) {
  ++periods_;
  if (is_missed) {
    last_missed_[missed_++ % kManyMissed] = periods_;
    const double many = std::clamp(fs, 1.0, static_cast<double>(kManyMissed));
    const auto needed = static_cast<std::size_t>(many);
    if (missed_ < needed) return Finding::kOpen;
    const std::uint64_t first = last_missed_[(missed_ - needed) % kManyMissed];
    const bool is_within_second = static_cast<double>(periods_ - first) < std::max(fs, 1.0);
    return is_within_second ? Finding::kFallsBehind : Finding::kOpen;
  }
  if (missed_ == 0) return Finding::kKeepsPace;
  const std::uint64_t calm = periods_ - last_missed_[(missed_ - 1) % kManyMissed];
  return static_cast<double>(calm) >= kCalmTime * fs ? Finding::kKeepsPace : Finding::kOpen;
}

}  // namespace davit
