#pragma once

#include <cassert>
#include <cmath>

#include "framework/archive.h"
#include "simulator/building_blocks/carried_state.h"
#include "simulator/building_blocks/limits.h"
#include "simulator/building_blocks/without_rounding.h"

namespace davit::building_blocks {

/// (a2 s^2 + a1 s + a0)/(b2 s^2 + b1 s + b0), s in 1/s; the default is 1.
/// A lag of natural frequency w and damping ratio d: {.b2 = 1/(w*w), .b1 = 2*d/w}.
struct SecondOrderCoefficients {
  double a2 = 0;
  double a1 = 0;
  double a0 = 1;
  double b2 = 0;
  double b1 = 0;
  double b0 = 1;
  void ArchiveMemory(Archive& archive) { archive(a2, a1, a0, b2, b1, b0); }

  friend bool operator==(const SecondOrderCoefficients&, const SecondOrderCoefficients&) = default;
};

/// y = (a2 s^2 + a1 s + a0)/(b2 s^2 + b1 s + b0) u by the bilinear transform s -> 2/h (z - 1)/(z + 1),
/// limited to [min, max].
///
/// Observer canonical form, each state by the trapezoidal rule:
///   (b2 y - a2 u)' = f,  f = a1 u - b1 y + z,     z' = g,  g = a0 u - b0 y.
/// Solved for y in increments, with what f and g would be if y and z stayed:
///   f* = a1 u - b1 y_last + z_last,  g* = a0 u - b0 y_last
///   y = y_last + (a2 (u - u_last) + h/2 (f* + f_last) + h^2/4 (g* + g_last))/(b2 + h/2 b1 + h^2/4 b0).
/// Rounding is carried over, so under a constant input y comes to a0/b0 u within 2 units of its last digit,
/// however short the step, and then keeps its bits (if anything damps it). Without limits these are the
/// values of Hopsan's second-order transfer function.
///
/// Limits: the state always belongs to the limited output; at a limit an f that points outwards is zero (z is
/// set so), and then so is a g that points outwards. The output rests at the limit without momentum and
/// leaves it in the first step in which the equation drives it inwards.
///
/// h [s]; b0 in any unit, b1 in that unit times s, b2 times s2, and so on. Call order: Initialize with u and
/// y at the start time, then Update once a step with u at the end of that step.
class SecondOrderTransferFunction {
 public:
  /// Starts at the output y0 (limited) with rate 0, which then settles as the equation says; steady if
  /// a0 u0 = b0 y0. Pre: h > 0 and what SetCoefficients asks for.
  void Initialize(double h, const SecondOrderCoefficients& coefficients, double u0, double y0,
                  Limits limits = {});

  double Update(double u) {
    assert(h_ > 0);
    const double half_h = 0.5 * h_;
    y_.Add((coefficients_.a2 * (u - u_) + half_h * (RateOfY(u) + f_ + half_h * (RateOfZ(u) + g_))) * gain_);
    u_ = u;
    LimitOutput();
    z_.Add(half_h * (RateOfZ(u) + g_));
    RemoveOutward();
    return y_.value();
  }

  /// Continues from these values at the present time; y is limited. y_rate is y' [unit of y per second] while
  /// u rests.
  void SetState(double u, double y, double y_rate = 0);
  /// Live: y stays as it is and moves on with the new coefficients; so does its rate y' while u rests.
  /// Pre: initialized; b2 >= 0, b2 + h/2 b1 + h^2/4 b0 > 0. Of lower order: b2 = 0 only with a2 = 0, b1 >= 0;
  /// b1 = b2 = 0 (a plain gain, which cannot keep a y) only with a1 = a2 = 0.
  void SetCoefficients(const SecondOrderCoefficients& coefficients);
  /// A y outside the new limits goes to the limit at once.
  void SetLimits(Limits limits);

  double value() const { return y_.value(); }
  /// Whether y is at a limit.
  bool is_saturated() const { return limits_.IsReachedBy(y_.value()); }
  const SecondOrderCoefficients& coefficients() const { return coefficients_; }
  void ArchiveMemory(Archive& archive) { archive(h_, coefficients_, gain_, limits_, u_, y_, z_, f_, g_); }

 private:
  /// (b2 y - a2 u)' as the equation says.
  double RateOfY(double u) const {
    const double out = coefficients_.b1 * y_.value();
    return WithoutRounding(z_.value() + (coefficients_.a1 * u - out), std::abs(z_.value()) + std::abs(out));
  }
  /// z' as the equation says.
  double RateOfZ(double u) const {
    const double out = coefficients_.b0 * y_.value();
    return WithoutRounding(coefficients_.a0 * u - out, out);
  }
  void LimitOutput() {
    const double y = limits_.Clamp(y_.value());
    if (y != y_.value()) y_.Set(y);
  }
  /// Makes f and g of u, y and z, without what points out of a limit; makes z fit f.
  void RemoveOutward() {
    const auto& [a2, a1, a0, b2, b1, b0] = coefficients_;
    const double y = y_.value();
    const double f = RateOfY(u_);
    f_ = b2 == 0 ? 0.0 : limits_.Inward(y, f);
    if (f_ != f) z_.Set(f_ + (b1 * y - a1 * u_));
    g_ = RateOfZ(u_);
    if (f_ == 0) g_ = b2 == 0 && b1 == 0 ? 0.0 : limits_.Inward(y, g_);
  }

  double h_ = 0;
  SecondOrderCoefficients coefficients_;
  double gain_ = 0;  ///< 1/(b2 + h/2 b1 + h^2/4 b0)
  Limits limits_;
  double u_ = 0;
  CarriedState y_;
  CarriedState z_;
  double f_ = 0;  ///< (b2 y - a2 u)'
  double g_ = 0;  ///< z'
};

}  // namespace davit::building_blocks
