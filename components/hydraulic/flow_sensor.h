#pragma once

#include "components/signal/sensor_faults.h"
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
With faults:  q = -q_outlet + bias + drift*(t - t0) + noise*r,  t0 when drift was set, r random from -1 to 1,
another one in each TimeStep.  signal lost: q = lost_value,  frozen: what was shown last
# Assumptions and limits
- An ideal sensor but for its faults: no pressure drop, no volume, no delay, no limit of the range.
)",
  };

  FlowSensor() { EffortsRead({inlet}); }

  void EvaluateEfforts(double /*t*/) override {
    outlet->c = inlet->c;
    outlet->Zc = inlet->Zc;
    outlet->p_min = inlet->p_min;
  }
  void EvaluateDiffEquations(double t) override {
    inlet->q = outlet->q;
    q = faults.Show(-outlet->q, t);
    p = inlet->p();
  }
  void ParametersChanged() override { faults.SettingsChanged(q); }
  double NextBreakTime(double t) const override { return faults.NextBreakTime(t); }
  void ArchiveMemory(Archive& archive) override { faults.ArchiveMemory(archive); }

 private:
  HydraulicPort inlet{this, "inlet", Role::kQ, "End at a volume, a line or a source"};
  HydraulicPort outlet{this, "outlet", Role::kC, "End that feeds a valve or another restriction"};
  Output q{this, "q", "m3/s", "Flow from inlet to outlet"};
  Output p{this, "p", "Pa", "Pressure (gauge)"};
  SensorFaults faults{
      this, {.unit = "m3/s", .rate_unit = "m3/s2", .bias = 10 / 6e4, .drift = 1 / 6e4, .noise = 5 / 6e4}};
};

}  // namespace davit
