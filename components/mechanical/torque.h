#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Source of a given torque.
class Torque final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Torque",
      .text = "Torque given by a signal",
      .equations = R"(
c = torque, Zc = 0
A positive torque drives the connected component away: an inertia connected by its side a turns along
+w, one connected by its side b along -w.
# Assumptions and limits
- The torque acts at any speed: the power is not limited.
- The source has no inertia and no friction.
)",
  };

  Torque();

  void EvaluateEfforts(double /*t*/) override { port->c = torque; }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("torque"); }

 private:
  RotationalPort port{this, "port", Role::kC, "Component on which the torque acts"};
  Input torque{this, "torque", "N.m", "Torque, positive in driving"};
};

}  // namespace davit
