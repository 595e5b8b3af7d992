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
      void* bond = port.port->bond(i);
      switch (port.domain) {
        case Domain::kHydraulic: AddBond(*static_cast<HydraulicBond*>(bond), number, name); break;
        case Domain::kTranslational: AddBond(*static_cast<TranslationalBond*>(bond), number, name); break;
        case Domain::kRotational: AddBond(*static_cast<RotationalBond*>(bond), number, name); break;
      }
    }
  }

  template <class Bond>
  void AddBond(Bond& bond, std::size_t port, const std::string& name) {
    Item::PortVariable effort{Bond::kEffortName, Bond::kEffortUnit, &bond.c, &bond.Zc,
                              &(bond.*Bond::Flow().member)};
    if constexpr (Bond::kDomain == Domain::kHydraulic) effort.least = &bond.p_min;
    all_.push_back(Item::OfPort(owner_, port, name, effort));
    for (const auto& field : Bond::Fields()) {
      all_.push_back(Item::OfPort(owner_, port, name, {field.name, field.unit, &(bond.*field.member)}));
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
