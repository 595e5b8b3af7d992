#include "simulator/passes/couplings.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>
#include <utility>

#include "simulator/passes/component_traits.h"
#include "simulator/passes/connection_bond.h"

namespace davit {
namespace {

using What = EvaluationGraph::Carried::What;
using CouplingSource = Couplings::Source;
using End = Couplings::End;

class CouplingFinder {
 public:
  CouplingFinder(const SystemIndex& index, const EvaluationContexts& contexts, std::uint32_t context,
                 const EvaluationGraph& graph, const SignalBinding& signals)
      : index_(index), contexts_(contexts), context_(context), graph_(graph), signals_(signals) {
    const std::vector<std::uint32_t>& routes = contexts_.routes_into[context_];
    for (std::size_t i = 0; i < routes.size(); ++i) input_of_route_[routes[i]] = i;
  }

  Couplings Find(const EvaluationBatches& batches, const StateLayout& layout) {
    ListEvaluations(batches);
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) AddEdge(graph_.edges[e], graph_.carried[e]);
    for (const auto& [route, input] : input_of_route_) AddPublishedState(route, signals_.inputs[input]);
    for (std::uint32_t i = 0; i < layout.outputs.size(); ++i) AddSolved(i, layout.outputs[i]);
    for (Couplings::Evaluation& evaluation : couplings_.evaluations) {
      for (std::vector<End>* ends : {&evaluation.reads, &evaluation.writes}) {
        std::sort(ends->begin(), ends->end());
        ends->erase(std::unique(ends->begin(), ends->end()), ends->end());
      }
    }
    return std::move(couplings_);
  }

 private:
  void ListEvaluations(const EvaluationBatches& batches) {
    place_of_.assign(graph_.nodes.size(), kNoNumber);
    for (std::uint32_t i = 0; i < batches.order.size(); ++i) place_of_[batches.order[i]] = i;
    for (const std::uint32_t n : batches.order) {
      const EvaluationGraph::Node& node = graph_.nodes[n];
      const EvaluationGraph::Nodes& both = graph_.nodes_of[node.member];
      Couplings::Evaluation& evaluation = couplings_.evaluations.emplace_back();
      evaluation.owner = node.owner;
      evaluation.evaluate = node.evaluate;
      evaluation.member = node.member;
      if (n == both.flows && both.efforts != kNoNumber) evaluation.efforts = place_of_[both.efforts];
      if (n == both.efforts && both.flows != kNoNumber) evaluation.flows = place_of_[both.flows];
    }
  }

  void AddEdge(const EvaluationEdge& edge, const EvaluationGraph::Carried& carried) {
    switch (carried.what) {
      case What::kOwnEfforts: break;
      case What::kSignal: AddSignal(edge, signals_.inputs[input_of_route_.at(carried.number)]); break;
      default: AddBond(edge, index_.connection(carried.number), carried.what);
    }
  }

  void AddBond(const EvaluationEdge& edge, const Connection& connection, What what) {
    const bool is_from_c = what == What::kEffort;
    const void* from = (is_from_c ? connection.c : connection.q).port->port;
    const void* to = (is_from_c ? connection.q : connection.c).port->port;
    for (double* place : CarriedBy(connection, what)) {
      const std::uint32_t coupling = AddPlace(CouplingSource::kEvaluation, place, 0);
      Join(edge.writer, edge.reader, {coupling, from}, {coupling, to});
    }
  }

  static std::vector<double*> CarriedBy(const Connection& connection, What what) {
    switch (what) {
      case What::kEffort:
        return PlacesOf(connection, Role::kC,
                        {DomainVariable::Known::kAtEffort, DomainVariable::Known::kAtFlow});
      case What::kAcceleration: return PlacesOf(connection, Role::kQ, {DomainVariable::Known::kAtFlow});
      default: break;
    }
    const bool is_early = connection.c.port->domain->flow_is_early();
    return PlacesOf(connection, Role::kQ,
                    {is_early ? DomainVariable::Known::kAtEffort : DomainVariable::Known::kAtFlow});
  }

