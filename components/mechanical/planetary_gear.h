#pragma once

#include "components/mechanical/elastic_play.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Planetary gear with elastic teeth between sun, ring and carrier; with the ratio 1 a differential.
class PlanetaryGear final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.PlanetaryGear",
      .text = "Planetary gear or differential: sun, ring and carrier",
      .equations = R"(
twist' = w_sun + ratio*w_ring + (1 + ratio)*w_carrier
T_sun = T,  T_ring = ratio*T,  T_carrier = (1 + ratio)*T
T = stiffness*g + damping*twist' (0 if that would pull the teeth apart) while the teeth touch,
  g = twist without the half backlash;  T = 0 in the play.
ratio is the number of teeth of the ring over that of the sun. Without twisting, the speeds fulfil
  omega_sun + ratio*omega_ring = (1 + ratio)*omega_carrier.
Speeds w are positive into the gear: connect sun and ring with the side b of their mechanical.Inertia and the
carrier with its side a, or the other way round. Then all three count omega in the same direction.
A ring without connection is held by the housing: the carrier turns with omega_sun/(1 + ratio).
A differential has ratio = 1: sun and ring are its wheels, the carrier its driven housing.
The power of the three shafts is the energy stiffness*g^2/2 of the teeth and what its damping takes.
# Assumptions and limits
- The meshes of the sun and of the ring act as one spring, at the sun.
- No losses but the damping: efficiency is 1, and no gear is self-locking.
- Planets have no inertia; add it to that of the carrier.
)",
  };

  PlanetaryGear();

  void EvaluateEfforts(double /*t*/) override {
    torque = teeth().Torque(twist, TwistRate());
    sun->c = torque;
    ring->c = ratio * torque;
    carrier->c = (1 + ratio) * torque;
  }
  void EvaluateDiffEquations(double /*t*/) override { twist.ddt = TwistRate(); }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("teeth", teeth().Energy(twist));
    terms.Lost("damping", (torque - teeth().Torque(twist, 0)) * TwistRate());
  }

 private:
  ElasticPlay teeth() const { return {stiffness, damping, backlash / 2}; }
  double TwistRate() const { return sun->w + ratio * ring->w + (1 + ratio) * carrier->w; }

  RotationalPort sun{this, "sun", Role::kC, "Shaft of the sun"};
  RotationalPort ring{this, "ring", Role::kC, "Shaft of the ring; held if nothing is connected",
                      Connecting::kOptional};
  RotationalPort carrier{this, "carrier", Role::kC, "Shaft of the carrier"};
  Parameter ratio{this, "ratio", "", "Teeth of the ring over those of the sun", 3, kPositive};
  Parameter stiffness{this, "stiffness", "N.m/rad", "Stiffness of the teeth, at the sun",
                      Number{.value = 1e5, .range = kPositive}};
  Parameter damping{this, "damping", "N.m.s/rad", "Damping of the teeth, at the sun", 10, kNonNegative};
  Parameter backlash{this, "backlash", "rad", "Play of the teeth, at the sun", 0, kNonNegative};
  StateVariable twist{this, "twist", "rad", "Twist of the teeth, at the sun", 0, 1e-3};
  Output torque{this, "torque", "N.m", "Torque against the sun", WrittenBy::kEfforts};
};

}  // namespace davit
