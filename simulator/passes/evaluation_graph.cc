#include "simulator/passes/evaluation_graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "simulator/passes/component_traits.h"
#include "simulator/passes/connection_bond.h"

namespace davit {
namespace {

using What = EvaluationGraph::Carried::What;

/// One variable of a bond as an unknown of its owner.
EvaluationGraph::SolvedItem SolvedItemOf(const PortRef& end, const BondVariable& variable) {
  std::string name(end.port->label.name);
  name.append(1, '.').append(variable.name);
  return {end.owner, variable.value, std::move(name), variable.unit};
}

class GraphMaker {
 public:
  GraphMaker(const SystemIndex& index, const EvaluationContexts& contexts, std::uint32_t context)
      : index_(index), contexts_(contexts), context_(context), members_(contexts.members[context]) {}

  EvaluationGraph Make() {
    for (std::uint32_t m = 0; m < members_.size(); ++m) AddEvaluations(m);
    graph_.NumberTypes();
    for (const ContextMember& member : members_) {
      for (const std::uint32_t c : index_.ConnectionsOf(member.number)) {
        if (index_.QSide(c) == member.number) AddConnection(c);  // each connection once
      }
    }
    for (const std::uint32_t r : contexts_.routes_into[context_]) AddRoute(r);
    return std::move(graph_);
  }

 private:
  using Items = std::vector<EvaluationGraph::SolvedItem>;

  void AddEvaluations(std::uint32_t m) {
    const ContextMember& member = members_[m];
    const ModelEntry& entry = member.component->entry();
    const bool has_efforts = entry.has_efforts == nullptr || entry.has_efforts(*member.component);
    const std::uint32_t efforts = graph_.Add(member, m, has_efforts ? entry.evaluate_efforts : nullptr);
    const std::uint32_t flows = graph_.Add(member, m, LateEvaluation(*member.component, member.solver));
    graph_.nodes_of.push_back({efforts, flows});
    graph_.Carry(efforts, flows, {});
  }

  EvaluationGraph::Nodes NodesOf(std::uint32_t i) const {
    const std::uint32_t member = contexts_.FindMember(i, context_);
    return member == kNoNumber ? EvaluationGraph::Nodes{} : graph_.nodes_of[member];
  }

  void AddConnection(std::uint32_t c) {
    const Connection& connection = index_.connection(c);
    const EvaluationGraph::Nodes at_c = NodesOf(index_.CSide(c));
    const EvaluationGraph::Nodes at_q = NodesOf(index_.QSide(c));
    const auto carry_effort = [&](std::uint32_t reader) {
      CarryOrSolve(at_c.efforts, reader, {What::kEffort, c}, [&] { return EffortItems(connection); });
    };
    carry_effort(at_q.flows);
    if (ReadsInEfforts(*connection.q.owner, connection.q.port->port)) carry_effort(at_q.efforts);

    const bool is_early = connection.c.port->domain->flow_is_early();
    const auto carry_flow = [&](std::uint32_t reader) {
      CarryOrSolve(is_early ? at_q.efforts : at_q.flows, reader, {What::kFlow, c},
                   [&] { return FlowItems(connection); });
    };
    carry_flow(at_c.flows);
    if (is_early && HasEquationsAt(at_c)) {
      // The equation of a rigid link reads accelerations, which come last.
      graph_.Carry(at_q.flows, at_c.flows, {What::kAcceleration, c});
    }
    if (ReadsInEfforts(*connection.c.owner, connection.c.port->port)) carry_flow(at_c.efforts);
  }

  /// Whether algebraic equations replace flows.
  bool HasEquationsAt(EvaluationGraph::Nodes at) const {
    if (at.flows == kNoNumber) return false;
    const EvaluationGraph::Node& node = graph_.nodes[at.flows];
    return node.evaluate != node.owner->entry().evaluate_flows;
  }

  static Items EffortItems(const Connection& connection) {
    Items items;
    for (const BondVariable& variable : VariablesOf(connection).c_side) {
      items.push_back(SolvedItemOf(connection.c, variable));
    }
    return items;
  }

  static Items FlowItems(const Connection& connection) {
    Items items;
    for (const BondVariable& variable : VariablesOf(connection).q_side) {
      items.push_back(SolvedItemOf(connection.q, variable));
    }
    return items;
  }

