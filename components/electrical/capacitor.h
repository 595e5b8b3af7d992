#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// A node with capacitance against ground.
class Capacitor final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.Capacitor",
      .text = "Node with capacitance against ground",
      .equations = R"(
C*u' = sum(i),  i into the capacitor at every port;  c = u, Zc = 0.
Stored energy C*u^2/2. Wires that meet without capacitance: electrical.Junction.
# Assumptions and limits
- The capacitance is constant: it does not depend on voltage, temperature or frequency.
- No leakage current, no series resistance and inductance, no breakdown.
- All voltages are against ground; a capacitor between two nodes is not covered.
)",
  };

  Capacitor() { EffortsRead({}); }

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t j = 0; j < port.size(); ++j) port[j].c = u;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    double into = 0;
    for (std::size_t j = 0; j < port.size(); ++j) into += port[j].i;
    u.ddt = into / C;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Stored("charge", C * u * u / 2); }

 private:
  ElectricalPortArray port{this, "port", Role::kC, "Connections to the node"};
  Parameter C{this, "capacitance", "F", "Capacitance", 1e-3, kPositive};
  StateVariable u{this, "u", "V", "Voltage against ground"};
};

}  // namespace davit::electrical
