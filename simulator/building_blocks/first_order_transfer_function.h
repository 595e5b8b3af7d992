#pragma once

#include <cassert>

#include "framework/archive.h"
#include "simulator/building_blocks/carried_state.h"
#include "simulator/building_blocks/limits.h"
#include "simulator/building_blocks/without_rounding.h"

namespace davit::building_blocks {

/// (a1 s + a0)/(b1 s + b0), s in 1/s; the default is 1. A lag of time constant T: {.b1 = T}.
struct FirstOrderCoefficients {
  double a1 = 0;
  double a0 = 1;
  double b1 = 0;
  double b0 = 1;
  void ArchiveMemory(Archive& archive) { archive(a1, a0, b1, b0); }

  friend bool operator==(const FirstOrderCoefficients&, const FirstOrderCoefficients&) = default;
};

/// y = (a1 s + a0)/(b1 s + b0) u by the bilinear transform s -> 2/h (z - 1)/(z + 1), limited to [min, max].
///
/// The state is b1 y - a1 u; its rate f = a0 u - b0 y is integrated by the trapezoidal rule. In increments:
///   y = y_last + (2 a1 (u - u_last) + h (a0 u - b0 y_last + f_last))/(2 b1 + h b0).
/// Rounding is carried over, so under a constant input y comes to a0/b0 u within 2 units of its last digit,
/// however short the step, and then keeps its bits. Without limits these are the values of Hopsan's
/// first-order transfer function.
///
/// Limits: the state always belongs to the limited output, and an f_last that points out of the limit counts
/// as zero; so y leaves the limit in the first step in which the equation drives it inwards.
///
/// h [s]; b0 in any unit, b1 in that unit times s, and so on. Call order: Initialize with u and y at the
/// start time, then Update once a step with u at the end of that step.
class FirstOrderTransferFunction {
 public:
  /// Starts at the output y0 (limited), which then settles as the equation says; steady if a0 u0 = b0 y0.
  /// Pre: h > 0 and what SetCoefficients asks for.
  void Initialize(double h, const FirstOrderCoefficients& coefficients, double u0, double y0,
                  Limits limits = {});

  double Update(double u) {
    assert(h_ > 0);
    y_.Add((2 * coefficients_.a1 * (u - u_) + h_ * (Rate(u) + f_)) * gain_);
    u_ = u;
    ApplyLimits();
    return y_.value();
  }

  /// Continues from these values at the present time; y is limited.
  void SetState(double u, double y) {
    u_ = u;
    y_.Set(y);
    ApplyLimits();
  }
  /// Live: y stays as it is and moves on with the new coefficients.
  /// Pre: initialized; b1 >= 0, 2 b1 + h b0 > 0; b1 = 0 only with a1 = 0 (a plain gain, which keeps no y).
  void SetCoefficients(const FirstOrderCoefficients& coefficients);
  /// A y outside the new limits goes to the limit at once.
  void SetLimits(Limits limits);

  double value() const { return y_.value(); }
  /// Whether y is at a limit.
  bool is_saturated() const { return limits_.IsReachedBy(y_.value()); }
  const FirstOrderCoefficients& coefficients() const { return coefficients_; }
  void ArchiveMemory(Archive& archive) { archive(h_, coefficients_, gain_, limits_, u_, y_, f_); }

 private:
  double Rate(double u) const {
    const double out = coefficients_.b0 * y_.value();
    return WithoutRounding(coefficients_.a0 * u - out, out);
  }
  /// Limits y and makes f of u and y, without what points out of a limit.
  void ApplyLimits() {
    const double y = limits_.Clamp(y_.value());
    if (y != y_.value()) y_.Set(y);
    f_ = coefficients_.b1 == 0 ? 0.0 : limits_.Inward(y, Rate(u_));
  }

  double h_ = 0;
  FirstOrderCoefficients coefficients_;
  double gain_ = 0;  ///< 1/(2 b1 + h b0)
  Limits limits_;
  double u_ = 0;
  CarriedState y_;
  double f_ = 0;  ///< (b1 y - a1 u)', without what points out of a limit
};

}  // namespace davit::building_blocks
