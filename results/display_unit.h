#pragma once

#include <string>
#include <string_view>

#include "framework/units/unit_system.h"

namespace davit {

/// How a figure shows values of an SI unit: shown = factor * SI.
struct DisplayUnit {
  std::string quantity;  ///< `Pressure`; empty if the unit does not determine it
  std::string unit;      ///< typeset: `cm³`
  std::string plain;     ///< as UnitSystem reads it: `cm3`
  double factor = 1;

  std::string Label() const;  ///< `Pressure [bar]`, `[kg/s]`
};

/// The unit in which engineers read values of `si_unit` up to `largest` (the largest absolute SI value): bar
/// for Pa, l/min for m3/s, kN for forces of 10 kN and more, degrees for angles. Angular velocities are those
/// of shafts, in rpm, from one turn a second on, and of joints, in deg/s, below. Other units are shown as
/// they are, with raised exponents.
DisplayUnit FindDisplayUnit(std::string_view si_unit, double largest);

/// The SI unit of values in `unit`, which has this dimension: N.m for kN.m, Pa for psi.
std::string FindSiUnit(std::string_view unit, const Dimension& dimension, const UnitSystem& units);

}  // namespace davit
