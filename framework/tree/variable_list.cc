#include "framework/tree/variable_list.h"

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
      : owner_(owner), only_(only), most_elements_(most_elements), prefix_(owner.path()) {
    if (!prefix_.empty()) prefix_ += '.';
  }

  std::vector<Variable> List() {
    const Declarations& d = owner_.declarations();
    for (const StateDeclaration& state : d.states) AddState(state);
    for (const OutputDeclaration& output : d.outputs) {
      if (!IsWanted(output.label)) continue;
      Add(Variable::Kind::kOutput, output.label, output.is_primary).value = output.value;
    }
    for (const InputDeclaration& input : d.inputs) AddInput(input);
    static constexpr Label kLevel{"level", "", ""};
    if (owner_.level() && IsWanted(kLevel))
      Add(Variable::Kind::kLevel, kLevel, true).value = owner_.level_value();
    static constexpr Label kLevelModified{"level_modified", "", ""};
    if (!d.aspects.empty() && IsWanted(kLevelModified)) {
      Add(Variable::Kind::kLevel, kLevelModified, false).value = owner_.level_modified_value();
    }
    for (const AspectBase* aspect : d.aspects) {
      if (IsWanted(aspect->label())) {
        Add(Variable::Kind::kLevel, aspect->label(), false).value = aspect->value();
      }
    }
    const std::size_t primary_count = all_.size();
    for (std::size_t i = 0; i < primary_count; ++i) {
      if (all_[i].kind != Variable::Kind::kState || !all_[i].has_derivative) continue;
      Variable variable = all_[i];
      variable.kind = Variable::Kind::kStateDdt;
      variable.path += ".ddt";
      variable.unit = {};  // the state's unit per second
      variable.is_primary = false;
      all_.push_back(std::move(variable));
    }
    for (const ParameterDeclaration& parameter : d.parameters) {
      if (IsWanted(parameter.label)) {
        Add(Variable::Kind::kParameter, parameter.label, false).value = parameter.value;
      }
    }
    for (const PortDeclaration& port : d.ports) AddPort(port);
    return std::move(all_);
  }

 private:
  /// Names such as `state.lifting` are told apart by whoever asked.
  bool IsWanted(const Label& label) const {
    if (only_ == nullptr || only_->name == label.name) return true;
    return label.name.starts_with(only_->name) && label.name.substr(only_->name.size()).starts_with('.');
  }

  /// The elements of an array of `count` that are wanted.
  std::pair<std::size_t, std::size_t> Elements(std::size_t count) const {
    if (only_ == nullptr || !only_->index) return {0, std::min(count, most_elements_)};
    const std::size_t index = std::min<std::size_t>(*only_->index, count);
    return {index, std::min(index + 1, count)};
  }

  Variable& Add(Variable::Kind kind, const Label& label, bool is_primary) {
    Variable& variable = all_.emplace_back();
    variable.kind = kind;
    variable.owner = &owner_;
    variable.path.append(prefix_).append(label.name);
    variable.unit = label.unit;
    variable.is_primary = is_primary;
    return variable;
  }

  static std::string Index(std::size_t i) { return '[' + std::to_string(i) + ']'; }

  void AddState(const StateDeclaration& state) {
    if (!state.is_active || !IsWanted(state.label)) return;
    const auto [begin, end] = Elements(state.count);
    for (std::size_t i = begin; i < end; ++i) {
      Variable& variable = Add(Variable::Kind::kState, state.label, true);
      variable.has_derivative = !state.is_algebraic;
      if (state.is_array) variable.path += Index(i);
      variable.slot = &state.slots[i];
    }
  }

  void AddInput(const InputDeclaration& input) {
    if (!IsWanted(input.label)) return;
    if (!input.is_array) {
      Add(Variable::Kind::kInput, input.label, true).source = input.source;
      return;
    }
    const auto [begin, end] = Elements(input.sources->size());
    for (std::size_t i = begin; i < end; ++i) {
      Variable& variable = Add(Variable::Kind::kInputElement, input.label, true);
      variable.path += Index(i);
      variable.sources = input.sources;
      variable.element = static_cast<std::uint32_t>(i);
    }
  }

  void AddPort(const PortDeclaration& port) {
    if (!IsWanted(port.label)) return;
    const auto [begin, end] = Elements(port.port->bond_count());
    for (std::size_t i = begin; i < end; ++i) {
      std::string path = prefix_ + std::string(port.label.name);
      if (port.is_array) path += Index(i);
      void* bond = port.port->bond(i);
      switch (port.domain) {
        case Domain::kHydraulic: AddBond(*static_cast<HydraulicBond*>(bond), path); break;
        case Domain::kTranslational: AddBond(*static_cast<TranslationalBond*>(bond), path); break;
        case Domain::kRotational: AddBond(*static_cast<RotationalBond*>(bond), path); break;
      }
    }
  }

  template <class Bond>
  void AddBond(Bond& bond, const std::string& path) {
    const auto add = [&](Variable::Kind kind, std::string_view name, std::string_view unit) -> Variable& {
      Variable& variable = all_.emplace_back();
      variable.kind = kind;
      variable.owner = &owner_;
      variable.path.append(path).append(1, '.').append(name);
      variable.unit = unit;
      variable.is_primary = false;
      return variable;
    };
    Variable& effort = add(Variable::Kind::kBondEffort, Bond::kEffortName, Bond::kEffortUnit);
    effort.value = &bond.c;
    effort.impedance = &bond.Zc;
    effort.flow = &(bond.*Bond::Flow().member);
    if constexpr (Bond::kDomain == Domain::kHydraulic) effort.least = &bond.p_min;
    for (const auto& field : Bond::Fields()) {
      add(Variable::Kind::kBondField, field.name, field.unit).value = &(bond.*field.member);
    }
  }

  Component& owner_;
  const ItemName* only_;
  std::size_t most_elements_;
  std::string prefix_;
  std::vector<Variable> all_;
};

}  // namespace

std::vector<Variable> ListVariables(Component& owner, const ItemName* only, std::size_t most_elements) {
  return Lister(owner, only, most_elements).List();
}

}  // namespace davit
