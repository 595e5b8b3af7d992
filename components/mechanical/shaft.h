#pragma once

#include "components/mechanical/elastic_play.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Elastic shaft without mass, or a coupling with play.
class Shaft final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Shaft",
      .text = "Elastic shaft or coupling, with backlash",
      .equations = R"(
T = stiffness*g + damping*(w_a + w_b) (0 if that would pull the flanks apart) while the flanks touch,
  g = angle_a + angle_b without the half backlash;  T = 0 in the play.
angle and w of the ends are positive into the shaft: a shaft that turns without twisting has w_a = -w_b.
The inertia connected with its side b at a is pushed back by a positive T, the one connected with its side a at b is
driven on.
mechanical.ShaftC is the same shaft without play for TLM systems.
# Assumptions and limits
- Linear while the flanks touch; impacts in the play lose what the damping takes.
- The shaft has no inertia: half of it belongs to each end.
)",
  };

  Shaft();

  void EvaluateEfforts(double /*t*/) override {
    torque = spring().Torque(a->angle + b->angle, a->w + b->w);
    a->c = torque;
    b->c = torque;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("twist", spring().Energy(a->angle + b->angle));
    terms.Lost("damping", (torque - spring().Torque(a->angle + b->angle, 0)) * (a->w + b->w));
  }

 private:
  ElasticPlay spring() const { return {stiffness, damping, backlash / 2}; }
  RotationalPort a{this, "a", Role::kC, "One end"};
  RotationalPort b{this, "b", Role::kC, "Other end"};
  Parameter stiffness{this, "stiffness", "N.m/rad", "Torsional stiffness", 1e4, kPositive};
  Parameter damping{this, "damping", "N.m.s/rad", "Damping", 0, kNonNegative};
  Parameter backlash{this, "backlash", "rad", "Play", 0, kNonNegative};
  Output torque{this, "torque", "N.m", "Torque in the shaft", WrittenBy::kEfforts};
};

}  // namespace davit
