#pragma once

#include <string>

#include "fmi/fmu_description.h"
#include "framework/units/unit_system.h"

namespace davit {

/// How a number of an FMU becomes one in SI: si = factor * value + offset.
struct FmuUnit {
  double factor = 1;
  double offset = 0;

  /// Whether numbers are in SI already.
  bool is_si() const { return factor == 1 && offset == 0; }
  double ToSi(double value) const { return is_si() ? value : factor * value + offset; }
  double FromSi(double si) const { return is_si() ? si : (si - offset) / factor; }
};

/// The SI unit of a variable by its name in davit, and the way there. Any unit (kAnyUnit) where the FMU does
/// not say what its number means: no unit, one without base units whose name is not that of an SI unit, one
/// with mol or cd.
struct FmuUnitName {
  std::string si;
  FmuUnit unit;
};
FmuUnitName FindFmuUnit(const FmuDescription& description, const DescribedVariable& variable,
                        const UnitSystem& units);

}  // namespace davit
