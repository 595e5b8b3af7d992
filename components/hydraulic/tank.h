#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Reservoir of infinite size: p = back_pressure, whatever flows in or out.
class Tank final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Tank",
      .text = "Reservoir of constant pressure",
      .equations = R"(
p = back_pressure (gauge), c = p, Zc = 0 at every port.
# Assumptions and limits
- The tank is unlimited: it has no level, never runs empty and never overflows.
- Its pressure is constant, at any flow. It has no air space, no breather and no temperature:
  hydraulic.OilHeat has that of the oil.
)",
  };

  void ParametersChanged() override;
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("tank"); }

 private:
  HydraulicPortArray port{this, "port", Role::kC, "Connections to the tank"};
  Parameter back_pressure{this, "back_pressure", "Pa", "Gauge pressure in the tank", 0.0};
};

}  // namespace davit
