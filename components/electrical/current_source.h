#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// Delivers a current that a signal sets, at any voltage.
class CurrentSource final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.CurrentSource",
      .text = "Current set by a signal, at any voltage",
      .equations = R"(
i = current, positive out of the source;  u = c + Zc*i.
# Assumptions and limits
- The voltage is not limited: into an open circuit with a capacitor it rises without end.
- There is no internal resistance: the current does not depend on the voltage.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    port->i = current;
    u = port->u();
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("source"); }

 private:
  ElectricalPort port{this, "port", Role::kQ, "Connection that receives the current"};
  Input current{this, "current", "A", "Current out of the source"};
  Output u{this, "u", "V", "Voltage against ground"};
};

}  // namespace davit::electrical
