#pragma once

#include "components/mechanical/friction_contact.h"
#include "components/signal/limit.h"
#include "framework/fault_mode.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Friction clutch between two shafts, closed by a signal.
class Clutch final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Clutch",
      .text = "Friction clutch between two shafts",
      .equations = R"(
engage_time*engagement' = engage - engagement,  engage limited to 0 .. 1
z' = e*(w - |w|*z/z_max) - (1 - e)*z/engage_time,  T = e*(s0*z + s1*z'),  e = engagement
s0 = stiffness,  z_max = torque/stiffness,  s1 = damping
w = w_a + w_b is the slip: both speeds are positive into the clutch. T acts against both, so that the shaft that
drives at a with its side b takes along the one that is connected at b with its side a.
z is the deflection of the linings [Dahl 1968]: closed, the clutch holds like a spring up to its torque;
slipping, it transmits torque*e. The linings take up the heat T*w.
# Assumptions and limits
- The torque does not depend on speed, temperature or wear, and static and sliding friction are equal.
- A closed clutch is elastic: it twists by at most torque/stiffness before it slips.
- Closing and opening are a first-order lag; pressure and travel of the actuator are not modelled.
- An open clutch drags nothing. The clutch has no inertia: halves belong to the components at their sides.
)",
  };

  Clutch();

  void ParametersChanged() override {
    contact_ = {.limit = torque, .stiffness = stiffness, .damping = damping, .release_time = engage_time};
  }

  void EvaluateEfforts(double /*t*/) override {
    transmitted = contact_.Force(engagement, z, DeflectionRate());
    a->c = transmitted;
    b->c = transmitted;
  }
  void EvaluateDiffEquations(double /*t*/) override {
    engagement.ddt = (Limit(engage, 0, 1) - engagement) / engage_time;
    z.ddt = DeflectionRate();
    slip = a->w + b->w;
    heat = transmitted * slip;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("linings", contact_.Energy(engagement, z));
    terms.Lost("friction", contact_.Loss(engagement, engagement.ddt, z, z.ddt, slip));
  }

 private:
  double DeflectionRate() const { return contact_.DeflectionRate(engagement, a->w + b->w, z); }

  RotationalPort a{this, "a", Role::kC, "One shaft"};
  RotationalPort b{this, "b", Role::kC, "Other shaft"};
  Parameter torque{this, "torque", "N.m", "Torque at which the closed clutch slips", 500, kPositive};
  FaultMode slips{this, "slip", "torque", Multiple{0.2}, "Worn linings: a fifth of the torque"};
  Parameter stiffness{this, "stiffness", "N.m/rad", "Stiffness of the closed clutch below this torque",
                      Number{.value = 1e5, .range = kPositive}};
  Parameter damping{this, "damping", "N.m.s/rad", "Damping of the deflection", 10, kNonNegative};
  Parameter engage_time{this, "engage_time", "s", "Time constant of closing and opening", 0.1, kPositive};
  Input engage{this, "engage", "", "1 closes the clutch, 0 opens it", 1};
  StateVariable engagement{this, "engagement", "", "1 closed, 0 open", 0};
  StateVariable z{this, "z", "rad", "Deflection of the linings", 0, 1e-3};
  Output transmitted{this, "transmitted_torque", "N.m", "Torque between the shafts", WrittenBy::kEfforts};
  Output slip{this, "slip_speed", "rad/s", "Speed of one shaft relative to the other"};
  Output heat{this, "heat", "W", "Power into the linings and their elasticity"};

  FrictionContact contact_;
};

}  // namespace davit
