#pragma once

#include <array>

#include "framework/component.h"
#include "framework/signal.h"

namespace davit {

/// The motion of a vessel in six degrees of freedom with rates and accelerations, by the names that the
/// inputs of the base of a mechanism have.
class MotionOutputs {
 public:
  explicit MotionOutputs(Component* owner, WrittenBy written_by = WrittenBy::kFlows)
      : degrees_{Degree(owner, {"surge", "surge_rate", "surge_acceleration"}, kLinear, "Along x, forward",
                        written_by),
                 Degree(owner, {"sway", "sway_rate", "sway_acceleration"}, kLinear, "Along y, to port",
                        written_by),
                 Degree(owner, {"heave", "heave_rate", "heave_acceleration"}, kLinear, "Along z, upwards",
                        written_by),
                 Degree(owner, {"roll", "roll_rate", "roll_acceleration"}, kAngular,
                        "About x; starboard down", written_by),
                 Degree(owner, {"pitch", "pitch_rate", "pitch_acceleration"}, kAngular, "About y; bow down",
                        written_by),
                 Degree(owner, {"yaw", "yaw_rate", "yaw_acceleration"}, kAngular, "About z; bow to port",
                        written_by)} {}

  /// In the order of kVesselDegrees; SI.
  void Set(std::size_t degree, double value, double rate, double acceleration) {
    Degree& outputs = degrees_[degree];
    outputs.value = value;
    outputs.rate = rate;
    outputs.acceleration = acceleration;
  }

 private:
  /// Of a value, its rate and its acceleration.
  struct Texts {
    Text value, rate, acceleration;
  };
  static constexpr Texts kLinear{"m", "m/s", "m/s2"}, kAngular{"rad", "rad/s", "rad/s2"};

  struct Degree {
    Degree(Component* owner, const Texts& names, const Texts& units, Text text, WrittenBy written_by)
        : value(owner, names.value, units.value, text, written_by),
          rate(owner, names.rate, units.rate, "Its rate", written_by),
          acceleration(owner, names.acceleration, units.acceleration, "Its acceleration", written_by) {}

    Output value, rate, acceleration;
  };
  std::array<Degree, 6> degrees_;
};

}  // namespace davit
