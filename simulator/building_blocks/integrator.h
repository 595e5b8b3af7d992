#pragma once

#include <cassert>

#include "framework/archive.h"

namespace davit::building_blocks {

/// y' = u by the trapezoidal rule (Tustin), of order 2 and exact where u is linear within a step:
///   y = y_last + h/2 (u_last + u).
///
/// h [s]; u in the unit of y per second. Call order: Initialize with u and y at the start time, then Update
/// once a step with u at the end of that step. Not to be confused with davit::Integrator, the solver of an
/// island.
class Integrator {
 public:
  /// Pre: h > 0.
  void Initialize(double h, double u0, double y0) {
    assert(h > 0);
    half_h_ = 0.5 * h;
    SetState(u0, y0);
  }

  double Update(double u) {
    assert(half_h_ > 0);
    y_ += half_h_ * (u_ + u);
    u_ = u;
    return y_;
  }

  /// Continues from these values at the present time.
  void SetState(double u, double y) {
    u_ = u;
    y_ = y;
  }

  double value() const { return y_; }
  void ArchiveMemory(Archive& archive) { archive(half_h_, u_, y_); }

 private:
  double half_h_ = 0;
  double u_ = 0;
  double y_ = 0;
};

}  // namespace davit::building_blocks
