#pragma once

#include <cmath>
#include <limits>

namespace davit {

/// A ball above the ground, h' = v, v' = g + push, that bounces at h = 0: v becomes -e v. At `kick_time` it
/// is kicked: v += kick. After a bounce slower than v_min it rests. The values are in the order of their
/// references, from 1 on.
struct Ball {
  enum Reference : unsigned {
    kTime,
    kHeight,
    kSpeed,
    kSlope,
    kAcceleration,
    kGravity,
    kRestitution,
    kKick,
    kKickTime,
    kPush,
    kBounces,
    kReferences
  };

  double values[kReferences] = {0, 1, 0, 0, 0, -10, 0.5, 0, -1, 0, 0};
  bool is_resting = false;
  bool has_kicked = false;

  double& operator[](Reference reference) { return values[reference]; }

  void Evaluate() {
    values[kSlope] = is_resting ? 0 : values[kSpeed];
    values[kAcceleration] = is_resting ? 0 : values[kGravity] + values[kPush];
  }
  double Indicator() const {
    return is_resting ? 1 : values[kHeight] == 0 && values[kSpeed] == 0 ? 1 : values[kHeight];
  }
  double NextTime() const {
    return has_kicked || values[kKickTime] < 0 ? std::numeric_limits<double>::infinity() : values[kKickTime];
  }
  /// Returns whether states have changed.
  bool UpdateDiscreteStates() {
    bool has_changed = false;
    if (values[kTime] >= NextTime()) {
      has_kicked = has_changed = true;
      is_resting = false;
      values[kSpeed] += values[kKick];
    }
    if (!is_resting && values[kHeight] <= 0 && values[kSpeed] < 0) {
      constexpr double kSlowest = 0.1;
      has_changed = true;
      values[kBounces] += 1;
      values[kHeight] = 0;
      values[kSpeed] *= -values[kRestitution];
      if (values[kSpeed] < kSlowest) {
        values[kSpeed] = 0;
        is_resting = true;
      }
    }
    return has_changed;
  }
  /// For co-simulation: to t, exactly.
  void Advance(double t) {
    while (values[kTime] < t) {
      double h = t - values[kTime];
      if (values[kTime] < NextTime() && NextTime() < t) h = NextTime() - values[kTime];
      Evaluate();
      const double a = values[kAcceleration], v = values[kSpeed], x = values[kHeight];
      if (!is_resting && a < 0) {
        const double impact = (-v - std::sqrt(v * v - 2 * a * x)) / a;
        if (impact > 0 && impact < h) h = impact;
      }
      if (!is_resting) {
        values[kHeight] = x + (v + a / 2 * h) * h;
        values[kSpeed] = v + a * h;
        if (std::abs(values[kHeight]) < 1e-12) values[kHeight] = 0;
      }
      values[kTime] += h;
      UpdateDiscreteStates();
    }
    Evaluate();
  }
};

}  // namespace davit
