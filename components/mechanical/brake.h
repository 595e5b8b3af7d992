#pragma once

#include "components/mechanical/friction_contact.h"
#include "components/signal/limit.h"
#include "framework/fault_mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Friction brake that holds a shaft against the ground, closed by springs, opened by a signal.
class Brake final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Brake",
      .text = "Friction brake that holds without creeping",
      .equations = R"(
close_time*engagement' = (1 - release) - engagement,  release limited to 0 .. 1
z' = e*(w - |w|*z/z_max) - (1 - e)*z/close_time,  T = e*(s0*z + s1*z'),  e = engagement
s0 = stiffness,  z_max = torque/stiffness,  s1 = damping
T acts against w, the speed of the shaft at the port. z is the deflection of pads and linings [Dahl
1968]: at rest the brake holds like a spring up to its torque, without creeping; sliding it gives
torque*e. In an open brake the deflection decays.
# Assumptions and limits
- The torque does not depend on speed, temperature or wear, and static and sliding friction are equal.
- A closed brake is elastic: under load it turns by at most torque/stiffness. It then slips without limit.
- Closing and opening are a first-order lag; pressure and travel of the actuator are not modelled.
- Under a torque that oscillates below the slipping torque, the shaft drifts a little in each cycle.
- The heat is not accounted for. The brake has no inertia: that belongs to the component at its port.
)",
  };

  Brake();

  void ParametersChanged() override {
    contact_ = {.limit = torque, .stiffness = stiffness, .damping = damping, .release_time = close_time};
  }

  void EvaluateEfforts(double /*t*/) override {
    torque_now = contact_.Force(engagement, z, DeflectionRate());
    port->c = torque_now;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    engagement.ddt = (1 - Limit(release, 0, 1) - engagement) / close_time;
    z.ddt = DeflectionRate();
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("spring", contact_.Energy(engagement, z));
    terms.Lost("friction", contact_.Loss(engagement, engagement.ddt, z, z.ddt, port->w));
  }

 private:
  double DeflectionRate() const { return contact_.DeflectionRate(engagement, port->w, z); }

  RotationalPort port{this, "port", Role::kC, "Braked shaft"};
  Parameter torque{this, "torque", "N.m", "Torque at which the closed brake slips", 500, kPositive};
  FaultMode slips{this, "slip", "torque", Multiple{0.2}, "Oil on the linings: a fifth of the torque"};
  FaultMode fails{this, "no_torque", "torque", Multiple{1e-3}, "The springs are broken: hardly any torque"};
  Parameter stiffness{this, "stiffness", "N.m/rad", "Stiffness of the closed brake below this torque",
                      Number{.value = 1e5, .range = kPositive}};
  Parameter damping{this, "damping", "N.m.s/rad", "Damping of the deflection", 10, kNonNegative};
  Parameter close_time{this, "close_time", "s", "Time constant of closing and opening", 0.1, kPositive};
  Input release{this, "release", "", "1 opens the brake, 0 lets its springs close it", 0};
  StateVariable engagement{this, "engagement", "", "1 closed, 0 open", 1};
  StateVariable z{this, "z", "rad", "Deflection, at the shaft", 0, 1e-3};
  Output torque_now{this, "braking_torque", "N.m", "Torque against the shaft", WrittenBy::kEfforts};

  FrictionContact contact_;
};

}  // namespace davit
