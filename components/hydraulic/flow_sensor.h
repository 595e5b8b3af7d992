#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Measures the flow between two components without affecting it.
class FlowSensor final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.FlowSensor",
      .text = "Measures the flow between two components",
      .equations = R"(
c_outlet = c_inlet,  Zc_outlet = Zc_inlet,  q_inlet = q_outlet:  waves pass unchanged, p is the same at
both ends. It splits a connection: the inlet, a Q port, is connected to the C component (a volume), the
outlet, a C port, to the Q component (a valve).
The output q is positive from inlet to outlet.
# Assumptions and limits
- An ideal sensor: no pressure drop, no volume, no delay, no noise, no limit of the range.
)",
  };

  FlowSensor() { EffortsRead({inlet}); }

  void EvaluateEfforts(double /*t*/) override {
    outlet->c = inlet->c;
    outlet->Zc = inlet->Zc;
    outlet->p_min = inlet->p_min;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    inlet->q = outlet->q;
    q = -outlet->q;
    p = inlet->p();
  }

 private:
  HydraulicPort inlet{this, "inlet", Role::kQ, "End at a volume, a line or a source"};
  HydraulicPort outlet{this, "outlet", Role::kC, "End that feeds a valve or another restriction"};
  Output q{this, "q", "m3/s", "Flow from inlet to outlet"};
  Output p{this, "p", "Pa", "Pressure (gauge)"};
};

}  // namespace davit
