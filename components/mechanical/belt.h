#pragma once

#include "components/mechanical/friction_contact.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Belt that runs around two pulleys, elastic, and slips beyond what its tension can transmit.
class Belt final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Belt",
      .text = "Elastic belt around two pulleys, which can slip",
      .equations = R"(
z' = v - |v|*z*stiffness/F_max,  F = stiffness*z + damping*z',  T_a = radius_a*F,  T_b = radius_b*F
v = radius_a*w_a + radius_b*w_b; both speeds are positive into the belt. The shaft that drives at a with its side b
turns the one that is connected at b with its side a, in the same direction, by the ratio radius_a/radius_b.
F is the difference of the forces in the two spans. It is at most that at which the belt slips around the smaller
pulley (Euler and Eytelwein):
F_max = 2*tension*tanh(friction*wrap/2),  wrap = pi - 2*asin(|radius_a - radius_b|/distance)
tension is that of both spans without load: under load one has tension + F/2, the other tension - F/2.
# Assumptions and limits
- Both spans stay tight. Their forces do not change by the speed of the belt: centrifugal force is neglected.
- Below F_max the belt does not creep; the loss by bending of the belt is neglected.
- The belt has no mass; pulleys belong to the inertias at its ports.
- A toothed belt, or a chain, has a large friction: then F_max is nearly twice the tension.
)",
  };

  Belt();

  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;

  void EvaluateEfforts(double /*t*/) override {
    force = contact_.Force(1, z, DeflectionRate());
    a->c = radius_a * force;
    b->c = radius_b * force;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    z.ddt = DeflectionRate();
    tight_span = tension + std::abs(force) / 2;
    slip = Slip();
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("stretch", contact_.Energy(1, z));
    terms.Lost("slip", contact_.Loss(1, 0, z, z.ddt, slip));
  }

 private:
  double Slip() const { return radius_a * a->w + radius_b * b->w; }
  double DeflectionRate() const { return contact_.DeflectionRate(1, Slip(), z); }

  RotationalPort a{this, "a", Role::kC, "Shaft of one pulley"};
  RotationalPort b{this, "b", Role::kC, "Shaft of the other pulley"};
  Parameter radius_a{this, "radius_a", "m", "Radius of the pulley at a", 0.1, kPositive};
  Parameter radius_b{this, "radius_b", "m", "Radius of the pulley at b", 0.2, kPositive};
  Parameter distance{this, "distance", "m", "Distance of the shafts", 0.6, kPositive};
  Parameter tension{this, "tension", "N", "Force in each span without load", 1e3, kPositive};
  Parameter friction{this, "friction", "",
                     "Coefficient of friction between belt and pulley; of a V belt that of its groove",
                     Number{.value = 0.5, .range = kPositive}};
  Parameter stiffness{this, "stiffness", "N/m", "Force F over the stretch of both spans",
                      Number{.value = 1e5, .range = kPositive}};
  Parameter damping{this, "damping", "N.s/m", "Damping of the stretch", 100, kNonNegative};
  StateVariable z{this, "z", "m", "Stretch of the belt by the load", 0, 1e-3};
  Output force{this, "force", "N", "Difference of the forces in the spans", WrittenBy::kEfforts};
  Output tight_span{this, "tight_span", "N", "Force in the tighter span"};
  Output slip{this, "slip_speed", "m/s", "Speed of one pulley's rim relative to the other's"};

  FrictionContact contact_;
};

}  // namespace davit
