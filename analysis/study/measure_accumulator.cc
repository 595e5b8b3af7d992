#include "analysis/study/measure_accumulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace davit {
namespace {

/// Step points are sums, so the last one may be beside the StopTime by rounding; share of it, or [s].
constexpr double kSameRow = 1e-9;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double Interpolate(double a, double b, double share) { return a + share * (b - a); }

}  // namespace

void MeasureAccumulator::Begin() {
  rows_ = 0;
  sum_ = 0;
  found_.reset();
  is_number_ = true;
  curve_.clear();
}

void MeasureAccumulator::Add(double t, double x) {
  if (!std::isfinite(x)) is_number_ = false;
  if (rows_++ == 0) {
    first_ = last_ = {t, x};
    low_ = high_ = x;
  }
  low_ = std::min(low_, x);
  high_ = std::max(high_, x);
  const double dt = t - last_.t;
  switch (kind_) {
    case MeasureKind::kMean:
    case MeasureKind::kIntegral: sum_ += dt * (last_.x + x) / 2; break;
    case MeasureKind::kRms: sum_ += dt * (last_.x * last_.x + last_.x * x + x * x) / 3; break;
    case MeasureKind::kAt:
      if (t == argument_) {
        found_ = x;
      } else if (!found_ && last_.t < argument_ && argument_ < t) {
        found_ = Interpolate(last_.x, x, (argument_ - last_.t) / dt);
      }
      break;
    case MeasureKind::kCrossing:
      if (!found_ && ((last_.x < argument_ && x >= argument_) || (last_.x > argument_ && x <= argument_)))
        found_ = Interpolate(last_.t, t, (argument_ - last_.x) / (x - last_.x));
      break;
    case MeasureKind::kRiseTime:
    case MeasureKind::kSettlingTime: curve_.push_back({t, x}); break;
    default: break;
  }
  last_ = {t, x};
}

MeasureAccumulator::Result MeasureAccumulator::Finish() const {
  if (rows_ == 0) return {kNothing, "has no values"};
  if (!is_number_) return {kNothing, "is not a finite number throughout the run"};
  const double duration = last_.t - first_.t;
  switch (kind_) {
    case MeasureKind::kMax: return {high_, {}};
    case MeasureKind::kMin: return {low_, {}};
    case MeasureKind::kMean: return {duration > 0 ? sum_ / duration : last_.x, {}};
    case MeasureKind::kRms: return {duration > 0 ? std::sqrt(sum_ / duration) : std::abs(last_.x), {}};
    case MeasureKind::kFinal: return {last_.x, {}};
    case MeasureKind::kIntegral: return {sum_, {}};
    case MeasureKind::kAt:
      if (found_) return {*found_, {}};
      if (std::abs(last_.t - argument_) <= kSameRow * std::max(1.0, std::abs(argument_)))
        return {last_.x, {}};
      return {kNothing, fmt::format("has no value at {:.9g} s: the run is from {:.9g} s to {:.9g} s",
                                    argument_, first_.t, last_.t)};
    case MeasureKind::kCrossing:
      if (found_) return {*found_, {}};
      return {kNothing,
              fmt::format("never crosses {:.9g}: it is between {:.9g} and {:.9g}", argument_, low_, high_)};
    case MeasureKind::kRiseTime: return FinishRise();
    case MeasureKind::kSettlingTime: return FinishSettling();
    case MeasureKind::kOvershoot: return FinishOvershoot();
    case MeasureKind::kEvents: break;
  }
  return {kNothing, "is not a signal"};
}

std::optional<double> MeasureAccumulator::FindReach(double value, std::size_t& begin) const {
  const bool is_up = last_.x > first_.x;
  for (std::size_t i = begin; i < curve_.size(); ++i) {
    if (is_up ? curve_[i].x < value : curve_[i].x > value) continue;
    begin = i;
    if (i == 0 || curve_[i - 1].x == curve_[i].x) return curve_[i].t;
    const double share = (value - curve_[i - 1].x) / (curve_[i].x - curve_[i - 1].x);
    return Interpolate(curve_[i - 1].t, curve_[i].t, std::clamp(share, 0.0, 1.0));
  }
  return std::nullopt;
}

MeasureAccumulator::Result MeasureAccumulator::FinishRise() const {
  const double way = last_.x - first_.x;
  if (way == 0) return {kNothing, "ends where it began, so it does not rise"};
  constexpr double kFrom = 0.1;
  constexpr double kTo = 0.9;
  std::size_t sample = 0;
  const std::optional<double> from = FindReach(first_.x + kFrom * way, sample);
  const std::optional<double> to = FindReach(first_.x + kTo * way, sample);
  return {*to - *from, {}};  // the last sample has passed both
}

MeasureAccumulator::Result MeasureAccumulator::FinishSettling() const {
  const double way = last_.x - first_.x;
  if (way == 0) return {kNothing, "ends where it began, so there is no band around its last value"};
  const double band = argument_ * std::abs(way);
  for (std::size_t i = curve_.size(); i-- > 0;) {
    const double distance = curve_[i].x - last_.x;
    if (std::abs(distance) <= band) continue;
    const Sample& inside = curve_[i + 1];  // the last sample is in the band
    const double edge = last_.x + std::copysign(band, distance);
    return {Interpolate(curve_[i].t, inside.t, (edge - curve_[i].x) / (inside.x - curve_[i].x)) - first_.t,
            {}};
  }
  return {0, {}};
}

MeasureAccumulator::Result MeasureAccumulator::FinishOvershoot() const {
  const double way = last_.x - first_.x;
  if (way == 0) return {kNothing, "ends where it began, so its overshoot has no measure"};
  return {(way > 0 ? high_ - last_.x : last_.x - low_) / std::abs(way), {}};
}

}  // namespace davit
