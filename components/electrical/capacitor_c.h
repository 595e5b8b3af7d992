#pragma once

#include "components/lumped/store_c.h"

namespace davit::electrical {

/// A node with capacitance against ground, TLM variant (wave variables).
class CapacitorC final : public StoreC<ElectricalBond, &ElectricalBond::i>, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.CapacitorC",
      .text = "Node with capacitance against ground, TLM variant (wave variables)",
      .equations = R"(
C*u' = sum(i),  u = c + Zc*i at each port, i into the node
Zc = n*h/(2*C*(1 - filter)),  n ports, TimeStep h;  ' is one step ago:
m = mean(c_j' + 2*Zc*i_j'),  c_j = filter*c_j' + (1 - filter)*(2*m - c_j' - 2*Zc*i_j')
mean(c_j) = u, so no charge is lost, however long the run.
# Assumptions and limits
- The capacitance is constant, without leakage current, series resistance or breakdown.
- The delay of one TimeStep between the ports adds an inductance between them that grows with the TimeStep;
  the filter damps the waves.
)",
  };

  CapacitorC()
      : StoreC({.capacity = "capacitance",
                .capacity_unit = "F",
                .capacity_text = "Capacitance",
                .effort_text = "Voltage against ground",
                .capacity_value = 1e-3,
                .start = {}}) {}
  void AccountEnergy(EnergyTerms& terms) const override { AccountStore("charge", terms); }
};

}  // namespace davit::electrical
