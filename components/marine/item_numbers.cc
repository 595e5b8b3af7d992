#include "components/marine/item_numbers.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/nearest_name.h"
#include "framework/units/quantity.h"

namespace davit {

bool ReadItemNumbers(const ItemElement& item, const std::vector<ItemNumber>& numbers,
                     const Component& component, const UnitSystem& units, Diagnostics& diagnostics) {
  bool is_good = true;
  const auto report = [&](const SourceLocation& location, std::string_view text) {
    diagnostics.Error(location, component.DisplayPath(), text);
    is_good = false;
  };
  std::vector<std::string> names;
  names.reserve(numbers.size());
  for (const ItemNumber& number : numbers) names.emplace_back(number.name);
  for (const ItemElement::Attribute& attribute : item.attributes) {
    const auto at = std::ranges::find(numbers, attribute.name, &ItemNumber::name);
    if (at == numbers.end()) {
      report(attribute.location, fmt::format("no attribute {} in {}; {}", Quoted(attribute.name), item.kind,
                                             SuggestName("it has", attribute.name, names)));
      continue;
    }
    const QuantityResult result = ParseQuantity(attribute.value, at->unit, units);
    if (!result.value) {
      report(attribute.location, fmt::format("{}: {}", attribute.name, result.fault.ToText()));
    } else if (!at->range.Contains(result.value->si)) {
      report(attribute.location, fmt::format("{}: {} is out of range; it must be {}", attribute.name,
                                             attribute.value, ToText(at->range, at->unit)));
    } else {
      *at->value = result.value->si;
    }
  }
  for (const ItemNumber& number : numbers) {
    if (!number.is_required || item.Find(number.name) != nullptr) continue;
    report(item.location,
           fmt::format("{} needs the attribute '{}'; write {}=\"...\"", item.kind, number.name, number.name));
  }
  return is_good;
}

}  // namespace davit
