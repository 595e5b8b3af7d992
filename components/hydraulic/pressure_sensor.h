#pragma once

#include "components/signal/sensor_faults.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Measures the pressure where it is connected.
class PressureSensor final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.PressureSensor",
      .text = "Measures the pressure at its port",
      .equations = R"(
p = c,  q = 0 (gauge pressure; the sensor takes no flow)
With faults:  p = c + bias + drift*(t - t0) + noise*r,  t0 when drift was set, r random from -1 to 1,
another one in each TimeStep.  signal lost: p = lost_value,  frozen: what was shown last
# Assumptions and limits
- An ideal sensor but for its faults: no flow, no volume, no delay, no limit of the range.
- The pressure is a gauge pressure; add atmospheric_pressure for the absolute one.
)",
  };

  void ParametersChanged() override {
    port->q = 0;
    faults.SettingsChanged(p);
  }
  void EvaluateDiffEquations(double t) override { p = faults.Show(port->p(), t); }
  double NextBreakTime(double t) const override { return faults.NextBreakTime(t); }
  void ArchiveMemory(Archive& archive) override { faults.ArchiveMemory(archive); }

 private:
  HydraulicPort port{this, "port", Role::kQ, "Measured pressure"};
  Output p{this, "p", "Pa", "Pressure (gauge)"};
  SensorFaults faults{this, {.unit = "Pa", .rate_unit = "Pa/s", .bias = 10e5, .drift = 1e5, .noise = 5e5}};
};

}  // namespace davit
