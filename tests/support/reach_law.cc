#include "tests/support/reach_law.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "simulator/passes/component_pattern.h"

namespace davit {
namespace {

/// The states that the structure of a component has, in the order of a ComponentPattern.
struct ReachSlot {
  StateSlot slot;
  std::string name;
  double nominal;
};

std::vector<ReachSlot> ReachSlots(const Component& component) {
  std::vector<ReachSlot> slots;
  for (const StateDeclaration& state : component.declarations().states) {
    for (std::uint32_t i = 0; state.is_active && i < state.count; ++i) {
      std::string name(state.label.name);
      if (state.is_array) name += '[' + std::to_string(i) + ']';
      slots.push_back({state.slots[i], std::move(name), state.nominal});
    }
  }
  return slots;
}

class ReachSearch {
 public:
  ReachSearch(ComponentHarness& harness, const Component& component)
      : harness_(harness), slots_(ReachSlots(component)), before_(Derivatives()) {}

  /// Changes a value, and notes the states whose derivatives change then, but for `declared`.
  void Change(double& value, double size, const std::string& name, std::span<const std::uint32_t> declared) {
    const double kept = value;
    value += 1e-3 * std::max(size, std::abs(kept));
    const std::vector<double> after = Derivatives();
    value = kept;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
      if (after[i] != before_[i] && !std::ranges::binary_search(declared, i)) {
        faults.push_back(slots_[i].name + " reads " + name);
      }
    }
  }
  const std::vector<ReachSlot>& slots() const { return slots_; }

  std::vector<std::string> faults;

 private:
  std::vector<double> Derivatives() {
    harness_.Evaluate();
    std::vector<double> values;
    values.reserve(slots_.size());
    for (const ReachSlot& at : slots_) values.push_back(at.slot.memory->ddt[at.slot.offset]);
    return values;
  }

  ComponentHarness& harness_;
  std::vector<ReachSlot> slots_;
  std::vector<double> before_;
};

}  // namespace

std::vector<std::string> ReadsBeyondReach(ComponentHarness& harness, const Component& component) {
  const Declarations& all = component.declarations();
  const ComponentPattern pattern(component);
  ReachSearch search(harness, component);
  for (std::uint32_t j = 0; j < pattern.size(); ++j) {
    std::vector<std::uint32_t> readers;
    for (std::uint32_t i = 0; i < pattern.size(); ++i) {
      if (std::ranges::binary_search(pattern.StatesReadBy(i), j)) readers.push_back(i);
    }
    const ReachSlot& at = search.slots()[j];
    search.Change(at.slot.memory->y[at.slot.offset], at.nominal, at.name, readers);
  }
  for (const PortDeclaration& port : all.ports) {
    const std::vector<std::uint32_t> readers = pattern.StatesReading(port.port);
    const std::string name(port.label.name);
    for (std::size_t b = 0; b < port.port->bond_count(); ++b) {
      Bond& bond = port.port->bond(b);
      search.Change(bond.c, port.domain->effort.scale, name, readers);
      search.Change(bond.Zc, 1, name, readers);
      for (const DomainVariable& variable : port.domain->variables) {
        search.Change(variable.of(bond), 1, name, readers);
      }
    }
  }
  for (const InputDeclaration& input : all.inputs) {
    if (input.own_value == nullptr) continue;
    search.Change(*input.own_value, 1, std::string(input.label.name), pattern.StatesReading(input.source));
  }
  return search.faults;
}

}  // namespace davit
