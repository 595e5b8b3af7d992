#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// Voltage against ground that a signal sets, whatever current flows.
class VoltageSource final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.VoltageSource",
      .text = "Voltage set by a signal",
      .equations = R"(
u = voltage against ground; c = u, Zc = 0 at every port.
# Assumptions and limits
- The current in or out is not limited, and neither is the power.
- There is no internal resistance: the voltage does not depend on the current.
)",
  };

  VoltageSource() { EffortsRead({voltage}); }

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t j = 0; j < port.size(); ++j) port[j].c = voltage;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("source"); }

 private:
  ElectricalPortArray port{this, "port", Role::kC, "Connections to the source"};
  Input voltage{this, "voltage", "V", "Voltage against ground"};
};

}  // namespace davit::electrical
