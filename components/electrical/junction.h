#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// Where wires meet without capacitance: one voltage, and what flows in flows out.
class Junction final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.Junction",
      .text = "Junction of wires: one voltage, sum of the currents zero",
      .equations = R"(
0 = sum(i),  u is the unknown;  c = u, Zc = 0 at every port. i is positive into the junction.
# Assumptions and limits
- Ideal conductors: all wires have one voltage, and the currents in and out are equal.
- Its island is solved by IDA. The current of at least one branch must depend on u.
)",
  };

  Junction() { EffortsRead({}); }

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t j = 0; j < port.size(); ++j) port[j].c = u;
  }
  void EvaluateAlgebraicEquations(double /*t*/) override {
    double i = 0;
    for (std::size_t j = 0; j < port.size(); ++j) i += port[j].i;
    u.residual = i;
  }

  /// All that flows in flows out.
  void AccountEnergy(EnergyTerms& /*terms*/) const override {}

 private:
  ElectricalPortArray port{this, "port", Role::kC, "Wires"};
  AlgebraicVariable u{this, "u", "V", "Voltage against ground", 0, 1};
};

}  // namespace davit::electrical
