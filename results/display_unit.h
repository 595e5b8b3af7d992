#pragma once

#include <string>
#include <string_view>

namespace davit {

/// How a figure shows values of an SI unit: shown = factor * SI.
struct DisplayUnit {
  std::string quantity;  ///< `Pressure`; empty if the unit does not determine it
  std::string unit;      ///< `bar`
  double factor = 1;

  std::string Label() const;  ///< `Pressure [bar]`, `[kg/s]`
};

/// The unit in which engineers read values of `si_unit` up to `largest` (the largest absolute SI value): bar
/// for Pa, l/min for m3/s, kN for forces of 10 kN and more. Other units are shown as they are, with raised
/// exponents.
DisplayUnit FindDisplayUnit(std::string_view si_unit, double largest);

}  // namespace davit
