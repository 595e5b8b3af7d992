#pragma once

#include "components/signal/sensor_faults.h"
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
With faults:  y = x - zero + bias + drift*(t - t0) + noise*r,  t0 when drift was set, r random from -1 to 1,
another one in each TimeStep.  signal lost: y = lost_value,  frozen: what was shown last
# Assumptions and limits
- An ideal sensor but for its faults: no mass, no force, no delay, no limit of the range.
)",
  };

  PositionSensor() { EffortsRead({port}); }

  void EvaluateEfforts(double t) override {
    y = faults.Show(port->x - zero, t);
    v = port->v;
  }
  void ParametersChanged() override { faults.SettingsChanged(y); }
  double NextBreakTime(double t) const override { return faults.NextBreakTime(t); }
  void ArchiveMemory(Archive& archive) override { faults.ArchiveMemory(archive); }

 private:
  TranslationalPort port{this, "port", Role::kC, "Moving component"};
  Parameter zero{this, "zero", "m", "Position at which y = 0", 0.0};
  Output y{this, "y", "m", "Position from zero", WrittenBy::kEfforts};
  SensorFaults faults{this, {.unit = "m", .rate_unit = "m/s", .bias = 0.01, .drift = 1e-3, .noise = 5e-3}};
  Output v{this, "v", "m/s", "Velocity", WrittenBy::kEfforts};
};

}  // namespace davit
