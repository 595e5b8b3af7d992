#include "simulator/parts/deal_atoms.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>

namespace davit {
namespace {

constexpr std::uint64_t kMostEdgeWeight = 64;

std::vector<int> CutIntoStretches(const PartGraph& graph, int ranks) {
  if (graph.weights.size() <= static_cast<std::size_t>(ranks)) {
    std::vector<int> one_each(graph.weights.size());
    std::iota(one_each.begin(), one_each.end(), 0);
    return one_each;
  }
  const double total = std::accumulate(graph.weights.begin(), graph.weights.end(), 0.0);
  const double goal = std::max(total, 1e-9) / ranks;
  std::vector<int> dealt;
  double passed = 0;
  int rank = 0;
  for (std::size_t atom = 0; atom < graph.weights.size(); ++atom) {
    // By its middle, so that a heavy atom goes where most of it lies.
    const double middle = (passed + graph.weights[atom] / 2) / goal;
    rank = std::clamp(static_cast<int>(middle), rank, ranks - 1);
    dealt.push_back(rank);
    passed += graph.weights[atom];
  }
  return dealt;
}

}  // namespace

WeightedGraph WeighAtoms(const PartGraph& graph) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> edges;
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint64_t weight) {
    if (a == b) return;
    edges[{a, b}] += weight;
    edges[{b, a}] += weight;
  };
  for (const PartGraph::Line& line : graph.lines) {
    const std::uint64_t ahead = std::clamp<std::uint64_t>(line.line->steps_ahead(), 1, kMostEdgeWeight);
    add(line.atoms[0], line.atoms[1], kMostEdgeWeight / ahead);
  }
  for (const PartGraph::Sample& sample : graph.samples) add(sample.from, sample.to, kMostEdgeWeight);
  WeightedGraph result;
  for (const double weight : graph.weights)
    result.weights.push_back(std::max(1, static_cast<int>(std::lround(weight))));
  std::uint32_t vertex = 0;
  for (const auto& [ends, weight] : edges) {
    for (; vertex < ends.first; ++vertex) result.first.push_back(static_cast<int>(result.neighbours.size()));
    result.neighbours.push_back(static_cast<int>(ends.second));
    result.edge_weights.push_back(static_cast<int>(std::min<std::uint64_t>(weight, 1'000'000)));
  }
  for (; vertex < graph.weights.size(); ++vertex)
    result.first.push_back(static_cast<int>(result.neighbours.size()));
  return result;
}

std::vector<int> DealAtoms(const PartGraph& graph, PartChannel& channel) {
  if (graph.weights.size() > static_cast<std::size_t>(channel.size())) {
    if (auto cut = channel.Cut(WeighAtoms(graph))) return *std::move(cut);
  }
  return CutIntoStretches(graph, channel.size());
}

}  // namespace davit
