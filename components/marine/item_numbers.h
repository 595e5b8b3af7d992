#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "framework/component.h"
#include "framework/range.h"
#include "framework/tree/item_element.h"

namespace davit {

/// A number that an element inside a component may have.
struct ItemNumber {
  std::string_view name;
  std::string_view unit;
  double* value;  ///< keeps what it holds if the attribute is missing and not required
  bool is_required = false;
  Range range = kAny;
};

/// Reads all attributes of the element in SI. Reports unknown and missing ones, and values outside of their
/// range; false if there was any.
bool ReadItemNumbers(const ItemElement& item, const std::vector<ItemNumber>& numbers,
                     const Component& component, const UnitSystem& units, Diagnostics& diagnostics);

}  // namespace davit
