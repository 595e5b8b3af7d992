#include "fmi/import/fmu_unit.h"

#include <limits>

#include "framework/declaration.h"
#include "framework/units/quantity.h"

namespace davit {

FmuUnitName FindFmuUnit(const FmuDescription& description, const DescribedVariable& variable,
                        const UnitSystem& units) {
  FmuUnitName any{std::string(std::string_view(kAnyUnit)), {}};
  const DescribedUnit* const unit = variable.unit.empty() ? nullptr : description.FindUnit(variable.unit);
  if (unit == nullptr) return any;
  if (!unit->has_base) {
    const std::optional<Unit> known = units.Find(unit->name);
    if (!known || known->scale != 1 || known->offset != 0) return any;
    return {SiUnitOf(known->dimension, units), {}};
  }
  const auto& [kg, m, s, ampere, kelvin, mol, cd, rad] = unit->exponents;
  if (mol != 0 || cd != 0) return any;
  Dimension dimension;
  const int exponents[] = {m, kg, s, ampere, kelvin, rad};
  for (std::size_t i = 0; i < 6; ++i) dimension.exponents[i] = static_cast<std::int8_t>(exponents[i]);
  return {SiUnitOf(dimension, units), {unit->factor, unit->offset}};
}

}  // namespace davit
