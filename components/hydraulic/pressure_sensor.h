#pragma once

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
Connect it to a volume, tank or junction in addition to the others.
# Assumptions and limits
- An ideal sensor: no flow, no volume, no delay, no noise, no limit of the range.
- The pressure is a gauge pressure; add atmospheric_pressure for the absolute one.
)",
  };

  void ParametersChanged() override { port->q = 0; }
  void EvaluateDiffEquations(double /*t*/) override { p = port->p(); }

 private:
  HydraulicPort port{this, "port", Role::kQ, "Measured pressure"};
  Output p{this, "p", "Pa", "Pressure (gauge)"};
};

}  // namespace davit