  void AddSignal(const EvaluationEdge& edge, const SignalBinding::BoundInput& input) {
    if (input.source == SignalBinding::Source::kValue) {
      const double* value = signals_.values[input.number];  // the id of an output is its place
      const std::uint32_t coupling = AddPlace(CouplingSource::kEvaluation, const_cast<double*>(value), 0);
      Join(edge.writer, edge.reader, {coupling, value}, {coupling, input.item});
    } else {
      assert(input.source == SignalBinding::Source::kDerivative);
      Read(edge.reader, {AddNumber(CouplingSource::kDerivative, input.number), input.item});
    }
  }

  void AddPublishedState(std::uint32_t r, const SignalBinding::BoundInput& input) {
    if (input.source != SignalBinding::Source::kState) return;
    const Route& route = index_.route(r);
    const EvaluationGraph::Nodes& to = graph_.nodes_of[contexts_.FindMember(index_.To(r), context_)];
    const End end{AddNumber(CouplingSource::kState, input.number), input.item};
    if (to.flows != kNoNumber) Read(to.flows, end);
    const void* id = route.to->is_array ? static_cast<const void*>(route.to->sources) : route.to->source;
    if (to.efforts != kNoNumber && ReadsInEfforts(*route.to_owner, id)) Read(to.efforts, end);
  }

  void AddSolved(std::uint32_t number, const StateLayout::SolvedOutput& output) {
    for (const EvaluationGraph::SolvedRead& read : graph_.solved_reads) {
      const EvaluationGraph::SolvedItem& item = graph_.solved[read.item];
      if (item.value != output.value) continue;
      const std::uint32_t coupling = AddPlace(CouplingSource::kSolved, output.value, number);
      Join(item.node, read.reader, {coupling, nullptr}, {coupling, nullptr});
    }
  }

  std::uint32_t AddPlace(CouplingSource source, double* place, std::uint32_t number) {
    const auto [at, is_new] = by_place_.emplace(place, static_cast<std::uint32_t>(couplings_.all.size()));
    if (is_new) couplings_.all.push_back({source, place, number});
    return at->second;
  }
  std::uint32_t AddNumber(CouplingSource source, std::size_t number) {
    const auto [at, is_new] =
        by_number_.emplace(std::pair(source, number), static_cast<std::uint32_t>(couplings_.all.size()));
    if (is_new) couplings_.all.push_back({source, nullptr, static_cast<std::uint32_t>(number)});
    return at->second;
  }

  // By nodes of the graph.
  void Join(std::uint32_t writer, std::uint32_t reader, const End& written, const End& read) {
    Couplings::Evaluation& from = couplings_.evaluations[place_of_[writer]];
    from.writes.push_back(written);
    // What the efforts of a member hand to its own flows changes with them.
    if (from.flows != place_of_[reader]) Read(reader, read);
  }
  void Read(std::uint32_t reader, const End& end) {
    couplings_.evaluations[place_of_[reader]].reads.push_back(end);
  }

  const SystemIndex& index_;
  const EvaluationContexts& contexts_;
  const std::uint32_t context_;
  const EvaluationGraph& graph_;
  const SignalBinding& signals_;
  std::map<std::uint32_t, std::size_t> input_of_route_;
  std::vector<std::uint32_t> place_of_;  ///< by node, in the order of evaluation
  std::unordered_map<const double*, std::uint32_t> by_place_;
  std::map<std::pair<CouplingSource, std::size_t>, std::uint32_t> by_number_;
  Couplings couplings_;
};

}  // namespace

Couplings FindCouplings(const SystemIndex& index, const EvaluationContexts& contexts, std::uint32_t context,
                        const EvaluationGraph& graph, const EvaluationBatches& batches,
                        const StateLayout& layout, const SignalBinding& signals) {
  if (batches.order.empty()) return {};
  return CouplingFinder(index, contexts, context, graph, signals).Find(batches, layout);
}

}  // namespace davit
