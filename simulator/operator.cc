#include "simulator/operator.h"

namespace davit {

void Operator::SetUnit(std::string_view item, std::string_view unit) {
  const auto set = [&](auto& list) {
    for (auto& declaration : list) {
      if (declaration.label.name == item && declaration.label.unit == kAnyUnit) declaration.label.unit = unit;
    }
  };
  Declarations& all = mutable_declarations();
  set(all.parameters);
  set(all.inputs);
  set(all.outputs);
}

void Operator::TakeUnits(std::string_view before, std::string_view after) {
  SetUnit("y", after);
  if (ChangesUnit()) return;
  for (const auto& parameter : declarations().parameters) SetUnit(parameter.label.name, before);
  for (const auto& input : declarations().inputs) SetUnit(input.label.name, before);
}

}  // namespace davit
