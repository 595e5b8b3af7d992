#include "results/table_units.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "framework/units/unit_system.h"
#include "results/display_unit.h"

namespace davit {
namespace {

double LargestAbsolute(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace

void ConvertToDisplayUnits(ResultTable& table) {
  const UnitSystem units;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string shown = FindDisplayUnit(table.units[i], LargestAbsolute(table.columns[i])).plain;
    if (shown == table.units[i]) continue;
    const std::optional<Unit> unit = units.Find(shown);
    if (!unit) continue;
    for (double& value : table.columns[i]) value = unit->FromSi(value);
    table.units[i] = shown;
  }
}

void ConvertToSi(ResultTable& table) {
  const UnitSystem units;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::optional<Unit> unit = units.Find(table.units[i]);
    if (!unit || (unit->scale == 1 && unit->offset == 0)) continue;
    for (double& value : table.columns[i]) value = unit->ToSi(value);
    table.units[i] = FindSiUnit(table.units[i], unit->dimension, units);
  }
}

}  // namespace davit
