#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Measures position and velocity of a mass, without a force.
class PositionSensor final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.PositionSensor",
      .text = "Measures position and velocity of the connected component",
      .equations = R"(
F = 0,  y = x - zero,  v the velocity; x and v are positive into the sensor
At port b of a mass y has the sign of its x, at port a the opposite sign.
# Assumptions and limits
- An ideal sensor: no mass, no force, no delay, no noise, no limit of the range.
)",
  };

  PositionSensor() { EffortsRead({port}); }

  void EvaluateEfforts(double /*t*/) override {
    y = port->x - zero;
    v = port->v;
  }

 private:
  TranslationalPort port{this, "port", Role::kC, "Moving component"};
  Parameter zero{this, "zero", "m", "Position at which y = 0", 0.0};
  Output y{this, "y", "m", "Position from zero", WrittenBy::kEfforts};
  Output v{this, "v", "m/s", "Velocity", WrittenBy::kEfforts};
};

}  // namespace davit
