#pragma once

#include <array>

#include "components/mechanism/dynamics/tree_dynamics.h"
#include "framework/signal.h"

namespace davit {

/// The motion of the base of a mechanism in six degrees of freedom, as inputs: each with its rate and its
/// acceleration, which must match it.
///
/// The base is turned by roll about x, then pitch about y, then yaw about z, all of the world: R = Rz*Ry*Rx.
class BaseInputs {
 public:
  explicit BaseInputs(Component* owner);

  /// Whether any of them is not 0.
  bool IsAnySet() const;
  /// With the given gravity [m/s2] along -z of the world.
  multibody::MovingBase Motion(double gravity) const;

 private:
  struct Degree {
    Degree(Component* owner, Text name, Text unit, Text rate, Text rate_unit, Text acceleration,
           Text acceleration_unit, Text text);

    Input value, rate, acceleration;
  };
  std::array<Degree, 6> degrees_;  ///< surge, sway, heave, roll, pitch, yaw
};

}  // namespace davit
