#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace davit::building_blocks {

/// What a table gives outside its axes.
enum class Outside : std::uint8_t {
  kHold,         ///< the value at the end of the axis
  kExtrapolate,  ///< the straight line through the last two points of the axis
};

/// One axis of a look-up table: strictly increasing knots.
class LookupAxis {
 public:
  /// Where a point lies: `fraction` of the way from knot `interval` to the next; outside [0, 1] when
  /// extrapolated.
  struct Place {
    std::size_t interval;
    double fraction;
  };

  /// Throws std::invalid_argument, naming the axis, unless there are at least two finite, strictly increasing
  /// knots.
  LookupAxis(std::string_view name, std::vector<double> knots, Outside outside);

  /// Fastest when x lies in the interval `guess`; the answer does not depend on it. NaN has the fraction NaN.
  Place Find(double x, std::size_t guess) const {
    if (!(guess + 1 < knots_.size() && knots_[guess] <= x && x < knots_[guess + 1])) guess = Search(x);
    const double from = knots_[guess];
    const double fraction = (x - from) / (knots_[guess + 1] - from);
    if (outside_ == Outside::kHold) {
      if (fraction < 0) return {guess, 0.0};
      if (fraction > 1) return {guess, 1.0};
    }
    return {guess, fraction};
  }

  std::size_t size() const { return knots_.size(); }
  std::span<const double> knots() const { return knots_; }

 private:
  /// The interval that x lies in; the first or last one if outside.
  std::size_t Search(double x) const;

  std::vector<double> knots_;
  Outside outside_;
};

/// The straight line from a (fraction 0) to b (fraction 1), exact at both ends and where a = b. NaN passes
/// through.
inline double Interpolate(double a, double b, double fraction) {
  const bool is_near_a = fraction < 0.5;
  return (is_near_a ? a : b) + (is_near_a ? fraction : fraction - 1) * (b - a);
}

/// Throws std::invalid_argument unless there are `needed` values, all finite; `shape` says what is needed.
void CheckTableValues(std::span<const double> values, std::size_t needed, std::string_view shape);

}  // namespace davit::building_blocks
