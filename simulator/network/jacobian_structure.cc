#include "simulator/network/jacobian_structure.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "simulator/network/component_pattern.h"

namespace davit {
namespace {

/// Numbers of unknowns, ascending.
using Unknowns = std::vector<std::uint32_t>;

void Add(Unknowns& to, const Unknowns& more) {
  Unknowns all;
  std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(all));
  to = std::move(all);
}

/// By node: the unknowns that it reads, itself or through what it reads.
std::vector<Unknowns> FindReads(const EvaluationGraph& graph, const EvaluationBatches& batches,
                                const std::vector<Unknowns>& unknowns) {
  std::vector<Unknowns> reads;
  reads.reserve(graph.nodes.size());
  for (const EvaluationGraph::Node& node : graph.nodes) reads.push_back(unknowns[node.member]);
  for (const auto& [member, reader] : graph.unknowns_read) Add(reads[reader], unknowns[member]);
  std::vector<std::vector<std::uint32_t>> writers(graph.nodes.size());
  for (const EvaluationEdge& edge : graph.edges) writers[edge.reader].push_back(edge.writer);
  for (const std::uint32_t node : batches.order) {
    for (const std::uint32_t writer : writers[node]) Add(reads[node], reads[writer]);
  }
  return reads;
}

/// Whether all that a member reads are states of its own.
bool ReadsItselfOnly(const EvaluationGraph::Nodes& nodes, const EvaluationGraph& graph, const Unknowns& read,
                     const Unknowns& own) {
  return nodes.flows != kNoNumber && !graph.nodes[nodes.flows].is_solved_for && !own.empty() &&
         read.size() == own.size();
}

/// The rows of the states of a component, from what it has declared to read. `first`: the place of its first.
void AddOwnBlock(const Component& component, std::uint32_t first, std::vector<Unknowns>& rows) {
  const ComponentPattern pattern(component);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    for (const std::uint32_t j : pattern.StatesReadBy(i)) rows[first + i].push_back(first + j);
  }
}

}  // namespace

JacobianPattern FindJacobianPattern(const EvaluationGraph& graph, const EvaluationBatches& batches,
                                    const StateLayout& layout) {
  std::vector<Unknowns> unknowns(graph.nodes_of.size());  // by member
  for (std::uint32_t place = 0; place < layout.owners.size(); ++place) {
    unknowns[layout.owners[place]].push_back(place);
  }
  const std::vector<Unknowns> reads = FindReads(graph, batches, unknowns);
  std::vector<Unknowns> rows(layout.owners.size());
  for (const std::uint32_t owner : layout.members) {
    const EvaluationGraph::Nodes& nodes = graph.nodes_of[owner];
    Unknowns whole = unknowns[owner];
    if (nodes.efforts != kNoNumber) Add(whole, reads[nodes.efforts]);
    if (nodes.flows != kNoNumber) Add(whole, reads[nodes.flows]);
    if (ReadsItselfOnly(nodes, graph, whole, unknowns[owner])) {
      AddOwnBlock(*graph.nodes[nodes.flows].owner, unknowns[owner].front(), rows);
      continue;
    }
    for (const std::uint32_t place : unknowns[owner]) rows[place] = whole;
  }
  return JacobianPattern(std::move(rows));
}

}  // namespace davit
