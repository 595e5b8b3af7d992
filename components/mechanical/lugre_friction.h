#pragma once

#include "components/mechanical/lugre_law.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Dry and viscous friction with sticking, modelled by the deflection of bristles.
class LuGreFriction final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.LuGreFriction",
      .text = "Friction between two bodies that sticks and slides (LuGre)",
      .equations = R"(
z' = v - |v|/g(v)*z,  F = s0*z + s1*z' + s2*v,  v = v_a + v_b
g(v) = (Fc + (Fs - Fc)*exp(-(v/vs)^2))/s0: sliding steadily, F = s0*g(v)*sign(v) + s2*v
z is the deflection of the bristles. F is positive in compression; c = F, Zc = 0 at both ports.
The model is that of [Canudas de Wit 1995]. Stiff: use auto, rodas5p or ida.
# Assumptions and limits
- The normal force is constant: friction does not grow with the load.
- Any motion slips a little: under a force that oscillates below static friction the bodies drift.
- bristle_damping is the same at all velocities. If s2 < s1*(Fs - Fc)/Fc, the law may release
  more energy than it received.
- The heat is not accounted for.
)",
  };

  LuGreFriction();

  void ParametersChanged() override;

  void EvaluateEfforts(double /*t*/) override {
    force = law_.Force(a->v + b->v, z);
    a->c = force;
    b->c = force;
  }
  void EvaluateDiffEquations(double /*t*/) override { z.ddt = law_.DeflectionRate(a->v + b->v, z); }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double v = a->v + b->v;
    terms.Stored("friction", law_.s0 * z * z / 2);
    terms.Lost("friction", force * v - law_.s0 * z * law_.DeflectionRate(v, z));
  }

 private:
  TranslationalPort a{this, "a", Role::kC, "One body"};
  TranslationalPort b{this, "b", Role::kC, "Other body"};
  Parameter Fc{this, "kinetic_friction", "N", "Coulomb friction Fc", 1.0, kPositive};
  Parameter Fs{this, "static_friction", "N", "Static friction Fs", 1.5, kPositive};
  Parameter vs{this, "stribeck_velocity", "m/s", "Velocity vs at which friction falls from Fs to Fc",
               Number{.value = 1e-3, .range = kPositive}};
  Parameter s0{this, "stiffness", "N/m", "Stiffness s0 of the bristles", 1e5, kPositive};
  Parameter s1{this, "bristle_damping", "N.s/m", "Damping s1 of the bristles",
               Number{.value = 316.22776601683796, .range = kNonNegative}};
  Parameter s2{this, "viscous_friction", "N.s/m", "Viscous friction s2", 0.4, kNonNegative};
  StateVariable z{this, "z", "m", "Deflection of the bristles", 0, 1e-5};
  Output force{this, "force", "N", "Friction, positive in compression", WrittenBy::kEfforts};

  LuGreLaw law_;
};

}  // namespace davit
