#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "framework/component.h"
#include "framework/parameter.h"
#include "framework/property.h"
#include "io/wire_value.h"
#include "session/tree_item.h"

namespace davit {

/// An element of an interface: one item, and how its value becomes a number for the partner. Elements of
/// protocols derive from it and add the place on the wire.
class Mapping : public Component {
 public:
  bool AcceptsChild(std::string_view /*model*/) const override { return false; }

  /// Looks up the item, below what contains the interface, and reads the texts that have its unit. Faults go
  /// to `diagnostics`; then there is no item. Once, when routes are known.
  void Bind(System& system, Diagnostics& diagnostics);
  /// What it names: the path of the item from below the root.
  std::string ItemPath() const;
  /// Whether the partner sets the item.
  virtual bool is_written() const = 0;
  /// Null where it is faulty.
  const TreeItem* item() const { return item_ ? &*item_ : nullptr; }

  // What follows has a meaning where there is an item.

  /// Of a mapping without bytes, only scale and offset count.
  const WireFormat& format() const { return format_; }
  /// Of the item when the partner is silent (SI); nothing: the last value stays.
  std::optional<double> safe() const { return safe_; }
  /// For so long a write may be missing [s]; infinite: as long as the partner is heard.
  double timeout() const { return timeout_; }

 protected:
  /// Type and order of the bytes.
  virtual WireFormat bytes() const { return {}; }

 private:
  /// Reads a number in the unit of the item.
  std::optional<double> ReadNumber(std::string_view name, const std::string& text, System& system,
                                   Diagnostics& diagnostics) const;
  void CheckAccess(System& system, Diagnostics& diagnostics);

  Property<std::string> path_{this, "item",
                              "The item: its path from the system or sub-system that contains the interface"};
  Property<std::string> scale_{
      this, "scale", "Value of the item for 1 on the wire, in its unit: value = scale * wire + offset", "1"};
  Property<std::string> offset_{this, "offset", "Value of the item for 0 on the wire, in its unit", "0"};
  Property<std::string> safe_text_{this, "safe",
                                   "Value of a written item while the partner is silent; none: it stays"};
  Parameter timeout_{
      this,
      "timeout",
      "s",
      "Longest real time between two writes of a written item; infinite: timeout of the interface alone",
      std::numeric_limits<double>::infinity(),
      kPositive,
      Tunability::kStructural};
  std::optional<TreeItem> item_;
  WireFormat format_;
  std::optional<double> safe_;
};

/// A mapping whose number is a few bytes.
class BinaryMapping : public Mapping {
 protected:
  WireFormat bytes() const override { return {.type = type_choice_, .order = order_}; }

 private:
  Property<WireType> type_choice_{this, "type", "How the number is written on the wire", WireType::kFloat32,
                                  kWireTypeNames};
  Property<WordOrder> order_{this, "order", "Order of its bytes; A is the most significant one",
                             WordOrder::kAbcd, kWordOrderNames};
};

}  // namespace davit
