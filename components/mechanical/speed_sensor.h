#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Measures speed and angle of a shaft, without a torque.
class SpeedSensor final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.SpeedSensor",
      .text = "Measures angle and speed of the connected shaft",
      .equations = R"(
T = 0,  y = w,  angle;  both are positive into the sensor
At port b of an inertia y has the sign of its w, at port a the opposite sign.
# Assumptions and limits
- An ideal sensor: no inertia, no torque, no delay, no noise, no limit of the range.
- The angle counts all revolutions; it does not start again after each.
)",
  };

  SpeedSensor() { EffortsRead({port}); }

  void EvaluateEfforts(double /*t*/) override {
    y = port->w;
    angle = port->angle;
  }

 private:
  RotationalPort port{this, "port", Role::kC, "Turning component"};
  Output y{this, "y", "rad/s", "Speed", WrittenBy::kEfforts};
  Output angle{this, "angle", "rad", "Angle", WrittenBy::kEfforts};
};

}  // namespace davit
