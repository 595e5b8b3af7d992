#pragma once

#include <cassert>

#include "simulator/building_blocks/limits.h"

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

  friend bool operator==(const SecondOrderCoefficients&, const SecondOrderCoefficients&) = default;
};

/// y = (a2 s^2 + a1 s + a0)/(b2 s^2 + b1 s + b0) u by the bilinear transform s -> 2/h (z - 1)/(z + 1), output
/// limited to [min, max].
///
/// Observer form (T. Kailath, Linear Systems, 1980, section 2.1), each state by the trapezoidal rule:
///   (b2 y - a2 u)' = f,  f = a1 u - b1 y + z,     z' = g,  g = a0 u - b0 y.
/// Solved for y in increments, so that rounding does not grow with 1/h^2 and a steady output stays put:
///   y = y_last + (a2 (u - u_last) + h/2 (a1 u - b1 y_last + z_last + f_last) + h^2/4 (a0 u - b0 y_last +
///   g_last))
///                / (b2 + h/2 b1 + h^2/4 b0).
/// Without limits these are the values of Hopsan's second-order transfer function.
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
    const auto& [a2, a1, a0, b2, b1, b0] = coefficients_;
    const double half_h = 0.5 * h_;
    const double f = a1 * u - b1 * y_ + z_;
    const double g = a0 * u - b0 * y_;
    const double y = y_ + (a2 * (u - u_) + half_h * (f + f_ + half_h * (g + g_))) * gain_;
    y_ = limits_.Clamp(y);
    u_ = u;
    z_ += half_h * (a0 * u - b0 * y_ + g_);
    RemoveOutward();
    return y_;
  }

  /// Goes on from these values at the present time; y is limited. y_rate is y' [unit of y per second] while u
  /// rests.
  void SetState(double u, double y, double y_rate = 0);
  /// Live: y stays as it is and moves on with the new coefficients; so does its rate y' while u rests.
  /// Pre: initialized; b2 >= 0, b2 + h/2 b1 + h^2/4 b0 > 0. Lower orders: b2 = 0 only with a2 = 0 and b1 >=
  /// 0, also b1 = 0 (a plain gain, which cannot keep a y) only with a1 = 0.
  void SetCoefficients(const SecondOrderCoefficients& coefficients);
  /// A y outside the new limits goes to the limit at once.
  void SetLimits(Limits limits);

  double value() const { return y_; }
  /// Whether y is at a limit.
  bool is_saturated() const { return limits_.IsReachedBy(y_); }
  const SecondOrderCoefficients& coefficients() const { return coefficients_; }

 private:
  /// Makes f and g of u, y and z, without what points out of a limit; makes z fit f.
  void RemoveOutward() {
    const auto& [a2, a1, a0, b2, b1, b0] = coefficients_;
    const double without_z = a1 * u_ - b1 * y_;
    const double f = without_z + z_;
    f_ = b2 == 0 ? 0.0 : limits_.Inward(y_, f);
    if (f_ != f) z_ = f_ - without_z;
    g_ = a0 * u_ - b0 * y_;
    if (f_ == 0) g_ = b2 == 0 && b1 == 0 ? 0.0 : limits_.Inward(y_, g_);
  }

  double h_ = 0;
  SecondOrderCoefficients coefficients_;
  double gain_ = 0;  ///< 1/(b2 + h/2 b1 + h^2/4 b0)
  Limits limits_;
  double u_ = 0;
  double y_ = 0;
  double z_ = 0;
  double f_ = 0;  ///< (b2 y - a2 u)'
  double g_ = 0;  ///< z'
};

}  // namespace davit::building_blocks
