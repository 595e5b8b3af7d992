#pragma once

#include <array>

#include "framework/component.h"
#include "framework/signal.h"

namespace davit {

/// The motion of a vessel in six degrees of freedom with rates and accelerations, by the names that the
/// inputs of the base of a mechanism have.
class MotionOutputs {
 public:
  explicit MotionOutputs(Component* owner)
      : degrees_{Degree(owner, "surge", "surge_rate", "surge_acceleration", kLinear, "Along x, forward"),
                 Degree(owner, "sway", "sway_rate", "sway_acceleration", kLinear, "Along y, to port"),
                 Degree(owner, "heave", "heave_rate", "heave_acceleration", kLinear, "Along z, upwards"),
                 Degree(owner, "roll", "roll_rate", "roll_acceleration", kAngular, "About x; starboard down"),
                 Degree(owner, "pitch", "pitch_rate", "pitch_acceleration", kAngular, "About y; bow down"),
                 Degree(owner, "yaw", "yaw_rate", "yaw_acceleration", kAngular, "About z; bow to port")} {}

  /// In the order of kVesselDegrees; SI.
  void Set(std::size_t degree, double value, double rate, double acceleration) {
    Degree& outputs = degrees_[degree];
    outputs.value = value;
    outputs.rate = rate;
    outputs.acceleration = acceleration;
  }

 private:
  struct Units {
    Text value, rate, acceleration;
  };
  static constexpr Units kLinear{"m", "m/s", "m/s2"}, kAngular{"rad", "rad/s", "rad/s2"};

  struct Degree {
    Degree(Component* owner, Text name, Text rate_name, Text acceleration_name, const Units& units, Text text)
        : value(owner, name, units.value, text),
          rate(owner, rate_name, units.rate, "Its rate"),
          acceleration(owner, acceleration_name, units.acceleration, "Its acceleration") {}

    Output value, rate, acceleration;
  };
  std::array<Degree, 6> degrees_;
};

}  // namespace davit
