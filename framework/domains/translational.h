#pragma once

#include <limits>

#include "framework/port.h"

namespace davit {

/// A translational connection: F = c + Zc*v, F positive in compression, x and v positive into the C
/// component. The Q side owns x, v and `mass`; the C side sets c, Zc, `added_mass` and the travel limits.
struct TranslationalBond : Bond {
  double v = 0;           ///< velocity into the C component [m/s]
  double x = 0;           ///< displacement into the C component [m]
  double mass = 0;        ///< of the Q side [kg]
  double added_mass = 0;  ///< that the C side moves along [kg]
  double x_min = -std::numeric_limits<double>::infinity();
  double x_max = std::numeric_limits<double>::infinity();
  double restitution = 0;  ///< coefficient of restitution at the travel limits
  /// Start displacement [m] that the C side asks for; NaN when it does not.
  double x_start = std::numeric_limits<double>::quiet_NaN();
  const Component* x_start_owner = nullptr;
  double a = 0;  ///< acceleration into the C component [m/s2], where it is wanted and the Q side gives it
  bool wants_acceleration = false;   ///< set by the C side: it states an algebraic equation for it
  bool gives_acceleration = false;   ///< set by the Q side
  bool wants_located_stops = false;  ///< set by the C side: impacts on its limits are to be located inside
                                     ///< the step
  bool keeps_travel = false;         ///< set by the Q side: it executes the travel limits
  double F() const { return c + Zc * v; }
  static const Domain kDomain;
};

inline constexpr Domain TranslationalBond::kDomain{
    .name = "translational",
    .effort = {.name = "F", .unit = "N", .scale = 1e3},
    .variables = {{.name = "v",
                   .unit = "m/s",
                   .of = OfBond<&TranslationalBond::v>,
                   .known = DomainVariable::Known::kAtEffort},
                  {.name = "x",
                   .unit = "m",
                   .of = OfBond<&TranslationalBond::x>,
                   .known = DomainVariable::Known::kAtEffort},
                  {.name = "mass",
                   .unit = "kg",
                   .of = OfBond<&TranslationalBond::mass>,
                   .known = DomainVariable::Known::kAtStart,
                   .in_equations = DomainVariable::InEquations::kOptional,
                   .is_recorded = false},
                  {.name = "added_mass",
                   .unit = "kg",
                   .of = OfBond<&TranslationalBond::added_mass>,
                   .side = Role::kC,
                   .known = DomainVariable::Known::kAtStart,
                   .in_equations = DomainVariable::InEquations::kOptional,
                   .is_recorded = false},
                  {.name = "x_min",
                   .unit = "m",
                   .of = OfBond<&TranslationalBond::x_min>,
                   .side = Role::kC,
                   .in_equations = DomainVariable::InEquations::kHidden,
                   .is_recorded = false},
                  {.name = "x_max",
                   .unit = "m",
                   .of = OfBond<&TranslationalBond::x_max>,
                   .side = Role::kC,
                   .in_equations = DomainVariable::InEquations::kHidden,
                   .is_recorded = false},
                  {.name = "restitution",
                   .unit = "",
                   .of = OfBond<&TranslationalBond::restitution>,
                   .side = Role::kC,
                   .in_equations = DomainVariable::InEquations::kHidden,
                   .is_recorded = false},
                  {.name = "a",
                   .unit = "m/s2",
                   .of = OfBond<&TranslationalBond::a>,
                   .in_equations = DomainVariable::InEquations::kHidden,
                   .is_recorded = false}},
    .bond = BondType::Of<TranslationalBond>(),
    .impedance_unit = "N.s/m",
    .acceleration = "a",
    .color = "#2e7d32",
    .c_example = "mechanical.Spring",
    .q_example = "mechanical.Mass",
};

using TranslationalPort = Port<TranslationalBond>;
using TranslationalPortArray = PortArray<TranslationalBond>;

}  // namespace davit
