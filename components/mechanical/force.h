#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Source of a given force.
class Force final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Force",
      .text = "Force given by a signal",
      .equations = R"(
c = force, Zc = 0
A positive force pushes the connected component away: a mass connected by its side a moves along +x,
one connected by its side b along -x.
# Assumptions and limits
- The force acts at any speed: the power is not limited.
- The source has no mass: the whole force acts on the connected component.
)",
  };

  Force();

  void EvaluateEfforts(double /*t*/) override { port->c = force; }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("force"); }

 private:
  TranslationalPort port{this, "port", Role::kC, "Component on which the force acts"};
  Input force{this, "force", "N", "Force, positive in pushing"};
};

}  // namespace davit
