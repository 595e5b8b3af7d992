#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// A terminal of constant potential.
class Ground final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.Ground",
      .text = "Terminal of constant potential, 0 V",
      .equations = R"(
u = potential at any current; c = u, Zc = 0 at every port.
# Assumptions and limits
- The potential is kept at any current: the terminal has no resistance.
)",
  };

  void ParametersChanged() override {
    for (std::size_t i = 0; i < port.size(); ++i) port[i].c = potential;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("ground"); }

 private:
  ElectricalPortArray port{this, "port", Role::kC, "Connections to the terminal"};
  Parameter potential{this, "potential", "V", "Potential", 0.0};
};

}  // namespace davit::electrical
