#include "simulator/passes/evaluation_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace davit {
namespace {

struct Graph {
  std::vector<std::uint32_t> types;
  std::vector<EvaluationEdge> edges;
};

/// Up to 40 evaluations of up to 4 types, with edges that all point forward in some hidden order.
Graph MakeRandomDag() {
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 40);
  Graph graph;
  graph.types = *rc::gen::container<std::vector<std::uint32_t>>(count, rc::gen::inRange<std::uint32_t>(0, 4));
  std::vector<std::uint32_t> hidden(count);
  std::iota(hidden.begin(), hidden.end(), 0U);
  for (std::uint32_t i = count; i > 1; --i)
    std::swap(hidden[i - 1], hidden[*rc::gen::inRange<std::uint32_t>(0, i)]);
  const auto edge_count = *rc::gen::inRange<std::size_t>(0, 3 * count);
  for (std::size_t e = 0; e < edge_count; ++e) {
    const auto a = *rc::gen::inRange<std::uint32_t>(0, count);
    const auto b = *rc::gen::inRange<std::uint32_t>(0, count);
    if (a != b) graph.edges.push_back({hidden[std::min(a, b)], hidden[std::max(a, b)]});
  }
  return graph;
}

std::vector<std::size_t> PositionsOf(const std::vector<std::uint32_t>& order) {
  std::vector<std::size_t> positions(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) positions[order[i]] = i;
  return positions;
}

/// How often two neighbours in the order differ in type, plus one.
std::size_t CountBatches(const std::vector<std::uint32_t>& types, const std::vector<std::uint32_t>& order) {
  std::size_t batches = 1;
  for (std::size_t i = 1; i < order.size(); ++i) batches += types[order[i]] != types[order[i - 1]] ? 1 : 0;
  return batches;
}

RC_GTEST_PROP(SortEvaluationsTest, EveryWriterStandsBeforeItsReaders, ()) {
  const Graph graph = MakeRandomDag();
  const EvaluationOrder result = SortEvaluations(graph.types, graph.edges);
  RC_ASSERT(result.loop.empty());
  std::vector<std::uint32_t> sorted = result.order;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> all(graph.types.size());
  std::iota(all.begin(), all.end(), 0U);
  RC_ASSERT(sorted == all);
  const std::vector<std::size_t> position = PositionsOf(result.order);
  for (const EvaluationEdge& edge : graph.edges) RC_ASSERT(position[edge.writer] < position[edge.reader]);
}

RC_GTEST_PROP(SortEvaluationsTest, TheOrderOfTheEdgesDoesNotMatter, ()) {
  const Graph graph = MakeRandomDag();
  std::vector<EvaluationEdge> reversed(graph.edges.rbegin(), graph.edges.rend());
  RC_ASSERT(SortEvaluations(graph.types, graph.edges).order == SortEvaluations(graph.types, reversed).order);
}

RC_GTEST_PROP(SortEvaluationsTest, WithoutEdgesThereIsOneAscendingBatchForEachType, ()) {
  Graph graph = MakeRandomDag();
  const EvaluationOrder result = SortEvaluations(graph.types, {});
  const std::set<std::uint32_t> types(graph.types.begin(), graph.types.end());
  RC_ASSERT(CountBatches(graph.types, result.order) == types.size());
  for (std::size_t i = 1; i < result.order.size(); ++i) {
    if (graph.types[result.order[i]] == graph.types[result.order[i - 1]]) {
      RC_ASSERT(result.order[i] > result.order[i - 1]);
    }
  }
}

RC_GTEST_PROP(SortEvaluationsTest, ALoopThatIsReportedIsOne, ()) {
  Graph graph = MakeRandomDag();
  const auto count = static_cast<std::uint32_t>(graph.types.size());
  // Close a ring through some of the evaluations, or let one read itself.
  const auto length = *rc::gen::inRange<std::uint32_t>(1, count + 1);
  const auto first = *rc::gen::inRange<std::uint32_t>(0, count);
  for (std::uint32_t i = 0; i < length; ++i) {
    graph.edges.push_back({(first + i) % count, (first + (i + 1) % length) % count});
  }
  const EvaluationOrder result = SortEvaluations(graph.types, graph.edges);
  RC_ASSERT(result.order.empty());
  RC_ASSERT(!result.loop.empty());
  std::set<std::uint32_t> seen;
  for (std::size_t i = 0; i < result.loop.size(); ++i) {
    const EvaluationEdge& edge = graph.edges.at(result.loop[i]);
    const EvaluationEdge& next = graph.edges.at(result.loop[(i + 1) % result.loop.size()]);
    RC_ASSERT(edge.reader == next.writer);
    RC_ASSERT(seen.insert(edge.writer).second);
  }
}

TEST(SortEvaluationsTest, KeepsALongChainOfOneTypeInOneBatch) {
  constexpr std::uint32_t kCount = 1000;
  const std::vector<std::uint32_t> types(kCount, 7);
  std::vector<EvaluationEdge> edges;
  for (std::uint32_t i = 0; i + 1 < kCount; ++i) edges.push_back({i, i + 1});
  const EvaluationOrder result = SortEvaluations(types, edges);
  EXPECT_EQ(CountBatches(types, result.order), 1U);
  EXPECT_TRUE(std::is_sorted(result.order.begin(), result.order.end()));
}

TEST(SortEvaluationsTest, OfNothingIsNothing) {
  const EvaluationOrder result = SortEvaluations({}, {});
  EXPECT_TRUE(result.order.empty());
  EXPECT_TRUE(result.loop.empty());
}

}  // namespace
}  // namespace davit
