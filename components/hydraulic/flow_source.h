#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Delivers a flow that a signal sets, at any pressure.
class FlowSource final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.FlowSource",
      .text = "Flow set by a signal, at any pressure",
      .equations = R"(
q = flow, positive out of the source;  p = c + Zc*q.
# Assumptions and limits
- The pressure is not limited: a source against a shut valve raises it without limit.
- A source that draws oil may bring the pressure below zero, between waves down to the vapour pressure.
- The power is not limited, and there is no leakage: the flow does not depend on the pressure.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    const double q_out = flow;
    q = q_out;
    port->q = q_out;
    p = port->p();
  }
  double PowerBesidePorts() const override { return p * q; }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("source"); }

 private:
  HydraulicPort port{this, "port", Role::kQ, "Connection that receives the oil"};
  Input flow{this, "flow", "m3/s", "Flow out of the source"};
  Output q{this, "q", "m3/s", "Flow out of the source"};
  Output p{this, "p", "Pa", "Pressure at the port"};
};

}  // namespace davit
