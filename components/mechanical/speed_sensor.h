#pragma once

#include "components/signal/sensor_faults.h"
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
With faults:  y = w + bias + drift*(t - t0) + noise*r,  t0 when drift was set, r random from -1 to 1,
another one in each TimeStep.  signal lost: y = lost_value,  frozen: what was shown last
# Assumptions and limits
- An ideal sensor but for its faults: no inertia, no torque, no delay, no limit of the range.
- The angle counts all revolutions; it does not start again after each.
)",
  };

  SpeedSensor() { EffortsRead({port}); }

  void EvaluateEfforts(double t) override {
    y = faults.Show(port->w, t);
    angle = port->angle;
  }
  void ParametersChanged() override { faults.SettingsChanged(y); }
  double NextBreakTime(double t) const override { return faults.NextBreakTime(t); }
  void ArchiveMemory(Archive& archive) override { faults.ArchiveMemory(archive); }

 private:
  RotationalPort port{this, "port", Role::kC, "Turning component"};
  Output y{this, "y", "rad/s", "Speed", WrittenBy::kEfforts};
  SensorFaults faults{this, {.unit = "rad/s", .rate_unit = "rad/s2", .bias = 1, .drift = 0.1, .noise = 0.5}};
  Output angle{this, "angle", "rad", "Angle", WrittenBy::kEfforts};
};

}  // namespace davit
