#pragma once

#include "components/mechanical/elastic_play.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Rack and pinion with elastic teeth, without mass: a way becomes an angle, and back.
class RackAndPinion final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.RackAndPinion",
      .text = "Rack and pinion: joins a body that moves to one that turns",
      .equations = R"(
g = x - radius*angle,  g' = v - radius*w
force = stiffness*g + damping*g' (0 if that would pull the teeth apart) while the teeth touch, g without the
  half backlash;  force = 0 in the play.  torque = radius*force
x and v of the rack are positive into this component, angle and w of the shaft away from it: a rack that is pushed in
turns the component at the shaft in the positive direction. c = force at the rack, c = torque at the shaft, Zc = 0.
A rotary actuator is a hydraulic.Cylinder at the rack: the area of its piston times radius is the volume per radian.
# Assumptions and limits
- Rack and pinion have no mass and no friction; the components at both sides own the motion.
- Only the teeth are elastic. Without backlash they transmit both directions linearly.
)",
  };

  RackAndPinion() { EffortsRead({rack, shaft}); }

  void EvaluateEfforts(double /*t*/) override {
    force = teeth().Torque(Deflection(), DeflectionRate());
    torque = radius * force;
    rack->c = force;
    shaft->c = torque;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("teeth", teeth().Energy(Deflection()));
    terms.Lost("teeth", (force - teeth().Torque(Deflection(), 0)) * DeflectionRate());
  }

 private:
  /// Along the rack: [N/m], [N s/m], [m].
  ElasticPlay teeth() const { return {stiffness, damping, backlash / 2}; }
  double Deflection() const { return rack->x + radius * shaft->angle; }
  double DeflectionRate() const { return rack->v + radius * shaft->w; }

  TranslationalPort rack{this, "rack", Role::kC, "Rack: the component that moves"};
  RotationalPort shaft{this, "shaft", Role::kC, "Pinion: the component that turns"};
  Parameter radius{this, "radius", "m", "Radius of the pinion", Number{.value = 0.05, .range = kPositive}};
  Parameter stiffness{this, "stiffness", "N/m", "Stiffness of the teeth along the rack",
                      Number{.value = 1e8, .range = kPositive}};
  Parameter damping{this, "damping", "N.s/m", "Damping of the teeth along the rack", 0, kNonNegative};
  Parameter backlash{this, "backlash", "m", "Play of the teeth along the rack", 0, kNonNegative};
  Output force{this, "force", "N", "Force on the rack, against its motion inwards", WrittenBy::kEfforts};
  Output torque{this, "torque", "N.m", "Torque on the component at the shaft", WrittenBy::kEfforts};
};

}  // namespace davit
