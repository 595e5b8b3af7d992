#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Linear viscous damper without mass.
class Damper final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Damper",
      .text = "Linear viscous damper",
      .equations = R"(
F = coefficient*(v_a + v_b)
F is positive in compression; v_a and v_b are positive into the damper.
c = F, Zc = 0 at both ports.
# Assumptions and limits
- Linear at all velocities, the same in both directions. There is no stop, no friction and no end of the stroke.
- The damper has no mass and stores no energy; its heat is not accounted for.
)",
  };

  Damper();

  void EvaluateEfforts(double /*t*/) override {
    force = coefficient * (a->v + b->v);
    a->c = force;
    b->c = force;
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.Lost("damping", force * (a->v + b->v)); }

 private:
  TranslationalPort a{this, "a", Role::kC, "One end"};
  TranslationalPort b{this, "b", Role::kC, "Other end"};
  Parameter coefficient{this, "coefficient", "N.s/m", "Damping coefficient", 100.0, kNonNegative};
  Output force{this, "force", "N", "Force, positive in compression", WrittenBy::kEfforts};
};

}  // namespace davit
