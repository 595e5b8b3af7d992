#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simulator/building_blocks/lookup_axis.h"

namespace davit::building_blocks {

/// A function f(x, y) given on a grid, linear in x and in y within each cell; exact at the knots.
class LookupTable2D {
 public:
  /// f = 0.
  LookupTable2D();
  /// values[i*y.size() + j] = f(x[i], y[j]): y runs fastest. Throws std::invalid_argument with what is wrong
  /// unless each axis has at least two strictly increasing knots, there is a value for each pair, and all are
  /// finite.
  LookupTable2D(std::vector<double> x, std::vector<double> y, std::vector<double> values,
                Outside outside = Outside::kHold);

  double Evaluate(double x, double y) const { return At(x_.Find(x, 0), y_.Find(y, 0)); }
  /// The same value; looks first in the cell of the last Update.
  double Update(double x, double y) {
    const LookupAxis::Place in_x = x_.Find(x, x_interval_);
    const LookupAxis::Place in_y = y_.Find(y, y_interval_);
    x_interval_ = in_x.interval;
    y_interval_ = in_y.interval;
    return At(in_x, in_y);
  }

  std::span<const double> x() const { return x_.knots(); }
  std::span<const double> y() const { return y_.knots(); }
  std::span<const double> values() const { return values_; }

 private:
  double At(LookupAxis::Place x, LookupAxis::Place y) const {
    const double* low = &values_[x.interval * y_.size() + y.interval];
    const double* high = low + y_.size();
    return Interpolate(Interpolate(low[0], low[1], y.fraction), Interpolate(high[0], high[1], y.fraction),
                       x.fraction);
  }

  LookupAxis x_;
  LookupAxis y_;
  std::vector<double> values_;
  std::size_t x_interval_ = 0;
  std::size_t y_interval_ = 0;
};

}  // namespace davit::building_blocks
