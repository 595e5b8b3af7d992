#pragma once

#include <algorithm>

#include "components/mechanical/wire_drive.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Elastic wire rope from a drum along a line, for example over the sheaves of a crane. It pulls only.
class WireRope final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.WireRope",
      .text = "Wire rope from a drum along a line",
      .equations = R"(
s = -falls*x_a - L,  L = length + s_d,  s_d' = r*w,  s' = -falls*v_a - r*w
T = (axial_stiffness*s + axial_damping*s')/L, never below 0, while s > 0;  T = 0 while the rope is slack
c_a = -falls*T,  c_drum = -r*T_d,  Zc = 0
x_a is minus the length of the line: that of a mount of mechanism.Mechanism with shortest = 0. angle and w are
positive into the rope: at port a of an inertia or a gear, and at a joint, a positive turn winds the rope in.
An open drum does not turn.
## Drum with layers
r = radius - layer_height/(2*pi*turns_per_layer)*angle
Each layer that is wound in adds its height, and
torque times speed is the power of the rope. From a tenth of radius on it is constant.
## Reeving and friction of the sheaves
The rope runs over sheaves to the first of falls along the line, and over a sheave between each two of them:
T_d = e^sheaves*T_1,  T_(k+1) = T_k/e,  e = sheave_efficiency^tanh(r*w/stick_velocity)
T is the mean of all T_k.
The hook moves by 1/falls of the length paid out, and is pulled by falls*T.
# Assumptions and limits
- The rope has no mass, does not sag, and bends without a moment.
- Layers form a mean spiral: the radius does not jump from one to the next. The inertia of the drum is constant.
- The friction of the sheaves follows the rope at the drum: with the drum at rest, they run freely.
- All the falls are as long as the line. The stiffness is that of the free length L, at least a hundredth of the
  parameter length.
)",
  };

  WireRope() { EffortsRead({a, drum}); }

  void EvaluateEfforts(double /*t*/) override {
    const double free = length + drive_.PaidOut(drum->angle);
    const double stretch = Stretch(free);
    const double pull = (axial_stiffness * stretch + axial_damping * StretchRate()) / ElasticLength(free);
    tension = stretch > 0 ? std::max(0.0, pull) : 0.0;
    free_length = free;
    a->c = -drive_.fall_count() * tension;
    drum->c = -drive_.RadiusAt(drum->angle) * DrumTension();
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double stretch = std::max(0.0, Stretch(free_length)), elastic = ElasticLength(free_length);
    const double force = axial_stiffness * stretch / elastic, energy = force * stretch / 2;
    terms.Stored("rope", energy);
    terms.Lost("damping", (tension - force) * StretchRate());
    // What the drum takes or gives is free of load, as its torque times its speed says nothing of it.
    terms.In("rope on the drum", elastic > free_length ? 0 : -energy / elastic * PaidOutRate());
    if (drive_.has_friction()) terms.Lost("sheaves", (tension - DrumTension()) * PaidOutRate());
  }

 private:
  double Stretch(double free) const { return drive_.fall_count() * -a->x - free; }
  double StretchRate() const { return drive_.fall_count() * -a->v - PaidOutRate(); }
  double PaidOutRate() const { return drive_.RadiusAt(drum->angle) * drum->w; }
  double DrumTension() const { return tension * drive_.DrumShare(PaidOutRate()); }
  double ElasticLength(double free) const { return std::max(free, 0.01 * length); }

  TranslationalPort a{this, "a", Role::kC, "Line of the rope"};
  RotationalPort drum{this, "drum", Role::kC, "Drum", Connecting::kOptional};
  Parameter length{this, "length", "m", "Free length with the drum at angle 0", 10, kPositive};
  WireDrive drive_{this, 0.25};
  Parameter axial_stiffness{this, "axial_stiffness", "N", "Force over strain: modulus times metallic area",
                            2e7,  kPositive};
  Parameter axial_damping{this, "axial_damping", "N.s", "Force over rate of strain", 0, kNonNegative};
  Output tension{this, "tension", "N", "Mean tension of the falls", WrittenBy::kEfforts};
  Output free_length{this, "free_length", "m", "Length without load", WrittenBy::kEfforts};
};

}  // namespace davit
