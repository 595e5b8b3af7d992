#pragma once

#include "components/mechanical/dry_friction.h"
#include "components/mechanical/fixed_step_motion.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Rigid body that turns about an axis, with components on both sides.
class Inertia final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.Inertia",
      .text = "Rigid body turning about an axis",
      .equations = R"(
angle' = w,  J*w' = sum(T_a) - sum(T_b) - viscous_friction*w - T_dry
J = inertia + the inertias of connected components.
Components at a drive along +w, those at b along -w: the shaft runs from a to b.
## Dry friction
T_dry, with a solver (ODE, DAE): kinetic_friction*tanh(w/stick_velocity). The body creeps instead
of sticking, and static_friction has no effect.
T_dry, with fixed steps (TLM): the body sticks while |T_net| <= static_friction, T_net the net torque (kinetic_friction if
that is larger), else turns against kinetic_friction until w would change sign, where it stops.
Fixed steps, between TLM components, are taken by the trapezoidal rule with c + Zc*w solved along.
# Assumptions and limits
- A rigid body about one axis: no gyroscopic torque, no imbalance, no limit of the angle.
- The moment of inertia is constant during the motion.
- Friction does not depend on the load of the bearings.
)",
  };

  Inertia();

  void ParametersChanged() override;
  void Reset() override;

  void EvaluateEfforts(double /*t*/) override { ShowMotion(angle, w); }

  void EvaluateDiffEquations(double /*t*/) override {
    const BodyLoad on = Load();
    double T = on.load - on.resistance * w;
    if (friction_.is_present())
      T = has_fixed_steps_ ? friction_.NetForce(T, w) : friction_.SmoothNetForce(T, w);
    torque = T;
    acceleration = T / on.mass;
    angle.ddt = w;
    w.ddt = acceleration;
  }

  void SimulateOneTimestep(double /*t*/) override {
    const BodyLoad on = Load();
    const Motion motion = AdvanceBody({angle, w, w.ddt}, on, friction_, GetSimulatorTimestep());
    torque = on.mass * motion.a;
    acceleration = motion.a;
    angle.AdvanceTo(motion.x, motion.v);
    w.AdvanceTo(motion.v, motion.a);
    ShowMotion(motion.x, motion.v);
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("kinetic", Load().mass * w * w / 2);
    const double dry = has_fixed_steps_ ? friction_.kinetic() * std::abs(w) : friction_.SmoothForce(w) * w;
    terms.Lost("friction", viscous_friction * w * w + dry);
  }

 private:
  BodyLoad Load() const {
    BodyLoad on{0, viscous_friction, inertia};
    for (std::size_t i = 0; i < a.size(); ++i) {
      on.load += a[i].c;
      on.resistance += a[i].Zc;
      on.mass += a[i].added_inertia;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      on.load -= b[i].c;
      on.resistance += b[i].Zc;
      on.mass += b[i].added_inertia;
    }
    return on;
  }
  void ShowMotion(double turned, double speed) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      a[i].angle = -turned;
      a[i].w = -speed;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
      b[i].angle = turned;
      b[i].w = speed;
    }
  }

  RotationalPortArray a{this, "a", Role::kQ, "Driving component, along +w", Connecting::kOptional};
  RotationalPortArray b{this, "b", Role::kQ, "Driven component: its torque acts along -w",
                        Connecting::kOptional};
  Parameter inertia{this, "inertia", "kg.m2", "Moment of inertia", 1.0, kPositive};
  Parameter viscous_friction{this, "viscous_friction", "N.m.s/rad",
                             "Viscous friction against the surroundings",
                             Number{.value = 0.0, .range = kNonNegative}};
  Parameter static_friction{this, "static_friction", "N.m", "Breakaway torque of a body at rest",
                            Number{.value = 0.0, .range = kNonNegative}};
  Parameter kinetic_friction{this, "kinetic_friction", "N.m", "Dry friction of the turning body",
                             Number{.value = 0.0, .range = kNonNegative}};
  Parameter stick_velocity{this, "stick_velocity", "rad/s",
                           "Speed below which dry friction fades, except with fixed steps",
                           Number{.value = 1e-2, .range = kPositive}};
  StateVariable angle{this, "angle", "rad", "Angle"};
  StateVariable w{this, "w", "rad/s", "Angular velocity"};
  Output acceleration{this, "acceleration", "rad/s2", "Angular acceleration"};
  Output torque{this, "torque", "N.m", "Net torque along w"};

  DryFriction friction_;
  bool has_fixed_steps_ = false;
};

}  // namespace davit
