#include "simulator/state_variable.h"

#include <fmt/format.h>

#include <stdexcept>

#include "simulator/dynamic_sim_component.h"

namespace davit {

StateVariable::StateVariable(DynamicSimComponent* owner, Text name, Text unit, Text text, double start,
                             double nominal, OptionCondition when)
    : slot_(owner->AddLocalState(start)) {
  StateDeclaration declaration;
  declaration.label = {name, unit, text};
  declaration.nominal = nominal;
  declaration.when = when;
  declaration.start = {start};
  declaration.home = {slot_};
  declaration.slots = &slot_;
  declaration.id = &slot_;
  declaration.variable = this;
  owner->mutable_declarations().states.push_back(std::move(declaration));
}

AlgebraicVariable::AlgebraicVariable(DynamicSimComponent* owner, Text name, Text unit, Text text,
                                     double start, double nominal)
    : slot_(owner->AddLocalState(start)) {
  StateDeclaration declaration;
  declaration.label = {name, unit, text};
  declaration.nominal = nominal;
  declaration.is_algebraic = true;
  declaration.start = {start};
  declaration.home = {slot_};
  declaration.slots = &slot_;
  declaration.id = &slot_;
  owner->mutable_declarations().states.push_back(std::move(declaration));
}

AlgebraicVariableArray::AlgebraicVariableArray(DynamicSimComponent* owner, Text name, Text unit, Text text,
                                               std::uint32_t size, double start, double nominal)
    : states_(owner, name, unit, text, size, start, nominal) {
  owner->mutable_declarations().states.back().is_algebraic = true;
}

StateVariableArray::StateVariableArray(DynamicSimComponent* owner, Text name, Text unit, Text text,
                                       std::uint32_t size, double start, double nominal, OptionCondition when)
    : owner_(owner), declaration_(owner->declarations().states.size()), start_(start) {
  StateDeclaration declaration;
  declaration.label = {name, unit, text};
  declaration.nominal = nominal;
  declaration.when = when;
  declaration.is_array = true;
  declaration.id = this;
  owner->mutable_declarations().states.push_back(std::move(declaration));
  SetSize(size);
  owner->mutable_declarations().states.back().is_sized = size > 0;
}

void StateVariableArray::ThrowOutOfRange(std::size_t i) const {
  throw std::out_of_range(
      fmt::format("{}[{}] does not exist, there are {}; give the size with SetSize in Configure",
                  owner_->declarations().states[declaration_].label.name, i, size()));
}

void StateVariableArray::SetSize(std::uint32_t size) {
  StateDeclaration& declaration = owner_->mutable_declarations().states[declaration_];
  if (size > kMostElements)
    throw std::logic_error(
        fmt::format("SetSize({}) of {}: at most {}", size, declaration.label.name, kMostElements));
  const bool is_placed = !slots_.empty() && declaration.home[0].memory != slots_[0].memory;
  if (is_placed) throw std::logic_error(fmt::format("SetSize of {} after Configure", declaration.label.name));
  while (slots_.size() < size) slots_.push_back(owner_->AddLocalState(start_));
  slots_.resize(size);
  declaration.home = slots_;
  declaration.start.resize(size, start_);
  declaration.slots = slots_.data();
  declaration.count = size;
  declaration.is_sized = true;
}

}  // namespace davit
