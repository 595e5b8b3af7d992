#include "framework/xml/value_units.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "framework/nearest_name.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

std::string ShownUnit(const Dimension& dimension, const System& system) {
  const std::string unit = SiUnitOf(dimension, system.units());
  return unit.empty() ? "dimensionless" : unit;
}

}  // namespace

bool MayTellUnit(const Item& item) {
  return item.owner().entry().values_share_unit && item.parameter() != nullptr && item.unit() == kAnyUnit;
}

void TellUnit(const std::vector<GivenValue>& values, Component& component, const System& system,
              ElementReader& reader) {
  const GivenValue* first = nullptr;
  Dimension dimension;
  for (const GivenValue& value : values) {
    const std::optional<Quantity> quantity = ParseQuantity(value.text, system.units()).value;
    if (!quantity || !quantity->has_unit) continue;
    if (first == nullptr) {
      first = &value;
      dimension = quantity->dimension;
    } else if (quantity->dimension != dimension) {
      reader.ErrorAt(
          value.location, component,
          fmt::format("{}: {} is {}, but {} = {} is {}; write all values of one source in units of "
                      "one dimension",
                      value.item.name(), Quoted(value.text), ShownUnit(quantity->dimension, system),
                      first->item.name(), Quoted(first->text), ShownUnit(dimension, system)));
      return;
    }
  }
  if (first != nullptr) component.TakeUnitOfValues(SiUnitOf(dimension, system.units()));
}

}  // namespace davit
