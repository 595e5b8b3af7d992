#include "tests/support/component_harness.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace davit {
namespace {

/// The declaration called `name`, or null.
template <class Declared>
auto FindNamed(Declared& declarations, std::string_view name) -> decltype(declarations.data()) {
  const auto it = std::find_if(declarations.begin(), declarations.end(),
                               [&](const auto& declaration) { return declaration.label.name == name; });
  return it == declarations.end() ? nullptr : &*it;
}

[[noreturn]] void ThrowNoSuch(std::string_view what, const Component& component, std::string_view name) {
  throw std::out_of_range(component.DisplayPath() + " has no " + std::string(what) + " " + std::string(name));
}

std::vector<StateSlot> ActiveSlots(const std::vector<std::unique_ptr<DynamicSimComponent>>& components) {
  std::vector<StateSlot> slots;
  for (const auto& component : components) {
    for (const StateDeclaration& state : component->declarations().states) {
      if (state.is_in_use()) slots.insert(slots.end(), state.slots, state.slots + state.count);
    }
  }
  return slots;
}

double& Value(const StateSlot& slot) { return slot.memory->y[slot.offset]; }

}  // namespace

Bond& ComponentHarness::MakeBond(const Domain& domain) {
  std::unique_ptr<BondPool>& pool = bonds_[domain.name];
  if (pool == nullptr) pool = domain.bond.make_pool();
  return pool->Add();
}

void ComponentHarness::Adopt(std::unique_ptr<DynamicSimComponent> component, const ModelEntry& entry,
                             std::string name) {
  component->set_entry(entry);
  component->Place(std::move(name), &root_, {});
  components_.push_back(std::move(component));
}

void ComponentHarness::Set(Component& component, std::string_view name, double value) {
  Declarations& all = component.mutable_declarations();
  if (auto* const parameter = FindNamed(all.parameters, name)) {
    *parameter->value = value;
  } else if (auto* const input = FindNamed(all.inputs, name)) {
    *input->own_value = value;
  } else {
    ThrowNoSuch("parameter or input", component, name);
  }
}

void ComponentHarness::Set(Component& component, std::string_view name, std::string_view text) {
  for (PropertyBase* const property : component.declarations().properties) {
    if (property->label().name != name) continue;
    if (const Fault fault = property->CheckText(text, units_)) throw std::out_of_range(fault.ToText());
    return property->SetFromText(text, units_);
  }
  ThrowNoSuch("property", component, name);
}

void ComponentHarness::SetStart(Component& component, std::string_view name, double value) {
  Declarations& all = component.mutable_declarations();
  if (auto* const start = FindNamed(all.starts, name)) {
    *start->value = value;
    *start->is_given = true;
  } else if (auto* const state = FindNamed(all.states, name)) {
    state->start.at(0) = value;
    state->is_start_given = true;
  } else {
    ThrowNoSuch("start value or state", component, name);
  }
}

const PortDeclaration& ComponentHarness::FindPort(const Component& component, std::string_view name) {
  const auto* const port = FindNamed(component.declarations().ports, name);
  if (port == nullptr) ThrowNoSuch("port", component, name);
  return *port;
}

void ComponentHarness::Connect(Component& first, std::string_view first_port, Component& second,
                               std::string_view second_port) {
  const PortDeclaration& one = FindPort(first, first_port);
  const PortDeclaration& other = FindPort(second, second_port);
  if (!(*one.domain == *other.domain) || one.role == other.role) {
    throw std::logic_error(std::string(first_port) + " and " + std::string(second_port) +
                           " do not fit together");
  }
  Bond& bond = MakeBond(*one.domain);
  one.port->Attach(bond);
  other.port->Attach(bond);
}

void ComponentHarness::Route(const Component& from, std::string_view output, const Component& to,
                             std::string_view input) {
  const auto* const source = FindNamed(from.declarations().outputs, output);
  if (source == nullptr) ThrowNoSuch("output", from, output);
  const auto* const target = FindNamed(to.declarations().inputs, input);
  if (target == nullptr) ThrowNoSuch("input", to, input);
  *target->source = source->value;
}

Diagnostics ComponentHarness::Start() {
  Diagnostics diagnostics;
  for (const auto& component : components_) component->Configure(diagnostics);
  for (const auto& component : components_) component->ParametersChanged();
  for (const auto& component : components_) component->CheckConnections(diagnostics);
  for (const auto& component : components_) component->Reset();
  Evaluate();
  return diagnostics;
}

void ComponentHarness::Evaluate(double t) {
  for (const auto& component : components_) component->EvaluateEfforts(t);
  for (auto it = components_.rbegin(); it != components_.rend(); ++it) (*it)->EvaluateDiffEquations(t);
}

void ComponentHarness::Integrate(double t, double h, std::size_t steps) {
  struct Stage {
    double time;    // share of h
    double weight;  // in the mean slope
  };
  constexpr Stage kStages[] = {{0, 1. / 6}, {0.5, 1. / 3}, {0.5, 1. / 3}, {1, 1. / 6}};
  const std::vector<StateSlot> slots = ActiveSlots(components_);
  std::vector<double> y(slots.size());
  std::vector<double> slope(slots.size());
  for (const auto& component : components_) component->set_simulator_time_step(h);

  for (std::size_t n = 0; n < steps; ++n) {
    const double t_n = t + static_cast<double>(n) * h;
    for (const auto& component : components_) component->PreIntegrate();
    for (std::size_t i = 0; i < slots.size(); ++i) y[i] = Value(slots[i]);
    std::fill(slope.begin(), slope.end(), 0.0);
    for (const Stage& stage : kStages) {
      for (std::size_t i = 0; i < slots.size() && stage.time > 0; ++i) {
        const double ddt = slots[i].memory->ddt[slots[i].offset];
        Value(slots[i]) = y[i] + stage.time * h * ddt;
      }
      Evaluate(t_n + stage.time * h);
      for (std::size_t i = 0; i < slots.size(); ++i) {
        slope[i] += stage.weight * slots[i].memory->ddt[slots[i].offset];
      }
    }
    for (std::size_t i = 0; i < slots.size(); ++i) Value(slots[i]) = y[i] + h * slope[i];
    Evaluate(t_n + h);
    for (const auto& component : components_) component->PostIntegrate();
  }
  Evaluate(t + static_cast<double>(steps) * h);
}

double ComponentHarness::Read(const Component& component, std::string_view name) const {
  const Declarations& all = component.declarations();
  if (const auto* const output = FindNamed(all.outputs, name)) return *output->value;
  if (const auto* const state = FindNamed(all.states, name)) return Value(*state->slots);
  constexpr std::string_view kDdt = ".ddt";
  if (name.ends_with(kDdt)) {
    const auto* const state = FindNamed(all.states, name.substr(0, name.size() - kDdt.size()));
    if (state != nullptr) return state->slots->memory->ddt[state->slots->offset];
  }
  ThrowNoSuch("output or state", component, name);
}

}  // namespace davit
