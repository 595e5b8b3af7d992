#pragma once

#include <cassert>

#include "framework/archive.h"

namespace davit::building_blocks {

/// Play: the output follows the input only when it is pushed by an edge of a gap of width w,
///   y = clamp(y_last, u - w/2, u + w/2)
/// (M. A. Krasnoselskii, A. V. Pokrovskii, Systems with Hysteresis, 1989). u, y and w have one unit. Without
/// a time step: the path matters, not its speed. Call order: Initialize, then Update once a step.
class Hysteresis {
 public:
  /// A y0 outside the gap starts at its edge. Pre: width >= 0.
  void Initialize(double width, double u0, double y0) {
    assert(width >= 0);
    half_width_ = 0.5 * width;
    y_ = y0;
    Update(u0);
  }

  double Update(double u) {
    // Written so that NaN is not lost.
    if (!(u - half_width_ <= y_)) {
      y_ = u - half_width_;
    } else if (u + half_width_ < y_) {
      y_ = u + half_width_;
    }
    return y_;
  }

  /// Live; acts at the next Update. Pre: width >= 0.
  void SetWidth(double width) {
    assert(width >= 0);
    half_width_ = 0.5 * width;
  }

  double value() const { return y_; }
  void ArchiveMemory(Archive& archive) { archive(half_width_, y_); }

 private:
  double half_width_ = 0;
  double y_ = 0;
};

}  // namespace davit::building_blocks
