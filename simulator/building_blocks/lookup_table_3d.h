#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "simulator/building_blocks/lookup_axis.h"

namespace davit::building_blocks {

/// A function f(x, y, z) given on a grid, linear in x, in y and in z within each cell; exact at the knots.
class LookupTable3D {
 public:
  /// f = 0.
  LookupTable3D();
  /// values[(i*y.size() + j)*z.size() + k] = f(x[i], y[j], z[k]): z runs fastest. Throws
  /// std::invalid_argument with what is wrong unless each axis has at least two strictly increasing knots,
  /// there is a value for each triple, and all are finite.
  LookupTable3D(std::vector<double> x, std::vector<double> y, std::vector<double> z,
                std::vector<double> values, Outside outside = Outside::kHold);

  double Evaluate(double x, double y, double z) const {
    return At(x_.Find(x, 0), y_.Find(y, 0), z_.Find(z, 0));
  }
  /// The same value; looks first in the cell of the last Update.
  double Update(double x, double y, double z) {
    const LookupAxis::Place in_x = x_.Find(x, x_interval_);
    const LookupAxis::Place in_y = y_.Find(y, y_interval_);
    const LookupAxis::Place in_z = z_.Find(z, z_interval_);
    x_interval_ = in_x.interval;
    y_interval_ = in_y.interval;
    z_interval_ = in_z.interval;
    return At(in_x, in_y, in_z);
  }

  std::span<const double> x() const { return x_.knots(); }
  std::span<const double> y() const { return y_.knots(); }
  std::span<const double> z() const { return z_.knots(); }
  std::span<const double> values() const { return values_; }

 private:
  double At(LookupAxis::Place x, LookupAxis::Place y, LookupAxis::Place z) const {
    const std::size_t y_stride = z_.size();
    const std::size_t x_stride = y_.size() * y_stride;
    const double* low = &values_[x.interval * x_stride + y.interval * y_stride + z.interval];
    const auto in_yz = [&](const double* corner) {
      const double* next = corner + y_stride;
      return Interpolate(Interpolate(corner[0], corner[1], z.fraction),
                         Interpolate(next[0], next[1], z.fraction), y.fraction);
    };
    return Interpolate(in_yz(low), in_yz(low + x_stride), x.fraction);
  }

  LookupAxis x_;
  LookupAxis y_;
  LookupAxis z_;
  std::vector<double> values_;
  std::size_t x_interval_ = 0;
  std::size_t y_interval_ = 0;
  std::size_t z_interval_ = 0;
};

}  // namespace davit::building_blocks
