#include "simulator/passes/state_layout.h"

#include <string_view>

#include "simulator/passes/component_traits.h"
#include "simulator/passes/evaluation_batches.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/evaluation_graph.h"

namespace davit {
namespace {

/// The nominal value of unknowns that no model declares, for absolute tolerances.
double TypicalSize(std::string_view unit) {
  if (unit == "Pa") return 1e5;
  if (unit == "m3/s") return 1e-3;
  if (unit == "N" || unit == "N.m") return 1e3;
  return 1;
}

/// All members: first those that are evaluated, in the order of their first evaluation.
std::vector<std::uint32_t> MembersInOrder(std::size_t count, const EvaluationGraph& graph,
                                          const EvaluationBatches& batches) {
  std::vector<std::uint32_t> members;
  std::vector<bool> is_listed(count, false);
  const auto add = [&](std::uint32_t member) {
    if (!is_listed[member]) members.push_back(member);
    is_listed[member] = true;
  };
  for (const std::uint32_t node : batches.order) add(graph.nodes[node].member);
  for (std::uint32_t member = 0; member < count; ++member) add(member);
  return members;
}

std::uint32_t CountStates(const Component& component) {
  std::uint32_t count = 0;
  for (const StateDeclaration& state : component.declarations().states) {
    if (state.is_active) count += state.count;
  }
  return count;
}

void AddSolvedOutputs(const EvaluationGraph& graph, const EvaluationBatches& batches, StateLayout& layout) {
  for (const EvaluationBatch& batch : batches.batches) {
    const EvaluationGraph::Node& last = graph.nodes[batches.order[batch.begin + batch.count - 1]];
    if (last.is_solved_for) {
      for (const EvaluationGraph::SolvedItem& item : graph.solved) {
        if (item.owner != last.owner || item.writer != batch.evaluate) continue;
        layout.outputs.push_back({item.owner, item.value, item.name, TypicalSize(item.unit)});
        layout.owners.push_back(last.member);
      }
    }
    layout.outputs_end.push_back(layout.outputs.size());
  }
}

}  // namespace

StateLayout LayOutStates(const std::vector<ContextMember>& members, const EvaluationGraph& graph,
                         const EvaluationBatches& batches) {
  StateLayout layout;
  layout.members = MembersInOrder(members.size(), graph, batches);
  for (const std::uint32_t m : layout.members) {
    layout.owners.insert(layout.owners.end(), CountStates(*members[m].component), m);
  }
  AddSolvedOutputs(graph, batches, layout);
  for (std::uint32_t place = 0; place < layout.state_count(); ++place) {
    const ContextMember& owner = members[layout.owners[place]];
    const BatchEvaluation equations = owner.component->entry().evaluate_algebraic;
    if (LateEvaluation(*owner.component, owner.solver) != equations) layout.explicit_states.push_back(place);
  }
  return layout;
}

}  // namespace davit
