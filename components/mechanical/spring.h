#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Linear spring without mass.
class Spring final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Spring",
      .text = "Linear spring",
      .equations = R"(
F = stiffness*(x_a + x_b) + preload
F is positive in compression; x_a and x_b are positive into the spring.
c = F, Zc = 0 at both ports.
# Assumptions and limits
- Linear at every deflection: the spring has no solid length, never lifts off and pulls as well as it pushes.
- It has no mass and no damping; coil waves are neglected.
)",
  };

  Spring();

  void EvaluateEfforts(double /*t*/) override {
    force = stiffness * (a->x + b->x) + preload;
    a->c = force;
    b->c = force;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double s = a->x + b->x;
    terms.Stored("spring", stiffness * s * s / 2 + preload * s);
  }

 private:
  TranslationalPort a{this, "a", Role::kC, "One end"};
  TranslationalPort b{this, "b", Role::kC, "Other end"};
  Parameter stiffness{this, "stiffness", "N/m", "Stiffness",
                      Number{.value = 1000.0, .range = kNonNegative, .formerly = "rate"}};
  Parameter preload{this, "preload", "N", "Force at x_a + x_b = 0, positive in compression", 0.0};
  Output force{this, "force", "N", "Force, positive in compression", WrittenBy::kEfforts};
};

}  // namespace davit
