#include "simulator/passes/evaluation_batches.h"

#include <algorithm>
#include <utility>

#include "simulator/passes/evaluation_graph.h"

namespace davit {
namespace {

/// By node: the first place in the order behind all that it reads.
std::vector<std::size_t> BehindWriters(const EvaluationGraph& graph,
                                       const std::vector<std::uint32_t>& order) {
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<std::size_t> behind(order.size(), 0);
  for (const EvaluationEdge& edge : graph.edges) {
    behind[edge.reader] = std::max(behind[edge.reader], place[edge.writer] + 1);
  }
  return behind;
}

}  // namespace

EvaluationBatches MakeBatches(const EvaluationGraph& graph, std::vector<std::uint32_t> order) {
  if (order.empty()) return {};
  EvaluationBatches result{std::move(order), {}};
  auto& batches = result.batches;
  const std::vector<std::size_t> behind = BehindWriters(graph, result.order);
  bool is_closed = true;
  std::uint32_t type = 0;
  for (std::size_t place = 0; place < result.order.size(); ++place) {
    const std::uint32_t node = result.order[place];
    const bool reads_whole_batches =
        graph.nodes[node].owner->entry().prepare_batch != nullptr || graph.slope_readers.contains(node);
    const bool reads_own_batch = !is_closed && reads_whole_batches && behind[node] > batches.back().begin;
    if (is_closed || reads_own_batch || type != graph.types[node]) {
      batches.push_back({graph.nodes[node].evaluate, place, 0});
    }
    type = graph.types[node];
    ++batches.back().count;
    is_closed = graph.nodes[node].is_solved_for;
  }
  return result;
}

}  // namespace davit
