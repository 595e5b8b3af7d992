#include "simulator/passes/evaluation_order.h"

#include <algorithm>
#include <map>

namespace davit {
namespace {

/// Outgoing edges of each evaluation, as positions in the list of edges.
class Outgoing {
 public:
  Outgoing(std::size_t count, std::span<const EvaluationEdge> edges)
      : begin_(count + 1, 0), edges_(edges.size()) {
    for (const EvaluationEdge& edge : edges) ++begin_[edge.writer + 1];
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t e = 0; e < edges.size(); ++e) edges_[next[edges[e].writer]++] = e;
  }
  std::span<const std::uint32_t> operator[](std::uint32_t node) const {
    return std::span(edges_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> edges_;
};

/// One loop among the evaluations that still wait for a writer.
std::vector<std::uint32_t> FindLoop(std::span<const std::uint32_t> waiting,
                                    std::span<const EvaluationEdge> edges) {
  // Walk backwards along writers that wait themselves: each waiting evaluation has one, so the walk must
  // close.
  std::vector<std::uint32_t> edge_into(waiting.size(), static_cast<std::uint32_t>(edges.size()));
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (waiting[edges[e].writer] > 0 && waiting[edges[e].reader] > 0) edge_into[edges[e].reader] = e;
  }
  const auto start = std::find_if(waiting.begin(), waiting.end(), [](std::uint32_t w) { return w > 0; });
  auto node = static_cast<std::uint32_t>(start - waiting.begin());
  std::vector<bool> is_seen(waiting.size(), false);
  while (!is_seen[node]) {
    is_seen[node] = true;
    node = edges[edge_into[node]].writer;
  }
  std::vector<std::uint32_t> loop;
  const std::uint32_t closing = node;
  do {
    loop.push_back(edge_into[node]);
    node = edges[edge_into[node]].writer;
  } while (node != closing);
  std::reverse(loop.begin(), loop.end());
  return loop;
}

}  // namespace

EvaluationOrder SortEvaluations(std::span<const std::uint32_t> types, std::span<const EvaluationEdge> edges) {
  const Outgoing outgoing(types.size(), edges);
  std::vector<std::uint32_t> waiting(types.size(), 0);  // writers that are not in the order yet
  for (const EvaluationEdge& edge : edges) ++waiting[edge.reader];

  std::map<std::uint32_t, std::vector<std::uint32_t>> ready;  // by type
  for (std::uint32_t i = 0; i < types.size(); ++i) {
    if (waiting[i] == 0) ready[types[i]].push_back(i);
  }
  EvaluationOrder result;
  while (!ready.empty()) {
    const auto largest = std::max_element(ready.begin(), ready.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    const std::uint32_t type = largest->first;
    // Continue with this type as long as it has evaluations that are ready.
    for (auto it = largest; it != ready.end(); it = ready.find(type)) {
      std::vector<std::uint32_t> batch = std::move(it->second);
      ready.erase(it);
      std::sort(batch.begin(), batch.end());
      for (const std::uint32_t node : batch) {
        result.order.push_back(node);
        for (const std::uint32_t e : outgoing[node]) {
          const std::uint32_t reader = edges[e].reader;
          if (--waiting[reader] == 0) ready[types[reader]].push_back(reader);
        }
      }
    }
  }
  if (result.order.size() < types.size()) {
    result.order.clear();
    result.loop = FindLoop(waiting, edges);
  }
  return result;
}

}  // namespace davit
