#include "simulator/network/jacobian_structure.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

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

}  // namespace

JacobianPattern FindJacobianPattern(const EvaluationGraph& graph, const EvaluationBatches& batches,
                                    const StateLayout& layout) {
  std::vector<Unknowns> unknowns(graph.nodes_of.size());  // by member
  for (std::uint32_t place = 0; place < layout.owners.size(); ++place) {
    unknowns[layout.owners[place]].push_back(place);
  }
  const std::vector<Unknowns> reads = FindReads(graph, batches, unknowns);
  std::vector<Unknowns> rows;
  for (const std::uint32_t owner : layout.owners) {
    const EvaluationGraph::Nodes& nodes = graph.nodes_of[owner];
    Unknowns& row = rows.emplace_back(unknowns[owner]);
    if (nodes.efforts != kNoNumber) Add(row, reads[nodes.efforts]);
    if (nodes.flows != kNoNumber) Add(row, reads[nodes.flows]);
  }
  return JacobianPattern(std::move(rows));
}

}  // namespace davit
