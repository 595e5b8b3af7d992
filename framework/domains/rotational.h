#pragma once

#include "framework/port.h"

namespace davit {

/// A rotational connection: T = c + Zc*w; signs as for translation. The Q side owns angle, w and `inertia`.
struct RotationalBond : Bond {
  double w = 0;              ///< angular velocity into the C component [rad/s]
  double angle = 0;          ///< angle into the C component [rad]
  double inertia = 0;        ///< of the Q side [kg m2]
  double added_inertia = 0;  ///< that the C side turns along [kg m2]
  double T() const { return c + Zc * w; }
  static const Domain kDomain;
};

inline constexpr Domain RotationalBond::kDomain{
    .name = "rotational",
    .effort = {.name = "T", .unit = "N.m", .scale = 1e2},
    .variables = {{.name = "w",
                   .unit = "rad/s",
                   .of = OfBond<&RotationalBond::w>,
                   .known = DomainVariable::Known::kAtEffort},
                  {.name = "angle",
                   .unit = "rad",
                   .of = OfBond<&RotationalBond::angle>,
                   .known = DomainVariable::Known::kAtEffort},
                  {.name = "inertia",
                   .unit = "kg.m2",
                   .of = OfBond<&RotationalBond::inertia>,
                   .known = DomainVariable::Known::kAtStart,
                   .in_equations = DomainVariable::InEquations::kOptional,
                   .is_recorded = false},
                  {.name = "added_inertia",
                   .unit = "kg.m2",
                   .of = OfBond<&RotationalBond::added_inertia>,
                   .side = Role::kC,
                   .known = DomainVariable::Known::kAtStart,
                   .in_equations = DomainVariable::InEquations::kOptional,
                   .is_recorded = false}},
    .bond = BondType::Of<RotationalBond>(),
    .impedance_unit = "N.m.s/rad",
    .color = "#c75b00",
    .c_example = "mechanical.ShaftC",
    .q_example = "mechanical.Inertia",
};

using RotationalPort = Port<RotationalBond>;
using RotationalPortArray = PortArray<RotationalBond>;

}  // namespace davit
