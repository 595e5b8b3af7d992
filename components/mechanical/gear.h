#pragma once

#include "components/mechanical/elastic_play.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Reduction gear with elastic teeth: a fast shaft with an inertia of its own drives what turns slowly.
class Gear final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Gear",
      .text = "Reduction gear with elastic teeth",
      .equations = R"(
twist' = w/ratio - w_slow,  J*w' = sum(T_a) - T/ratio - viscous_friction*w
T = stiffness*g + damping*twist' (0 if that would pull the teeth apart) while the teeth touch,
  g = twist without the half backlash;  T = 0 in the play.  J = inertia + the inertias connected at a.
T drives the component at b in the positive direction; twist, backlash and stiffness are those at the slow
shaft. Shafts and brakes at a drive along +w, as at a of mechanical.Inertia. The slow shaft belongs to
the owner of its motion (mechanical.Inertia, the slew of a crane): b is a C port with c = T, Zc = 0.
The natural frequency of the teeth is sqrt(stiffness*(1/(J*ratio^2) + 1/J_slow)).
# Assumptions and limits
- The ratio is constant: pitch errors, varying mesh stiffness and slip are neglected.
- The only losses are viscous friction at the fast shaft and the damping of the teeth. Losses that grow with the
  load are neglected, so the gear is never self-locking.
- Only the teeth are elastic; shafts and housing are rigid.
- In the play the two sides move freely. Without backlash the teeth transmit both directions linearly.
)",
  };

  Gear();

  void ParametersChanged() override;

  void EvaluateEfforts(double /*t*/) override {
    slow_speed = -b->w;
    torque = teeth().Torque(twist, w / ratio - slow_speed);
    b->c = torque;
    angle = ratio * (twist - b->angle);
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i].angle = -angle;
      a[i].w = -w;
    }
  }
  void EvaluateDiffEquations(double /*t*/) override {
    double T = -viscous_friction * w - torque / ratio;
    double J = inertia;
    for (std::size_t i = 0; i < a.size(); ++i) {
      T += a[i].T();
      J += a[i].added_inertia;
    }
    twist.ddt = w / ratio - slow_speed;
    w.ddt = T / J;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    double J = inertia;
    for (std::size_t i = 0; i < a.size(); ++i) J += a[i].added_inertia;
    terms.Stored("kinetic", J * w * w / 2);
    terms.Stored("teeth", teeth().Energy(twist));
    terms.Lost("friction", viscous_friction * w * w);
    terms.Lost("teeth", (torque - teeth().Torque(twist, 0)) * (w / ratio - slow_speed));
  }

 private:
  ElasticPlay teeth() const { return {stiffness, damping, backlash / 2}; }

  RotationalPortArray a{this, "a", Role::kQ, "Fast shaft: the driving or braking component, along +w",
                        Connecting::kOptional};
  RotationalPort b{this, "b", Role::kC, "Slow shaft: the driven component"};
  Parameter ratio{this, "ratio", "", "Speed of the fast shaft over that of the slow one", 100, kPositive};
  Parameter inertia{this, "inertia", "kg.m2", "Inertia of the fast shaft with its wheels", 0.1, kPositive};
  Parameter stiffness{this, "stiffness", "N.m/rad", "Stiffness of the teeth, at the slow shaft",
                      Number{.value = 1e8, .range = kPositive}};
  Parameter damping{this, "damping", "N.m.s/rad", "Damping of the teeth, at the slow shaft", 0, kNonNegative};
  Parameter backlash{this, "backlash", "rad", "Play of the teeth, at the slow shaft", 0, kNonNegative};
  Parameter viscous_friction{this, "viscous_friction", "N.m.s/rad", "Viscous friction of the fast shaft",
                             Number{.value = 0, .range = kNonNegative}};
  StateVariable twist{this, "twist", "rad", "Lead of the fast shaft, at the slow shaft", 0, 1e-2};
  StateVariable w{this, "w", "rad/s", "Speed of the fast shaft", 0, 10};
  Output angle{this, "angle", "rad", "Angle of the fast shaft", WrittenBy::kEfforts};
  Output slow_speed{this, "slow_speed", "rad/s", "Speed of the slow shaft", WrittenBy::kEfforts};
  Output torque{this, "torque", "N.m", "Torque on the slow shaft", WrittenBy::kEfforts};
};

}  // namespace davit
