#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "framework/fault.h"
#include "framework/units/unit_system.h"

namespace davit {

/// A number as written with its unit, e.g. `250 bar`. A bare number is in SI.
struct Quantity {
  double si = 0;
  Dimension dimension;    ///< of the unit; for a bare number of the declared unit, if one is given
  bool has_unit = false;  ///< false for a bare number
};

/// A quantity, or why the text is none.
struct QuantityResult {
  std::optional<Quantity> value;
  Fault fault;  ///< empty exactly when there is a value
};

/// Reads `number unit`, independent of the locale. Spaces around are allowed and none is needed between:
/// `250bar`. Refused are unknown units, numbers that are not finite, and values that a double cannot hold in
/// SI. Faults read `unknown unit 'brar'; did you mean 'bar'?` or `'abc' is not a number; write for example
/// 250 bar`.
QuantityResult ParseQuantity(std::string_view text, const UnitSystem& units);

/// The same, and the dimension must be that of `declared_unit` ("" and "-" are dimensionless): `'270 cm3' is
/// m3, but m3/rad is needed; write for example 270 cm3/rev`.
QuantityResult ParseQuantity(std::string_view text, std::string_view declared_unit, const UnitSystem& units);

/// The SI unit of a dimension by the name engineers use: `Pa` rather than `kg/(m s2)`; empty for none.
std::string SiUnitOf(const Dimension& dimension, const UnitSystem& units);

/// The unit of the derivative of what has this SI unit: `m/s` of `m`, `m/s2` of `m/s`, `1/s` of a number.
std::string DerivativeUnit(std::string_view si_unit);

}  // namespace davit
