#include "simulator/real_time_budget.h"

#include <algorithm>
#include <utility>

namespace davit {
namespace {

/// How long computing must keep to the budget before it counts as recovered: simulated time [s].
constexpr double kCalmTime = 1;
constexpr double kLongestCalmTime = 64;
/// An overrun is soon after a recovery that is less than this many calm times ago, those of the recovery
/// included.
constexpr double kSoon = 1.5;

}  // namespace

std::string_view RealTimeBudget::Report(double share, double budget, double fs) {
  const double calm = static_cast<double>(calm_periods_) / fs;
  if (share > budget) {
    calm_periods_ = 0;
    if (std::exchange(is_over_, true)) return {};
    calm_time_ = calm < kSoon * calm_time_ ? std::min(2 * calm_time_, kLongestCalmTime) : kCalmTime;
    return "budget.overrun";
  }
  ++calm_periods_;
  if (!is_over_ || static_cast<double>(calm_periods_) < calm_time_ * fs) return {};
  is_over_ = false;
  return "budget.recovered";
}

}  // namespace davit
