#include "fmi/import/fmu_jacobian.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "framework/component.h"
#include "simulator/passes/component_pattern.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {
namespace {

/// Whether all are scalars of type Float64: then the values of the list are those of its references.
bool AreScalars(const FmuValueList& list) {
  return std::ranges::all_of(list.runs(), [](const FmuValueList::Run& run) {
    return run.type == FmuBaseType::kFloat64 && run.count == run.references.size() &&
           std::ranges::all_of(run.counts, [](std::size_t count) { return count == 1; });
  });
}

std::vector<std::uint32_t> ReferencesOf(const FmuValueList& list) {
  std::vector<std::uint32_t> all;
  for (const FmuValueList::Run& run : list.runs())
    all.insert(all.end(), run.references.begin(), run.references.end());
  return all;
}

}  // namespace

PartialDerivatives::Variable FmuJacobian::Place::variable() const {
  if (state != nullptr) return *state;
  if (input != nullptr) return *input;
  return output;
}

FmuJacobian::FmuJacobian(const Component& component, const FmuDescription& description,
                         const FmuItems& items) {
  is_known_ = description.as_model_exchange.has_directional_derivatives &&
              ListStates(component, description, items) && ListInputs(component, items) &&
              ListOutputs(items.routed_early, items.routed_early_links) &&
              ListOutputs(items.routed_late, items.routed_late_links);
  if (is_known_) ListCalls(component);
}

bool FmuJacobian::ListStates(const Component& component, const FmuDescription& description,
                             const FmuItems& items) {
  if (items.state_links.size() != description.derivatives.size()) return false;
  for (std::uint32_t i = 0; i < items.state_links.size(); ++i) {
    const FmuItems::StateLink& link = items.state_links[i];
    const DescribedVariable& derivative = description.variables[description.derivatives[i]];
    if (link.type != FmuBaseType::kFloat64 || link.count != 1) return false;
    if (!component.declarations().states[link.declaration].is_in_use()) continue;
    Place place{.factor = link.unit.factor, .state = link.state, .number = i};
    place.reference = link.reference;
    knowns_.push_back(place);
    place.reference = derivative.reference;
    unknowns_.push_back(place);
  }
  return true;
}

bool FmuJacobian::ListInputs(const Component& component, const FmuItems& items) {
  if (!AreScalars(items.continuous.list)) return false;
  const std::vector<std::uint32_t> references = ReferencesOf(items.continuous.list);
  for (const FmuItems::InputLink& link : items.continuous_links) {
    if (!component.declarations().inputs[link.declaration].is_routed) continue;
    knowns_.push_back({.reference = references[link.place], .factor = link.unit.factor, .input = link.input});
  }
  return true;
}

bool FmuJacobian::ListOutputs(const FmuValues& values, const std::vector<FmuItems::OutputLink>& links) {
  if (!AreScalars(values.list)) return false;
  const std::vector<std::uint32_t> references = ReferencesOf(values.list);
  for (const FmuItems::OutputLink& link : links)
    unknowns_.push_back(
        {.reference = references[link.place], .factor = link.unit.factor, .output = link.value});
  return true;
}

void FmuJacobian::ListCalls(const Component& component) {
  const ComponentPattern reach(component);
  std::map<std::uint32_t, std::uint32_t> known_of;  // by number of the state
  for (std::uint32_t k = 0; k < knowns_.size() && knowns_[k].state != nullptr; ++k)
    known_of[knowns_[k].number] = k;
  std::vector<std::vector<std::uint32_t>> read(std::max(knowns_.size(), unknowns_.size()));
  const auto add_states = [&](std::uint32_t unknown, std::span<const std::uint32_t> numbers) {
    for (const std::uint32_t number : numbers) {
      if (const auto known = known_of.find(number); known != known_of.end())
        read[unknown].push_back(known->second);
    }
  };
  for (std::uint32_t u = 0; u < unknowns_.size(); ++u) {
    const Place& unknown = unknowns_[u];
    if (unknown.state != nullptr) {
      add_states(u, reach.StatesReadBy(unknown.number));
    } else {
      add_states(u, reach.StatesReadAt(unknown.output));
    }
  }
  for (auto k = static_cast<std::uint32_t>(known_of.size()); k < knowns_.size(); ++k) {
    const void* const input = knowns_[k].input->id();
    for (const std::uint32_t number : reach.StatesReading(input)) {
      if (const auto unknown = known_of.find(number); unknown != known_of.end())
        read[unknown->second].push_back(k);
    }
    for (auto u = static_cast<std::uint32_t>(known_of.size()); u < unknowns_.size(); ++u) {
      if (reach.Reads(unknowns_[u].output, input)) read[u].push_back(k);
    }
  }
  // A square system: what is missing to it reads, or is read by, nothing but itself.
  const JacobianPattern pattern(std::move(read));
  for (std::size_t g = 0; g < pattern.group_count(); ++g) {
    Call call;
    for (const std::uint32_t known : pattern.Group(g)) {
      if (known >= knowns_.size()) continue;
      call.knowns.push_back(knowns_[known].reference);
      for (const std::uint32_t unknown : pattern.Rows(known)) {
        if (unknown >= unknowns_.size()) continue;
        call.unknowns.push_back(unknowns_[unknown].reference);
        call.entries.push_back({unknown, known});
      }
    }
    if (!call.unknowns.empty()) calls_.push_back(std::move(call));
  }
}

bool FmuJacobian::Write(ForeignFmu& fmu, PartialDerivatives& partials) {
  if (!is_known_) return false;
  for (const Call& call : calls_) {
    seed_.assign(call.knowns.size(), 1.0);
    changes_.assign(call.unknowns.size(), 0.0);
    is_known_ = fmu.GetDirectionalDerivatives(call.unknowns, call.knowns, seed_, changes_);
    if (!is_known_) return false;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      if (!std::isfinite(changes_[i])) return false;
      const Place& unknown = unknowns_[call.entries[i].unknown];
      const Place& known = knowns_[call.entries[i].known];
      partials.Set(unknown.variable(), known.variable(), changes_[i] * unknown.factor / known.factor);
    }
  }
  return true;
}

}  // namespace davit
