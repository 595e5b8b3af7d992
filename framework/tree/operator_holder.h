#pragma once

#include <string_view>

#include "framework/diagnostics.h"
#include "framework/units/unit_system.h"

namespace davit {

/// The element `<Operators>`: a component, inside the one whose signal it is for, that contains operators. A
/// class that derives from Component derives from this too and has a type `HoldsOperators`.
class OperatorHolder {
 public:
  /// Finds the signal of the parent and gives the operators inside their units. Called once, after all
  /// operators are made and before their attributes are read. Faults go to `diagnostics`.
  virtual void Attach(const UnitSystem& units, Diagnostics& diagnostics) = 0;
  /// After Attach: whether the signal is the state of this name.
  virtual bool IsOfState(std::string_view name) const = 0;

 protected:
  OperatorHolder() = default;
  ~OperatorHolder() = default;
  OperatorHolder(const OperatorHolder&) = default;
  OperatorHolder& operator=(const OperatorHolder&) = default;
};

}  // namespace davit
