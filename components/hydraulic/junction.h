#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Where pipes or valves meet without a volume: one pressure, and what flows in flows out.
class Junction final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hydraulic.Junction",
      .text = "Junction without volume: one pressure, sum of the flows zero",
      .equations = R"(
0 = sum(q),  p is the unknown;  c = p, Zc = 0 at every port. q is positive into the junction.
# Assumptions and limits
- No volume and no loss: all branches have one pressure, and the flows in and out are equal.
- Its island is solved by IDA. At least one branch must let oil pass: if all are shut, nothing
  determines p, and the system is refused.
)",
  };

  Junction() { EffortsRead({}); }

  void EvaluateEfforts(double /*t*/) override {
    for (std::size_t i = 0; i < port.size(); ++i) port[i].c = p;
  }

  void EvaluateAlgebraicEquations(double /*t*/) override {
    double q = 0;
    for (std::size_t i = 0; i < port.size(); ++i) q += port[i].q;
    p.residual = q;
  }

  /// All that flows in flows out.
  void AccountEnergy(EnergyTerms& /*terms*/) const override {}

 private:
  HydraulicPortArray port{this, "port", Role::kC, "Branches"};
  AlgebraicVariable p{this, "p", "Pa", "Pressure (gauge)", 0, 1e5};
};

}  // namespace davit
