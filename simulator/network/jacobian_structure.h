#pragma once

#include "simulator/network/evaluation_batches.h"
#include "simulator/network/evaluation_graph.h"
#include "simulator/network/state_layout.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// Which unknowns each equation of an island may read: those of its own component and, along the edges of the
/// graph, those of all that its evaluations read. A component that is read at all is read whole, so the
/// pattern may be larger than the true one, never smaller. Of a component that reads no other one, what its
/// equations have declared to read counts (ComponentPattern).
JacobianPattern FindJacobianPattern(const EvaluationGraph& graph, const EvaluationBatches& batches,
                                    const StateLayout& layout);

}  // namespace davit
