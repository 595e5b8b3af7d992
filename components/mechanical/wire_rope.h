#pragma once

#include <algorithm>

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
s = -x_a - L,  L = length + radius*angle,  s' = -v_a - radius*w
T = (axial_stiffness*s + axial_damping*s')/L, never below 0, while s > 0;  T = 0 while the rope is slack
c_a = -T,  c_drum = -radius*T,  Zc = 0
x_a is minus the length of the line: that of a mount of mechanism.Mechanism with shortest = 0. angle and w are
positive into the rope: at port a of an inertia or a gear, and at a joint, a positive turn winds the rope in.
An open drum does not turn.
# Assumptions and limits
- The rope has no mass, does not sag, and bends without a moment.
- Sheaves and drum have no friction; the radius of the drum does not grow with layers.
- The stiffness is that of the free length L, at least a hundredth of the parameter length.
)",
  };

  WireRope() { EffortsRead({a, drum}); }

  void EvaluateEfforts(double /*t*/) override {
    const double free = length + radius * drum->angle;
    const double stretch = Stretch(free);
    const double pull = (axial_stiffness * stretch + axial_damping * StretchRate()) / ElasticLength(free);
    tension = stretch > 0 ? std::max(0.0, pull) : 0.0;
    free_length = free;
    a->c = -tension;
    drum->c = -radius * tension;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    const double stretch = std::max(0.0, Stretch(free_length)), elastic = ElasticLength(free_length);
    const double force = axial_stiffness * stretch / elastic, energy = force * stretch / 2;
    terms.Stored("rope", energy);
    terms.Lost("damping", (tension - force) * StretchRate());
    // What the drum takes or gives is free of load, as its torque times its speed says nothing of it.
    terms.In("rope on the drum", elastic > free_length ? 0 : -energy / elastic * radius * drum->w);
  }

 private:
  double Stretch(double free) const { return -a->x - free; }
  double StretchRate() const { return -a->v - radius * drum->w; }
  double ElasticLength(double free) const { return std::max(free, 0.01 * length); }

  TranslationalPort a{this, "a", Role::kC, "Line of the rope"};
  RotationalPort drum{this, "drum", Role::kC, "Drum", Connecting::kOptional};
  Parameter length{this, "length", "m", "Free length with the drum at angle 0", 10, kPositive};
  Parameter radius{this, "radius", "m", "Radius of the drum", 0.25, kNonNegative};
  Parameter axial_stiffness{this, "axial_stiffness", "N", "Force over strain: modulus times metallic area",
                            2e7,  kPositive};
  Parameter axial_damping{this, "axial_damping", "N.s", "Force over rate of strain", 0, kNonNegative};
  Output tension{this, "tension", "N", "Tension", WrittenBy::kEfforts};
  Output free_length{this, "free_length", "m", "Length without load", WrittenBy::kEfforts};
};

}  // namespace davit
