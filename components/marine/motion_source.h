#pragma once

#include <array>
#include <functional>
#include <limits>

#include "framework/component.h"

namespace davit {

/// A component that knows the motion of a vessel at any time.
class MotionSource {
 public:
  struct Degree {
    double value = 0;         ///< [m] or [rad]
    double rate = 0;          ///< per second
    double acceleration = 0;  ///< per second squared
  };
  using Motion = std::array<Degree, 6>;  ///< in the order of kVesselDegrees

  /// The motion as a function of time [s] that shares no memory with others: threads may call one each.
  virtual std::function<Motion(double)> MakeMotion() const = 0;
  /// The first time after `t` [s] at which a rate jumps; infinity for none.
  virtual double NextKink(double /*t*/) const { return std::numeric_limits<double>::infinity(); }

  /// The nearest one, from the component upwards; null without one.
  static const MotionSource* FindAny(const Component& component);
  /// The same; reports an error without one.
  static const MotionSource* Find(const Component& component, Diagnostics& diagnostics);

 protected:
  MotionSource() = default;
  MotionSource(const MotionSource&) = default;
  MotionSource& operator=(const MotionSource&) = default;
  ~MotionSource() = default;
};

}  // namespace davit
