#include "simulator/network/fixed_step_schedule.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/passes/algebraic_loop.h"
#include "simulator/passes/component_traits.h"
#include "simulator/passes/disjoint_sets.h"
#include "simulator/passes/evaluation_graph.h"
#include "simulator/passes/step_blocks.h"

namespace davit {
namespace {

/// How far down the system a member is.
std::uint32_t PlaceOf(const ContextMember& member) { return member.is_copy ? 0 : member.number; }

bool HasPorts(const ContextMember& member) { return !member.component->declarations().ports.empty(); }

/// What a signal component does in a step: with states or without equations its own step, else one
/// evaluation.
BatchStep StepOfSignal(const Component& component) {
  const ModelEntry& entry = component.entry();
  const bool has_step = entry.is_tlm || HasStates(component) || entry.evaluate_flows == nullptr;
  return has_step ? entry.simulate_one_timestep : entry.evaluate_flows;
}

/// What a component with ports does in its phase; null: nothing.
BatchStep StepOfPower(const Component& component) {
  const ModelEntry& entry = component.entry();
  if (HasRole(component, Role::kC))
    return entry.is_tlm ? entry.simulate_one_timestep : entry.evaluate_efforts;
  const bool is_plain = !entry.is_tlm && !entry.has_own_timestep && !HasStates(component) &&
                        entry.evaluate_efforts == nullptr && entry.evaluate_flows != nullptr;
  if (!is_plain) return entry.simulate_one_timestep;
  return entry.evaluate_independent_flows != nullptr ? entry.evaluate_independent_flows
                                                     : entry.evaluate_flows;
}

/// Components of one type follow each other. First come those that several types are evaluated together with.
std::pair<bool, std::string_view> OrderOfPower(const Component& component) {
  return {component.entry().evaluate_independent_flows == nullptr, component.model().name};
}

/// The steps of the signal components of a schedule and the signals between them.
EvaluationGraph MakeSignalGraph(const SystemIndex& index, const EvaluationContexts& contexts,
                                std::uint32_t context) {
  EvaluationGraph graph;
  const auto& members = contexts.members[context];
  graph.nodes_of.resize(members.size());
  for (std::uint32_t m = 0; m < members.size(); ++m) {
    if (HasPorts(members[m])) continue;
    graph.nodes_of[m].flows = graph.Add(members[m], m, StepOfSignal(*members[m].component));
  }
  graph.NumberTypes();
  for (const std::uint32_t r : contexts.routes_into[context]) {
    const std::uint32_t writer = contexts.FindContinuousWriter(index, r, context);
    if (writer == kNoNumber) continue;
    const std::uint32_t reader = contexts.FindMember(index.To(r), context);
    graph.Carry(graph.nodes_of[writer].flows, graph.nodes_of[reader].flows,
                {EvaluationGraph::Carried::What::kSignal, r});
  }
  return graph;
}

/// By node: the place of its chain of signals, which is that of the first of them.
std::vector<std::uint32_t> PlacesOfSignals(const EvaluationGraph& graph,
                                           const std::vector<ContextMember>& members) {
  const auto count = static_cast<std::uint32_t>(graph.nodes.size());
  DisjointSets chains(count);
  for (const EvaluationEdge& edge : graph.edges) chains.Join(edge.writer, edge.reader);
  std::vector<std::uint32_t> first(count, kNoNumber);
  for (std::uint32_t node = 0; node < count; ++node) {
    std::uint32_t& place = first[chains.Find(node)];
    place = std::min(place, PlaceOf(members[graph.nodes[node].member]));
  }
  std::vector<std::uint32_t> places(count);
  for (std::uint32_t node = 0; node < count; ++node) places[node] = first[chains.Find(node)];
  return places;
}

void PlanSignals(const SystemIndex& index, const EvaluationContexts& contexts, std::uint32_t context,
                 const std::vector<std::uint32_t>& blocks, Diagnostics& diagnostics,
                 TlmSchedule::Plan& plan) {
  const EvaluationGraph graph = MakeSignalGraph(index, contexts, context);
  EvaluationOrder order = SortEvaluations(graph.types, graph.edges);
  if (!order.loop.empty()) {
    ReportLoop(index, graph, order.loop, diagnostics);
    return;
  }
  const std::vector<std::uint32_t> places = PlacesOfSignals(graph, contexts.members[context]);
  const auto block_of = [&](std::uint32_t node) { return blocks[graph.nodes[node].member]; };
  std::ranges::stable_sort(order.order, {}, block_of);  // none reads those of another block
  for (const std::uint32_t n : order.order) {
    const EvaluationGraph::Node& node = graph.nodes[n];
    plan.signals.Add(node.owner, node.evaluate, places[n], block_of(n));
    const ModelEntry& entry = node.owner->entry();
    if (entry.is_tlm) plan.portless.push_back(static_cast<TlmComponent*>(node.owner));
    if (!entry.is_tlm && entry.evaluate_flows != nullptr) {
      plan.evaluations.Add(node.owner, entry.evaluate_flows);
    }
  }
}

void PlanPower(const std::vector<ContextMember>& members, const std::vector<std::uint32_t>& blocks,
               TlmSchedule::Plan& plan) {
  std::vector<const ContextMember*> power;
  for (const ContextMember& member : members) {
    if (HasPorts(member)) power.push_back(&member);
  }
  const auto block_of = [&](const ContextMember* member) { return blocks[member - members.data()]; };
  std::ranges::stable_sort(power, {}, [&](const ContextMember* member) {
    return std::pair(block_of(member), OrderOfPower(*member->component));
  });
  for (const ContextMember* member : power) {
    DynamicSimComponent* component = member->component;
    const ModelEntry& entry = component->entry();
    if (entry.is_tlm) plan.waves.push_back(static_cast<TlmComponent*>(component));
    TlmSchedule::Phase& phase = HasRole(*component, Role::kC) ? plan.c : plan.q;
    const BatchStep step = StepOfPower(*component);
    if (step != nullptr) phase.Add(component, step, PlaceOf(*member), block_of(member));
    if (!entry.is_tlm && entry.evaluate_efforts != nullptr) {
      plan.evaluations.Add(component, entry.evaluate_efforts);
    }
  }
  for (const ContextMember* member : power) {
    const ModelEntry& entry = member->component->entry();
    if (!entry.is_tlm && entry.evaluate_flows != nullptr) {
      plan.evaluations.Add(member->component, entry.evaluate_flows);
    }
  }
}

}  // namespace

TlmSchedule::Plan PlanSchedule(const SystemIndex& index, const EvaluationContexts& contexts,
                               std::uint32_t context, Diagnostics& diagnostics) {
  TlmSchedule::Plan plan;
  for (const ContextMember& member : contexts.members[context]) plan.members.push_back(member.component);
  const std::vector<std::uint32_t> blocks = FindStepBlocks(index, contexts, context);
  PlanSignals(index, contexts, context, blocks, diagnostics, plan);
  PlanPower(contexts.members[context], blocks, plan);
  return plan;
}

void CheckEventsOfSchedule(const EvaluationContexts& contexts, std::uint32_t context,
                           Diagnostics& diagnostics) {
  for (const ContextMember& member : contexts.members[context]) {
    if (!HasActiveGuards(*member.component)) continue;
    diagnostics.Error(
        member.component->location(), member.component->DisplayPath(),
        "its events cannot be located in a fixed-step (TLM) component; take solver=\"Differential\"");
  }
}

}  // namespace davit
