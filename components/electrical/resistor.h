#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit::electrical {

/// Ohmic resistance between two terminals, which may heat a thermal port.
class Resistor final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "electrical.Resistor",
      .text = "Ohmic resistance, with a port for its heat",
      .equations = R"(
u = R*i,  u = u_a - u_b,  i positive from a to b;  P = R*i^2 goes into heat, if it is connected.
Between waves u = c + Zc*i:  i = (c_a - c_b)/(R + Zc_a + Zc_b).
# Assumptions and limits
- The resistance is constant: it does not follow temperature, voltage or frequency.
- No inductance and capacitance. The power is not limited.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    const double current = (a->c - b->c) / (R + a->Zc + b->Zc);
    i = current;
    u = R * current;
    P = R * current * current;
    a->i = -current;
    b->i = current;
    heat->Q = P;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("resistance", P); }

 private:
  ElectricalPort a{this, "a", Role::kQ, "Side the current comes from when positive"};
  ElectricalPort b{this, "b", Role::kQ, "Side the current goes to when positive"};
  ThermalPort heat{this, "heat", Role::kQ, "Body heated by the losses", Connecting::kOptional};
  Parameter R{this, "resistance", "ohm", "Resistance", 1.0, kPositive};
  Output i{this, "i", "A", "Current from a to b"};
  Output u{this, "u", "V", "Voltage from a to b"};
  Output P{this, "P", "W", "Losses"};
};

}  // namespace davit::electrical
