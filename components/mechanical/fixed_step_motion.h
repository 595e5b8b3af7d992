#pragma once

#include "components/mechanical/dry_friction.h"
#include "simulator/state_variable.h"

namespace davit {

/// Displacement [m], velocity [m/s] and acceleration [m/s2] of a body; of a shaft in rad.
struct Motion {
  double x = 0;
  double v = 0;
  double a = 0;
};

/// What acts on a body at the end of a step: the net force there is load - resistance*v - dry friction.
struct BodyLoad {
  double load = 0;        ///< waves c of the neighbours and constant forces [N]
  double resistance = 0;  ///< impedances Zc of the neighbours and viscous friction [N s/m]
  double mass = 0;        ///< [kg]
};

/// One fixed step h of a rigid body by the trapezoidal rule, with F = c + Zc v at its ports solved along:
///
///   v1 = (m (v0 + h/2 a0) + h/2 load)/(m + h/2 resistance),   x1 = x0 + h/2 (v0 + v1)
///
/// with v1 computed as an increment of v0: a rounded denominator then acts like a little mass, not like
/// damping. Dry friction holds a body at rest until the load is above breakaway; it then slides against the
/// kinetic friction until its velocity would change sign, where it comes to rest. Both are resolved to one
/// step.
inline Motion AdvanceBody(const Motion& from, const BodyLoad& on, const DryFriction& friction, double h) {
  double load = on.load;
  double direction = 0;
  if (friction.is_present()) {
    if (friction.Sticks(from.v, load)) return {from.x, 0, 0};
    direction = DryFriction::Direction(from.v, load);
    load -= direction * friction.kinetic();
  }
  Motion to;
  to.v =
      from.v + h / 2 * (on.mass * from.a + load - on.resistance * from.v) / (on.mass + h / 2 * on.resistance);
  to.a = (load - on.resistance * to.v) / on.mass;
  if (to.v * direction < 0) to.v = to.a = 0;
  to.x = from.x + h / 2 * (from.v + to.v);
  return to;
}

}  // namespace davit
