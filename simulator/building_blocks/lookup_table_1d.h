#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simulator/building_blocks/lookup_axis.h"

namespace davit::building_blocks {

/// A function f(x) given by points and straight lines between them; exact at the points.
class LookupTable1D {
 public:
  /// f = 0.
  LookupTable1D();
  /// values[i] = f(x[i]). Throws std::invalid_argument with what is wrong unless x has at least two strictly
  /// increasing knots, there is a value for each, and all numbers are finite.
  LookupTable1D(std::vector<double> x, std::vector<double> values, Outside outside = Outside::kHold);

  double Evaluate(double x) const { return At(x_.Find(x, 0)); }
  /// The same value; looks first in the interval of the last Update.
  double Update(double x) {
    const LookupAxis::Place place = x_.Find(x, interval_);
    interval_ = place.interval;
    return At(place);
  }

  std::span<const double> x() const { return x_.knots(); }
  std::span<const double> values() const { return values_; }

 private:
  double At(LookupAxis::Place x) const {
    return Interpolate(values_[x.interval], values_[x.interval + 1], x.fraction);
  }

  LookupAxis x_;
  std::vector<double> values_;
  std::size_t interval_ = 0;
};

}  // namespace davit::building_blocks
