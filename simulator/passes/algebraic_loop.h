#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "framework/diagnostics.h"
#include "simulator/passes/evaluation_graph.h"
#include "simulator/passes/system_index.h"

namespace davit {

/// The path of an algebraic loop, `pump.outlet.p -> valve.q -> pump.outlet.p`: what each of its edges
/// carries, by the names of the domain. `loop` as EvaluationOrder has it.
std::string DescribeLoop(const SystemIndex& index, const EvaluationGraph& graph,
                         std::span<const std::uint32_t> loop);

/// Reports an algebraic loop as an error at the writer of its first edge.
void ReportLoop(const SystemIndex& index, const EvaluationGraph& graph, std::span<const std::uint32_t> loop,
                Diagnostics& diagnostics);

}  // namespace davit
