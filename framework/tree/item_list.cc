#include "framework/tree/item_list.h"

#include <algorithm>
#include <string>
#include <utility>

#include "framework/aspect.h"
#include "framework/port.h"

namespace davit {
namespace {

class Lister {
 public:
  Lister(Component& owner, const ItemName* only, std::size_t most_elements)
      : owner_(owner), only_(only), most_elements_(most_elements) {}

  std::vector<Item> List() {
    const Declarations& d = owner_.declarations();
    for (std::size_t i = 0; i < d.states.size(); ++i) AddState(i);
    Add(d.outputs, Item::OfOutput);
    for (std::size_t i = 0; i < d.inputs.size(); ++i) AddInput(i);
    if (owner_.level() && IsWanted("level")) all_.push_back(Item::OfLevel(owner_));
    if (!d.aspects.empty() && IsWanted("level_modified")) all_.push_back(Item::OfLevelModified(owner_));
    for (AspectBase* aspect : d.aspects) {
      if (IsWanted(aspect->label().name)) all_.push_back(Item::OfAspect(owner_, *aspect));
    }
    const std::size_t count = all_.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (all_[i].is_differential()) all_.push_back(Item::OfDerivative(all_[i]));
    }
    Add(d.parameters, Item::OfParameter);
    for (std::size_t i = 0; i < d.ports.size(); ++i) AddPort(i);
    for (PropertyBase* property : d.properties) {
      const bool is_aspect = std::ranges::find(d.aspects, property) != d.aspects.end();
      if (!is_aspect && IsWanted(property->label().name)) all_.push_back(Item::OfProperty(owner_, *property));
    }
    Add(d.starts, Item::OfStart);
    return std::move(all_);
  }

 private:
  /// Names such as `state.lifting` are distinguished by the caller.
  bool IsWanted(std::string_view name) const {
    if (only_ == nullptr || only_->name == name) return true;
    return name.starts_with(only_->name) && name.substr(only_->name.size()).starts_with('.');
  }

  /// The elements of an array of `count` that are wanted.
  std::pair<std::size_t, std::size_t> Elements(std::size_t count) const {
    if (only_ == nullptr || !only_->index) return {0, std::min(count, most_elements_)};
    const std::size_t index = std::min<std::size_t>(*only_->index, count);
    return {index, std::min(index + 1, count)};
  }

  void Add(const auto& declarations, Item (*make)(Component&, std::size_t)) {
    for (std::size_t i = 0; i < declarations.size(); ++i) {
      if (IsWanted(declarations[i].label.name)) all_.push_back(make(owner_, i));
    }
  }

  void AddState(std::size_t state) {
    const StateDeclaration& declaration = owner_.declarations().states[state];
    if (!declaration.is_active || !IsWanted(declaration.label.name)) return;
    const auto [begin, end] = Elements(declaration.count);
    for (std::size_t i = begin; i < end; ++i) all_.push_back(Item::OfState(owner_, state, i));
  }

  void AddInput(std::size_t input) {
    const InputDeclaration& declaration = owner_.declarations().inputs[input];
    if (!IsWanted(declaration.label.name)) return;
    if (!declaration.is_array) {
      all_.push_back(Item::OfInput(owner_, input));
      return;
    }
    const auto [begin, end] = Elements(declaration.sources->size());
    for (std::size_t i = begin; i < end; ++i) all_.push_back(Item::OfInputElement(owner_, input, i));
  }

  void AddPort(std::size_t number) {
    const PortDeclaration& port = owner_.declarations().ports[number];
    if (!IsWanted(port.label.name)) return;
    const auto [begin, end] = Elements(port.port->bond_count());
    for (std::size_t i = begin; i < end; ++i) {
      std::string name(port.label.name);
      if (port.is_array) name += '[' + std::to_string(i) + ']';
      AddBond(port.port->bond(i), *port.domain, number, name);
    }
  }

  void AddBond(Bond& bond, const Domain& domain, std::size_t port, const std::string& name) {
    const auto add = [&](const Item::PortVariable& variable) {
      all_.push_back(Item::OfPort(owner_, port, name, variable));
    };
    const DomainVariable* const least = domain.least_effort();
    Item::PortVariable effort{domain.effort.name, domain.effort.unit, &bond.c, &bond.Zc};
    effort.flow = &domain.flow().of(bond);
    if (least != nullptr) effort.least = &least->of(bond);
    add(effort);
    add({"c", domain.effort.unit, &bond.c});
    add({"Zc", domain.impedance_unit, &bond.Zc});
    for (const DomainVariable& variable : domain.variables) {
      if (variable.is_recorded) add({variable.name, variable.unit, &variable.of(bond)});
    }
  }

  Component& owner_;
  const ItemName* only_;
  std::size_t most_elements_;
  std::vector<Item> all_;
};

}  // namespace

std::vector<Item> ListItems(Component& owner, const ItemName* only, std::size_t most_elements) {
  return Lister(owner, only, most_elements).List();
}

}  // namespace davit