  void AddRoute(std::uint32_t r) {
    const std::uint32_t writer = contexts_.FindContinuousWriter(index_, r, context_);
    if (writer == kNoNumber) return;
    const Route& route = index_.route(r);
    const EvaluationGraph::Nodes to = NodesOf(index_.To(r));
    const void* input = route.to->is_array ? static_cast<const void*>(route.to->sources) : route.to->source;
    ReadRoute(r, writer, to.flows);
    if (ReadsInEfforts(*route.to_owner, input)) ReadRoute(r, writer, to.efforts);
  }

  void ReadRoute(std::uint32_t r, std::uint32_t writer, std::uint32_t reader) {
    if (reader == kNoNumber) return;
    const EvaluationGraph::Nodes from = graph_.nodes_of[writer];
    switch (SourceOf(index_.route(r))) {
      case RouteSource::kParameter: break;
      case RouteSource::kState: graph_.unknowns_read.push_back({writer, reader}); break;
      case RouteSource::kDerivative:
        graph_.unknowns_read.push_back({writer, reader});
        graph_.Carry(from.flows, reader, {What::kSignal, r});
        graph_.slope_readers.insert(reader);
        break;
      case RouteSource::kOutput: ReadOutput(r, writer, reader); break;
    }
  }

  void ReadOutput(std::uint32_t r, std::uint32_t writer, std::uint32_t reader) {
    const Route& route = index_.route(r);
    const OutputDeclaration& output = OutputOf(route);
    const EvaluationGraph::Nodes from = graph_.nodes_of[writer];
    const bool is_early = output.written_by == WrittenBy::kEfforts;
    CarryOrSolve(is_early ? from.efforts : from.flows, reader, {What::kSignal, r}, [&] {
      return Items{{members_[writer].component, const_cast<double*>(route.from.place()),
                    std::string(output.label.name), output.label.unit}};
    });
  }

  /// The reader reads what the writer computes, unless the owner of the writer is solved for: then it reads
  /// unknowns, the items that `make_items` lists.
  template <class MakeItems>
  void CarryOrSolve(std::uint32_t writer, std::uint32_t reader, EvaluationGraph::Carried carried,
                    MakeItems make_items) {
    if (writer == kNoNumber || reader == kNoNumber) return;
    const EvaluationGraph::Node& node = graph_.nodes[writer];
    const bool is_early = node.evaluate == node.owner->entry().evaluate_efforts;
    if (!node.is_solved_for || (is_early && !HasDependentEfforts(*node.owner))) {
      graph_.Carry(writer, reader, carried);
      return;
    }
    graph_.unknowns_read.push_back({node.member, reader});
    for (EvaluationGraph::SolvedItem& item : make_items()) {
      const auto known = std::find_if(graph_.solved.begin(), graph_.solved.end(),
                                      [&](const auto& solved) { return solved.value == item.value; });
      graph_.solved_reads.push_back({static_cast<std::uint32_t>(known - graph_.solved.begin()), reader});
      if (known != graph_.solved.end()) continue;
      item.writer = node.evaluate;
      item.node = writer;
      graph_.solved.push_back(std::move(item));
    }
  }

  const SystemIndex& index_;
  const EvaluationContexts& contexts_;
  const std::uint32_t context_;
  const std::vector<ContextMember>& members_;
  EvaluationGraph graph_;
};

}  // namespace

std::uint32_t EvaluationGraph::Add(const ContextMember& member, std::uint32_t position,
                                   BatchEvaluation evaluate) {
  if (evaluate == nullptr) return kNoNumber;
  nodes.push_back({position, member.component, evaluate, IsSolvedFor(*member.component, member.solver)});
  return static_cast<std::uint32_t>(nodes.size() - 1);
}

void EvaluationGraph::NumberTypes() {
  std::map<std::pair<BatchEvaluation, std::size_t>, std::uint32_t> numbers;  // by evaluation and kind
  types.clear();
  for (const Node& node : nodes) {
    const auto kind_of = node.owner->entry().kind_of_batch;
    const std::size_t kind = kind_of == nullptr ? 0 : kind_of(*node.owner);
    const auto next = static_cast<std::uint32_t>(numbers.size());
    types.push_back(numbers.emplace(std::pair(node.evaluate, kind), next).first->second);
  }
}

void EvaluationGraph::Carry(std::uint32_t writer, std::uint32_t reader, Carried carried_item) {
  if (writer == kNoNumber || reader == kNoNumber) return;
  edges.push_back({writer, reader});
  carried.push_back(carried_item);
}

EvaluationGraph MakeEvaluationGraph(const SystemIndex& index, const EvaluationContexts& contexts,
                                    std::uint32_t context) {
  return GraphMaker(index, contexts, context).Make();
}

}  // namespace davit
