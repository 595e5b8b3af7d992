#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "framework/item.h"

namespace davit {

using DescribedValue = std::variant<bool, double, std::string, std::vector<std::string>>;

std::string_view ToText(ValueKind kind);

/// A field of the description of an item. Its name is a key in the JSON of server and studio and in Python's
/// dictionary, and a member of the type in TypeScript.
struct ItemField {
  std::string_view name;
  std::string_view text;  ///< what it is
  std::string_view type;  ///< in TypeScript
  bool is_optional = false;
  /// Nothing if the item has none; only of an optional one.
  std::optional<DescribedValue> (*get)(const Item& item);
};

std::span<const ItemField> ItemFields();

/// Calls `add(name, value)` for each field that the item has; the value is a bool, double, string or list of
/// strings. A double may be infinite: no limit.
template <class Add>
void DescribeItem(const Item& item, const Add& add) {
  for (const ItemField& field : ItemFields()) {
    if (const std::optional<DescribedValue> value = field.get(item))
      std::visit([&](const auto& one) { add(field.name, one); }, *value);
  }
}

/// The fields as an interface of TypeScript.
std::string ItemTypeScript();

}  // namespace davit
