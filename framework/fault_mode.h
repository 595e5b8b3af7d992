#pragma once

#include "framework/component.h"

namespace davit {

/// A value as a multiple of the one that the item has.
struct Multiple {
  double factor = 1;
};

/// A fault that a model can have: what stands for it is a value of one of the model's live items, which a
/// chart, an `<At>` or `davit faults` writes. Declared after the item, once; it has no memory and no cost.
///
///     Parameter internal_leak{this, "internal_leak", "m3/s/Pa", "Leakage past the worn piston seal", 0.0};
///     FaultMode worn_seal{this, "worn_seal", "internal_leak", 1e-11, "The piston seal leaks 6 l/min at 100
///     bar"};
class FaultMode {
 public:
  /// `value` in SI, or the position of an option.
  FaultMode(Component* owner, Text name, Text item, double value, Text text) {
    owner->mutable_declarations().fault_modes.push_back({{name, {}, text}, item, value, false});
  }
  FaultMode(Component* owner, Text name, Text item, Multiple value, Text text) {
    owner->mutable_declarations().fault_modes.push_back({{name, {}, text}, item, value.factor, true});
  }
  FaultMode(const FaultMode&) = delete;
  FaultMode& operator=(const FaultMode&) = delete;
};

}  // namespace davit
