#pragma once

#include <cassert>

#include "framework/archive.h"
#include "simulator/building_blocks/limits.h"

namespace davit::building_blocks {

/// y' = u within min <= y <= max, by the trapezoidal rule:
///   y = clamp(y_last + h/2 (u_last + u)).
///
/// Nothing winds up: at a limit the u remembered is zero if it points outwards, so y leaves the limit in the
/// first step in which u points inwards. h [s]; u in the unit of y per second. Call order: Initialize with u
/// and y at the start time, then Update once a step with u at the end of that step.
class LimitedIntegrator {
 public:
  /// Pre: h > 0. A y0 outside the limits starts at the limit.
  void Initialize(double h, double u0, double y0, Limits limits) {
    assert(h > 0);
    assert(limits.min <= limits.max);
    half_h_ = 0.5 * h;
    limits_ = limits;
    SetState(u0, y0);
  }

  double Update(double u) {
    assert(half_h_ > 0);
    SetState(u, y_ + half_h_ * (u_ + u));
    return y_;
  }

  /// Continues from these values at the present time; y is limited.
  void SetState(double u, double y) {
    y_ = limits_.Clamp(y);
    u_ = limits_.Inward(y_, u);
  }

  /// A y outside the new limits goes to the limit at once.
  void SetLimits(Limits limits) {
    assert(limits.min <= limits.max);
    limits_ = limits;
    SetState(u_, y_);
  }

  double value() const { return y_; }
  /// Whether y is at a limit.
  bool is_saturated() const { return limits_.IsReachedBy(y_); }
  void ArchiveMemory(Archive& archive) { archive(half_h_, limits_, u_, y_); }

 private:
  double half_h_ = 0;
  Limits limits_;
  double u_ = 0;  ///< of the last step, without what points out of a limit
  double y_ = 0;
};

}  // namespace davit::building_blocks
