#pragma once

#include "simulator/energy_account.h"
#include "simulator/tlm_component.h"

namespace davit {

/// Linear viscous damper without mass, TLM variant (wave variables).
class DamperC final : public TlmComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.DamperC",
      .text = "Linear viscous damper, TLM variant (wave variables) with a delay of one TimeStep",
      .equations = R"(
F = coefficient*(v_a + v_b)
F is positive in compression; v_a and v_b are positive into the damper.
Waves (' is one step ago):  c_a = coefficient*v_b',  c_b = coefficient*v_a',  Zc = coefficient
# Assumptions and limits
- Each end feels its own velocity immediately and that of the other one TimeStep h late: no error
  if one end rests, otherwise of first order in h. It never generates energy.
- Moved together, both ends have the mass 2*coefficient*h.
- Linear at all velocities, without stop or friction.
)",
  };

  void InitializeWaves() override { Offer(); }
  bool SettleWaves() override {
    Offer();
    return true;
  }
  void RestartWaves(bool has_moved) override {
    if (has_moved) Offer();
  }
  void SimulateOneTimestep(double /*t*/) override { Offer(); }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("damping"); }

 private:
  void Offer() {
    a->c = coefficient * b->v;
    b->c = coefficient * a->v;
    a->Zc = b->Zc = coefficient;
    force = a->c + b->c;
  }

  TranslationalPort a{this, "a", Role::kC, "One end"};
  TranslationalPort b{this, "b", Role::kC, "Other end"};
  Parameter coefficient{this, "coefficient", "N.s/m", "Damping coefficient", 100.0, kNonNegative};
  Output force{this, "force", "N", "Force at the velocities one TimeStep ago, positive in compression"};
};

}  // namespace davit
