#pragma once

#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// Mass on a damped spring:  x' = v,   m v' = F - c v - k x.
class MassSpringDamper final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.MassSpringDamper",
      .text = "Mass on a linear spring and a viscous damper",
      .equations = R"(
x' = v,  m*v' = F - c*v - k*x
x is counted from where the spring is relaxed; F is positive along x.
# Assumptions and limits
- Linear at every deflection: no stop, no dry friction, no limit of the spring.
- Spring and damper have no mass and are fixed to the surroundings.
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = v;
    v.ddt = (F - c * v - k * x) / m;
  }
  void AccountEnergy(EnergyTerms& terms) const override {
    terms.Stored("kinetic", m * v * v / 2);
    terms.Stored("spring", k * x * x / 2);
    terms.In("force", F * v);
    terms.Lost("damping", c * v * v);
  }

 private:
  Parameter m{this, "mass", "kg", "Moving mass", 1.0, kPositive};
  Parameter k{this, "stiffness", "N/m", "Spring rate", 100.0, kNonNegative};
  Parameter c{this, "damping", "N.s/m", "Viscous damping", 0.0, kNonNegative};
  Input F{this, "force", "N", "External force, positive along x"};
  StateVariable x{this, "x", "m", "Displacement from rest"};
  StateVariable v{this, "v", "m/s", "Velocity"};
};

}  // namespace davit
