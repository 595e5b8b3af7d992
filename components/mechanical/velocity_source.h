#pragma once

#include "components/mechanical/fixed_step_motion.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/energy_account.h"

namespace davit {

/// A point that moves with a given velocity, whatever the force.
class VelocitySource final : public DynamicSimComponent, public EnergyAccount {
 public:
  static constexpr ModelInfo kInfo{
      .name = "mechanical.VelocitySource",
      .text = "Point that moves with a given velocity",
      .equations = R"(
v = velocity,  x' = v
x and v are positive into the connected component: a positive velocity compresses a spring.
With fixed steps (TLM) x is integrated by the trapezoidal rule.
# Assumptions and limits
- The velocity is kept against any force: force and power are not limited.
- The point has no mass: a jump of the velocity makes the force of a damper and the flows of a cylinder jump.
)",
  };

  VelocitySource();

  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;
  void Reset() override;

  void EvaluateEfforts(double /*t*/) override { ShowMotion(x, velocity); }
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = velocity;
    force = port->F();
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double v = velocity;
    x.AdvanceTo(x + GetSimulatorTimestep() / 2 * (x.ddt + v), v);
    ShowMotion(x, v);
    force = port->F();
  }
  void AccountEnergy(EnergyTerms& terms) const override { terms.PortsAreBoundary("motion"); }

 private:
  void ShowMotion(double displacement, double v) {
    port->x = displacement;
    port->v = v;
  }

  TranslationalPort port{this, "port", Role::kQ, "Moved component"};
  Input velocity{this, "velocity", "m/s", "Velocity into the connected component"};
  StateVariable x{this, "x", "m", "Displacement into the connected component"};
  Output force{this, "force", "N", "Force on the point, positive in compression"};
};

}  // namespace davit
