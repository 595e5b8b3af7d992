#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// Coil between two terminals.
class Inductor final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.Inductor",
      .text = "Coil: inductance with the resistance of its wire",
      .equations = R"(
L*i' = u_a - u_b - R*i,  i positive from a to b.  Between waves u = c + Zc*i.
Stored energy L*i^2/2.
# Assumptions and limits
- The inductance is constant: no saturation, no hysteresis, no eddy currents.
- No capacitance between the turns, no coupling with other coils. The resistance does not follow the temperature.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    a->i = -i;
    b->i = i;
    u = a->u() - b->u();
    i.ddt = (u - R * i) / L;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("magnetic", L * i * i / 2);
    terms.Lost("resistance", R * i * i);
  }

 private:
  ElectricalPort a{this, "a", Role::kQ, "Side the current comes from when positive"};
  ElectricalPort b{this, "b", Role::kQ, "Side the current goes to when positive"};
  Parameter L{this, "inductance", "H", "Inductance", 1e-3, kPositive};
  Parameter R{this, "resistance", "ohm", "Resistance of the wire", 0.0, kNonNegative};
  StateVariable i{this, "i", "A", "Current from a to b"};
  Output u{this, "u", "V", "Voltage from a to b"};
};

}  // namespace davit::electrical
