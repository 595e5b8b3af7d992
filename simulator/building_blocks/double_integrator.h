#pragma once

#include <cassert>

#include "framework/archive.h"

namespace davit::building_blocks {

/// A mass of 1 with viscous damping:  x' = v,  v' = u - damping*v,  both by the trapezoidal rule:
///   v = v_last + h (u_last + u - 2 damping v_last)/(2 + damping h)
///   x = x_last + h/2 (v_last + v)
///
/// x in any unit, v per second, u per second squared, damping [1/s], h [s]. In Hopsan the damping is a number
/// per step, w = damping*h, so there the physics changes with the step; here it does not. Call order:
/// Initialize with u, x and v at the start time, then Update once a step with u at the end of that step.
class DoubleIntegrator {
 public:
  /// Pre: h > 0, damping >= 0.
  void Initialize(double h, double damping, double u0, double x0, double v0) {
    assert(h > 0);
    h_ = h;
    SetDamping(damping);
    SetState(u0, x0, v0);
  }

  /// Returns x.
  double Update(double u) {
    assert(h_ > 0);
    const double v_last = v_;
    v_ += gain_ * (u_ + u - 2 * damping_ * v_last);
    x_ += 0.5 * h_ * (v_last + v_);
    u_ = u;
    return x_;
  }

  /// Continues from these values at the present time.
  void SetState(double u, double x, double v) {
    u_ = u;
    x_ = x;
    v_ = v;
  }

  /// Live: x and v are kept. Pre: initialized, damping >= 0.
  void SetDamping(double damping) {
    assert(damping >= 0);
    damping_ = damping;
    gain_ = h_ / (2 + damping * h_);
  }

  double x() const { return x_; }
  double v() const { return v_; }
  void ArchiveMemory(Archive& archive) { archive(h_, damping_, gain_, u_, x_, v_); }

 private:
  double h_ = 0;
  double damping_ = 0;
  double gain_ = 0;  ///< h/(2 + damping h)
  double u_ = 0;
  double x_ = 0;
  double v_ = 0;
};

}  // namespace davit::building_blocks
