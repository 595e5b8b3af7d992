#pragma once

#include <algorithm>

#include "framework/archive.h"

namespace davit::hopsan {

/// Where the result of a filter is held.
struct Limits {
  double min = -1.5e300;
  double max = 1.5e300;
};

/// (n1 s + n0)/(d1 s + d0).
struct FirstOrderRatio {
  double n0 = 1, n1 = 0;
  double d0 = 1, d1 = 0;
};

/// Discrete first-order transfer function by the bilinear transform, coefficients of each step:
/// y = [(n0 T + 2 n1) u + (n0 T - 2 n1) u' - (d0 T - 2 d1) y']/(d0 T + 2 d1), ' one step ago, held within
/// limits.
class FirstOrderFilter {
 public:
  /// The values of the step before: u, and y within the limits.
  void Start(double u, double y, Limits limits = {}) {
    limits_ = limits;
    Set(u, std::clamp(y, limits.min, limits.max));
  }
  /// Replaces what is remembered of the step before.
  void Set(double u, double y) {
    u_ = u;
    y_ = y;
  }
  double Step(double u, double T, const FirstOrderRatio& r) {
    const double y = 1 / (r.d0 * T + 2 * r.d1) *
                     ((r.n0 * T + 2 * r.n1) * u + (r.n0 * T - 2 * r.n1) * u_ - (r.d0 * T - 2 * r.d1) * y_);
    is_saturated_ = y >= limits_.max || y <= limits_.min;
    Set(u, y >= limits_.max ? limits_.max : y <= limits_.min ? limits_.min : y);
    return y_;
  }
  double value() const { return y_; }
  bool is_saturated() const { return is_saturated_; }
  void ArchiveMemory(Archive& archive) { archive(u_, y_, limits_.min, limits_.max); }

 private:
  double u_ = 0, y_ = 0;
  Limits limits_;
  bool is_saturated_ = false;
};

/// (n2 s2 + n1 s + n0)/(d2 s2 + d1 s + d0).
struct SecondOrderRatio {
  double n0 = 1, n1 = 0, n2 = 0;
  double d0 = 1, d1 = 0, d2 = 0;

  /// 1/(s2/omega^2 + 2 delta s/omega + 1).
  static SecondOrderRatio Lag(double omega, double delta) {
    const double per_omega = 1 / omega;
    return {.d0 = 1, .d1 = 2 * delta * per_omega, .d2 = per_omega * per_omega};
  }
};

/// Of a step y = per_B0 (A0 u + A1 u' + A2 u'' - B1 y' - B2 y'').
struct SecondOrderStep {
  double A0, A1, A2, per_B0, B1, B2;

  SecondOrderStep() = default;
  SecondOrderStep(const SecondOrderRatio& r, double T)
      : A0(r.n0 * T * T + 2 * r.n1 * T + 4 * r.n2),
        A1(2 * r.n0 * T * T - 8 * r.n2),
        A2(r.n0 * T * T - 2 * r.n1 * T + 4 * r.n2),
        per_B0(1 / (r.d0 * T * T + 2 * r.d1 * T + 4 * r.d2)),
        B1(2 * r.d0 * T * T - 8 * r.d2),
        B2(r.d0 * T * T - 2 * r.d1 * T + 4 * r.d2) {}
};

/// Discrete second-order transfer function by the bilinear transform, coefficients of each step, held within
/// limits. It starts at rest.
class SecondOrderFilter {
 public:
  void Start(double u, double y, Limits limits = {}) {
    limits_ = limits;
    Set(u, std::clamp(y, limits.min, limits.max));
  }
  /// Replaces what is remembered of the two steps before; the slope is 0.
  void Set(double u, double y) {
    u1_ = u2_ = u;
    y1_ = y2_ = y;
  }
  double Step(double u, double T, const SecondOrderRatio& r) { return Step(u, SecondOrderStep(r, T)); }
  double Step(double u, const SecondOrderStep& by) {
    // The factor before the sum, as Hopsan has it: a body without a spring (d0 = 0) adds up the rounding of
    // its two poles at 1, by 3e-7 m/s where T = 10 us and m = 1 kg.
    const double y = by.per_B0 * (by.A0 * u + by.A1 * u1_ + by.A2 * u2_ - by.B1 * y1_ - by.B2 * y2_);
    is_saturated_ = y >= limits_.max || y <= limits_.min;
    u2_ = u1_;
    u1_ = u;
    y2_ = y1_;
    y1_ = y >= limits_.max ? limits_.max : y <= limits_.min ? limits_.min : y;
    return y1_;
  }
  double value() const { return y1_; }
  bool is_saturated() const { return is_saturated_; }
  void ArchiveMemory(Archive& archive) { archive(u1_, u2_, y1_, y2_, limits_.min, limits_.max); }

 private:
  double u1_ = 0, u2_ = 0, y1_ = 0, y2_ = 0;
  Limits limits_;
  bool is_saturated_ = false;
};

/// y = y' + T/2 (u + u').
class Integrator {
 public:
  void Start(double u, double y) {
    u_ = u;
    y_ = y;
  }
  double Step(double u, double T) {
    y_ += T / 2 * (u + u_);
    u_ = u;
    return y_;
  }
  double value() const { return y_; }
  void ArchiveMemory(Archive& archive) { archive(u_, y_); }

 private:
  double u_ = 0, y_ = 0;
};

/// v' = u - (w/T) v, y' = v by the trapezoidal rule, with the damping w of one step.
class DampedDoubleIntegrator {
 public:
  void Start(double u, double v, double y) {
    u_ = u;
    v_ = v;
    y_ = y;
  }
  /// The speed that a step would give.
  double NextSpeed(double u, double w, double T) const {
    return (2 - w) / (2 + w) * v_ + T / (2 + w) * (u + u_);
  }
  void Step(double u, double w, double T) {
    const double v = NextSpeed(u, w, T);
    y_ += T / 2 * (v + v_);
    v_ = v;
    u_ = u;
  }
  double u() const { return u_; }
  double v() const { return v_; }
  double y() const { return y_; }
  void ArchiveMemory(Archive& archive) { archive(u_, v_, y_); }

 private:
  double u_ = 0, v_ = 0, y_ = 0;
};

/// What x becomes where a band of the width `width` around xs holds it: x moves only as far as it must.
inline double Hysteresis(double xs, double width, double x) {
  return std::clamp(x, xs - width / 2, xs + width / 2);
}

}  // namespace davit::hopsan
