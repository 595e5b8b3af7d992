#pragma once

#include <algorithm>

#include "framework/registry.h"
#include "simulator/dynamic_sim_component.h"
#include "simulator/guard.h"
#include "simulator/solver_type.h"

namespace davit {

// What the passes of BuildNetwork ask of a single component. All answers follow from its model, its
// declarations and the solver it is given to, never from its neighbours or its values.

inline bool HasStates(const Component& component) {
  const auto& states = component.declarations().states;
  return std::any_of(states.begin(), states.end(),
                     [](const StateDeclaration& s) { return s.is_active && s.count > 0; });
}

inline bool HasRole(const Component& component, Role role) {
  const auto& ports = component.declarations().ports;
  return std::any_of(ports.begin(), ports.end(), [&](const PortDeclaration& p) { return p.role == role; });
}

/// Whether EvaluateEfforts reads an input or a port of the component (DynamicSimComponent::EffortsRead). A
/// model without EvaluateEfforts reads nothing there.
inline bool ReadsInEfforts(const Component& component, const void* item) {
  if (component.entry().evaluate_efforts == nullptr) return false;
  const auto& reads = component.declarations().effort_reads;
  return !reads || std::find(reads->begin(), reads->end(), item) != reads->end();
}

/// Whether EvaluateEfforts writes something that depends on other components.
inline bool HasDependentEfforts(const Component& component) {
  const auto& reads = component.declarations().effort_reads;
  return component.entry().evaluate_efforts != nullptr && (!reads || !reads->empty());
}

/// Whether the efforts at the C ports of a component are constant: it is not evaluated and joins nothing.
inline bool IsConstant(const Component& component) {
  const ModelEntry& entry = component.entry();
  return entry.evaluate_efforts == nullptr && entry.evaluate_flows == nullptr && !entry.is_tlm &&
         !HasStates(component);
}

/// Whether all ports are C ports whose efforts do not depend on the flows: a source driven by signals.
inline bool IsSource(const Component& component) {
  const ModelEntry& entry = component.entry();
  const auto& ports = component.declarations().ports;
  const bool writes_efforts_late = entry.evaluate_efforts == nullptr && entry.evaluate_flows != nullptr;
  return !entry.is_tlm && !HasStates(component) && !writes_efforts_late &&
         std::all_of(ports.begin(), ports.end(), [&](const PortDeclaration& port) {
           return port.role == Role::kC && !ReadsInEfforts(component, port.port);
         });
}

/// Whether it has events that must be located inside a step.
inline bool HasActiveGuards(const DynamicSimComponent& component) {
  const auto& guards = component.guards();
  return std::any_of(guards.begin(), guards.end(), [](const Guard* guard) { return guard->is_active(); });
}

/// An algebraic component without algebraic equations of its own: what it computes is solved for.
inline bool IsSolvedFor(const Component& component, SolverType solver) {
  return solver == SolverType::kAlgebraic && component.entry().evaluate_algebraic == nullptr;
}

/// The evaluation that comes after EvaluateEfforts; null where the model has none.
inline BatchEvaluation LateEvaluation(const Component& component, SolverType solver) {
  const ModelEntry& entry = component.entry();
  return solver == SolverType::kAlgebraic && entry.evaluate_algebraic != nullptr ? entry.evaluate_algebraic
                                                                                 : entry.evaluate_flows;
}

}  // namespace davit
