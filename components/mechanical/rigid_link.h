#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// A rod without mass that can neither be shortened nor stretched: its force is an algebraic variable.
class RigidLink final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.RigidLink",
      .text = "Rod that keeps two bodies at their distance",
      .equations = R"(
0 = a_a + a_b + w*(v_a + v_b),  the force F is the unknown;  c = F, Zc = 0 at both ports
Accelerations a, velocities v are positive into the rod, F is positive in compression. The constraint
is stated for accelerations (index 1); w = stabilization makes errors of the velocity decay as
exp(-w*t). Give both bodies the same start velocity. The bodies are masses or fixed points.
# Assumptions and limits
- Two rods between the same bodies leave their forces undetermined: such a system is refused.
- The rod has no mass and never buckles, yields or comes loose: it pulls and pushes with any force.
- Only the velocity is stabilised. An error of the length, once made, remains.
)",
  };

  RigidLink();

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;

  void EvaluateEfforts(double /*t*/) override {
    a->c = F;
    b->c = F;
  }
  /// Nothing, but where an error of the velocity decays.
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsLose("stabilization"); }
  void EvaluateAlgebraicEquations(double /*t*/) override { F.residual = a->a + b->a + w * (a->v + b->v); }

 private:
  TranslationalPort a{this, "a", Role::kC, "One body"};
  TranslationalPort b{this, "b", Role::kC, "Other body"};
  Parameter w{this, "stabilization", "1/s", "Rate at which an error of the velocity decays",
              Number{.value = 10, .range = kNonNegative}};
  AlgebraicVariable F{this, "force", "N", "Force, positive in compression", 0, 1e3};
};

}  // namespace davit
