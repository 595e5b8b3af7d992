#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/registry.h"
#include "framework/units/unit_system.h"

namespace davit {

struct Domain;

/// An element inside a component's element, as the system file has it: `<State name="x" der="v"/>`.
/// Values have `${parameter}` replaced.
struct ItemElement {
  struct Attribute {
    std::string name;
    std::string value;
    SourceLocation location;
  };

  std::string kind;
  SourceLocation location;
  std::vector<Attribute> attributes;
  std::vector<ItemElement> inner;
  /// The text of the file that the attribute `src` names, relative to the system file; null without it, and
  /// where it could not be read, which was reported.
  std::shared_ptr<const std::string> file_text;

  /// Null where there is none of this name.
  const Attribute* Find(std::string_view name) const {
    for (const Attribute& attribute : attributes) {
      if (attribute.name == name) return &attribute;
    }
    return nullptr;
  }
};

/// A component whose items (parameters, states, outputs ...) are declared by elements inside its own element.
/// A class that derives from Component derives from this too.
class ItemTaker {
 public:
  /// The elements that declare items.
  virtual std::vector<std::string> ItemKinds() const = 0;
  /// Elements that make a component which can run, a line each, for the model reference.
  virtual std::string_view ExampleItems() const = 0;
  /// Declares what the elements say; the domains of `registry` may be used. Called once, where the element is
  /// read: before its attributes are set. Faults go to `diagnostics`; what is faulty is left out.
  virtual void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                         Diagnostics& diagnostics) = 0;
  /// Names of elements that TakeItems left out: what is named so, or so with _ behind it, is no fault of its
  /// own where it is not found. An empty name stands for any.
  virtual std::vector<std::string> refused_items() const { return {}; }
  /// What to do if someone writes an element that is none of ItemKinds; empty where there is no advice.
  virtual std::string RemedyForElement(std::string_view /*kind*/) const { return {}; }
  /// What to do if a port of this is connected to one of the domain `other`; empty where there is no advice.
  virtual std::string RemedyForDomain(const Domain& /*other*/) const { return {}; }
  /// What TakeItems was given.
  virtual const std::vector<ItemElement>& items() const = 0;

 protected:
  ItemTaker() = default;
  ~ItemTaker() = default;
  ItemTaker(const ItemTaker&) = default;
  ItemTaker& operator=(const ItemTaker&) = default;
};

/// Whether one of `refused` (ItemTaker::refused_items) may have declared the item.
bool IsOfRefusedItem(std::string_view item, const std::vector<std::string>& refused);

}  // namespace davit
