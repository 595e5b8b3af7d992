#include "simulator/passes/algebraic_loop.h"

#include "framework/symptom.h"
#include "simulator/passes/connection_bond.h"

namespace davit {
namespace {

/// The path of what an edge carries; empty between the evaluations of one component.
std::string PathOf(const SystemIndex& index, const EvaluationGraph::Carried& carried) {
  using What = EvaluationGraph::Carried::What;
  switch (carried.what) {
    case What::kOwnEfforts: break;
    case What::kEffort: return EffortPath(index.connection(carried.number));
    case What::kFlow: return FlowPath(index.connection(carried.number));
    case What::kAcceleration: return AccelerationPath(index.connection(carried.number));
    case What::kSignal: return index.route(carried.number).from.path();
  }
  return {};
}

}  // namespace

std::string DescribeLoop(const SystemIndex& index, const EvaluationGraph& graph,
                         std::span<const std::uint32_t> loop) {
  std::string path;
  std::string first;
  for (const std::uint32_t e : loop) {
    const std::string item = PathOf(index, graph.carried[e]);
    if (item.empty()) continue;
    if (first.empty()) first = item;
    path += item + " -> ";
  }
  return path + first;
}

void ReportLoop(const SystemIndex& index, const EvaluationGraph& graph, std::span<const std::uint32_t> loop,
                Diagnostics& diagnostics) {
  const Component& owner = *graph.nodes[graph.edges[loop.front()].writer].owner;
  diagnostics.Error(
      owner.location(), owner.DisplayPath(),
      "algebraic loop: " + DescribeLoop(index, graph, loop) +
          "; break it with a volume, a line or a signal.LowPass, or make one of its components Algebraic" +
          SeeSection(Symptom::kAlgebraicLoop));
}

}  // namespace davit
