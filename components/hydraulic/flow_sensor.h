#pragma once

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Tells the flow between two components and changes nothing.
class FlowSensor final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{"hydraulic.FlowSensor",
                                   "Tells the flow between two components",
                                   {},
                                   "c_outlet = c_inlet,  Zc_outlet = Zc_inlet,  q_inlet = q_outlet:  waves "
                                   "pass unchanged, p is the same at\n"
                                   "both ends. It stands in a connection: the inlet, a Q port, on the C "
                                   "component (a volume), the outlet, a\n"
                                   "C port, on the Q component (a valve).\n"
                                   "The output q is positive from inlet to outlet.\n"};

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
  HydraulicPort inlet{this, "inlet", Role::kQ, "End that stands on a volume, a line or a source"};
  HydraulicPort outlet{this, "outlet", Role::kC, "End that feeds a valve or another restriction"};
  Output q{this, "q", "m3/s", "Flow from inlet to outlet"};
  Output p{this, "p", "Pa", "Pressure (gauge)"};
};

}  // namespace davit
